// What the hub asks for others: an app that wants permission, or an app that adds an accessory.

import { h, icon, name as bidi } from "./dom.js";
import { t } from "./words.js";
import { model } from "./model.js";
import { hub, words } from "./actions.js";
import { openSheet } from "./router.js";
import { linkBox } from "./own-devices.js";

/** Shows a question of the hub until it is answered, declined or closed: `question()` is nothing then. */
function showQuestion(id, question) {
  const answers = {};
  let problem = "", isBusy = false;
  for (const field of question()?.fields ?? []) {
    answers[field.id] = field.suggestion ?? (field.choices.length ? null : "");
  }
  const send = async (body) => {
    isBusy = true;
    sheet.paint();
    try {
      await hub.request("question.answer", { id, ...body });
      sheet.close();
    } catch (error) {
      isBusy = false;
      problem = words(error);
      sheet.paint();
    }
  };
  const sheet = openSheet({
    isAlert: true,
    title: () => title(question()),
    body: () => {
      const asked = question();
      if (!asked) return null;
      return [
        h("p", { class: "quiet", lang: "en" }, bidi(asked.text)),
        asked.digits && digits(asked.digits),
        (asked.pageLinks || asked.link) && linkBox({ links: asked.pageLinks, joinLink: asked.link }),
        asked.fields.length === 1 && asked.fields[0].choices.length > 0
          ? choices(asked, (answer) => send({ answer }), isBusy)
          : form(asked, answers, () => send({ answers }), isBusy),
        h("p", { role: "alert", class: "hint bad" }, problem),
        h(
          "div",
          { class: "buttons end" },
          h("button", { type: "button", class: "button", onclick: () => sheet.close() }, t("later")),
        ),
      ];
    },
    onclose: () => clearInterval(renewal),
  });
  // While a person sees a question, its time starts again.
  const renewal = setInterval(() => {
    if (document.visibilityState !== "hidden") hub.request("question.renew", { id }).catch(() => {});
  }, 30_000);
}

/** The digits that a person compares with those on the device that wants to join. */
const digits = (text) => [
  h("p", { key: "compare" }, t("q.digits")),
  h(
    "p",
    { key: "digits", style: { "font-size": "2rem", "letter-spacing": ".12em", direction: "ltr" } },
    text.replace(/^(\d{3})(\d{3})$/, "$1 $2"),
  ),
];

/** The questions about devices, which no app asks. */
const TITLES = {
  joining: () => t("q.joining"),
  invitationLink: () => t("q.invitationLink"),
  restoredDevices: () => t("q.restoredDevices"),
};

function title(asked) {
  if (!asked) return t("gone");
  if (TITLES[asked.kind]) return TITLES[asked.kind]();
  if (asked.kind === "app") return t("q.app", { app: asked.app });
  // What is asked about a sentence is a sentence of the same language.
  if (asked.kind === "voice") return asked.text;
  const home = asked.home && model.homes.get(asked.home);
  return home ? t("q.home", { app: asked.app, name: home.name }) : t("q.other", { app: asked.app });
}

const CHOICES = {
  allow: "apps.allow",
  deny: "apps.deny",
  add: "add.choice.add",
  cancel: "add.choice.cancel",
  again: "add.lookAgain",
};

function choices(asked, send, isBusy) {
  return h(
    "div",
    { class: "buttons" },
    asked.fields[0].choices.map((choice) =>
      h("button", {
        class: "button",
        key: choice.value,
        type: "button",
        disabled: isBusy,
        onclick: () => send(choice.value),
      }, CHOICES[choice.value] ? t(CHOICES[choice.value]) : bidi(choice.label))
    ),
  );
}

function form(asked, answers, send, isBusy) {
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        send();
      },
    },
    asked.fields.map((field) =>
      h(
        "div",
        { class: "field", key: field.id },
        h("label", { for: `q-${field.id}`, lang: "en" }, field.label || t("q.answer")),
        field.choices.length
          ? h("select", {
            id: `q-${field.id}`,
            value: answers[field.id] ?? field.choices[0].value,
            onchange: (event) => {
              answers[field.id] = event.target.value;
            },
          }, field.choices.map((choice) => h("option", { key: choice.value, value: choice.value }, choice.label)))
          : h("input", {
            id: `q-${field.id}`,
            type: field.id === "passphrase" ? "password" : "text",
            autocomplete: "off",
            value: answers[field.id] ?? "",
            oninput: (event) => {
              answers[field.id] = event.target.value;
            },
          }),
      )
    ),
    h(
      "div",
      { class: "buttons end" },
      h("button", { type: "submit", class: "button main", disabled: isBusy }, t("q.send")),
    ),
  );
}

/** The line that says that something is asked, on every screen. */
export function questionStrip(asked, question) {
  return h(
    "div",
    { class: "strip", key: asked.id },
    icon("help"),
    h("span", null, title(asked)),
    h("button", { class: "button", onclick: () => showQuestion(asked.id, question) }, t("q.open")),
  );
}
