// Saying something to the home, in writing: what was said, what was done, and what the hub asks back.

import { h, icon, name as bidi } from "./dom.js";
import { currentLanguage, t } from "./words.js";
import { home, watch } from "./model.js";
import { hub, isOpen, words } from "./actions.js";
import { paint } from "./router.js";

/** No more lines than this are kept. */
const KEPT = 40;
let lines = [], question = null, isBusy = false, examples = null, examplesOf = null;

watch("questions", ({ asked, closed }) => {
  // The questions of voice satellites are shown on every screen.
  if (asked?.kind === "voice" && asked.app !== "hearth.wyoming") question = asked;
  else if (closed && question?.id === closed) question = null;
  paint();
});

const add = (line) => {
  lines = [...lines, line].slice(-KEPT);
};
const language = () => (currentLanguage().includes("-X") ? "en" : currentLanguage());

async function say(text) {
  if (!text.trim() || isBusy) return;
  isBusy = true;
  add({ text, isMine: true });
  paint();
  try {
    const reply = await hub.request("voice.say", { text, language: language(), home: home().id });
    add({ text: reply.answer });
  } catch (error) {
    add({ text: words(error) });
  }
  isBusy = false;
  question = null;
  paint();
  document.getElementById("sentence")?.focus();
}

async function answer(value, label) {
  const asked = question;
  question = null;
  add({ text: label, isMine: true });
  paint();
  try {
    await hub.request("question.answer", { id: asked.id, answer: value });
  } catch (error) {
    add({ text: words(error) });
    paint();
  }
}

function loadExamples() {
  const key = `${home().id} ${language()}`;
  if (examplesOf === key || !isOpen()) return;
  examplesOf = key;
  examples = null;
  hub.request("voice.examples", { home: home().id, language: language() }).then((reply) => {
    examples = reply.sentences.slice(0, 6);
    paint();
  }, () => {});
}

export const saySheet = {
  view() {
    question = null;
    return { title: () => t("say.title"), body };
  },
};

function body() {
  if (!home()) return null;
  loadExamples();
  const submit = (event) => {
    event.preventDefault();
    const field = event.currentTarget.elements.sentence;
    const text = field.value;
    field.value = "";
    say(text);
  };
  return [
    lines.length === 0 && h("p", { class: "quiet", key: "text" }, t("say.text")),
    h(
      "ul",
      { class: "said", role: "list", key: "said", "aria-live": "polite" },
      lines.map((line, at) =>
        h("li", { key: `${at}-${line.text}`, class: line.isMine ? "mine" : "" }, bidi(line.text))
      ),
      isBusy && !question && h("li", { key: "busy" }, "…"),
      question && h("li", { key: "question" }, bidi(question.text)),
    ),
    question &&
    h(
      "div",
      { class: "buttons", key: "choices" },
      question.fields[0].choices.map((choice) =>
        h(
          "button",
          { class: "button", key: choice.value, onclick: () => answer(choice.value, choice.label) },
          bidi(choice.label),
        )
      ),
    ),
    h(
      "form",
      { key: "form", onsubmit: submit },
      h(
        "div",
        { class: "field" },
        h("label", { for: "sentence" }, t("say.label")),
        h("input", {
          id: "sentence",
          name: "sentence",
          type: "text",
          maxlength: "1000",
          autocomplete: "off",
          autofocus: true,
          value: "",
        }),
      ),
      h(
        "div",
        { class: "buttons end" },
        h("button", { class: "button main", type: "submit", disabled: isBusy || !isOpen() }, t("say.do")),
      ),
    ),
    examples?.length > 0 &&
    h(
      "div",
      { key: "examples" },
      h("h3", null, t("say.examples")),
      h(
        "div",
        { class: "chips" },
        examples.map((each) =>
          h(
            "button",
            {
              type: "button",
              class: "chip",
              style: { background: "var(--well)" },
              key: each,
              disabled: isBusy || !isOpen(),
              onclick: () => say(each),
            },
            icon("bubble"),
            bidi(each),
          )
        ),
      ),
    ),
  ];
}
