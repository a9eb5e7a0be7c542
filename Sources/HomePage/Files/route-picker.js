// The route picker: the receivers to which the apps of the hub's computer play, for all of them at once. Its states are those
// of Apple's: none, found and playing. Receivers are looked for only while the picker is open. A press adds a receiver or
// takes it away; what it needs is a question of the hub.

import { announce, h, icon, name as bidi, uuid } from "./dom.js";
import { openSheet, paint } from "./router.js";
import { fail, hub, isOpen, words } from "./actions.js";
import { model, watch } from "./model.js";
import { list as joined, t } from "./words.js";

/** How long one looks before one says that there is nothing, in milliseconds. */
const PATIENCE = 4000;

/** The stream on which receivers are looked for. */
let browsing = null;
let since = 0;

/** The names or IDs of the receivers to which apps play, in step if there are several. */
const routes = () => model.media?.routes ?? [];
const receivers = () => model.media?.receivers ?? [];
const isNamed = (route, receiver) => route === receiver.name || route.toLowerCase() === receiver.id.toLowerCase();
const isRoute = (receiver) => routes().some((route) => isNamed(route, receiver));

/** What the picker shows: `none` without receivers, `found` with some, `playing` if an app plays to the chosen one. */
export function routeState() {
  if (routes().length && model.media.players.some((player) => player.isRouted && player.isPlaying)) return "playing";
  return receivers().length ? "found" : "none";
}

const nameOf = (places) => joined(places) || t("route.here");

/** The name of where apps play. */
export const routeName = () => nameOf(routes());

/** The receivers in the order of the list: by name, and those with video first where an app asks for it. */
export function orderedReceivers(list, isVideoFirst) {
  return isVideoFirst ? [...list].sort((a, b) => Number(b.playsVideo) - Number(a.playsVideo)) : list;
}

/** The button that opens the picker, with the name of where apps play. */
export function routeButton() {
  return h(
    "button",
    {
      class: "button route",
      key: "route",
      "aria-haspopup": "dialog",
      "aria-label": t("route.button", { name: routeName() }),
      "data-state": routeState(),
      disabled: !isOpen(),
      onclick: openRoutePicker,
    },
    icon("speaker"),
    h("span", null, bidi(routeName())),
  );
}

/** Opens the picker. */
export function openRoutePicker() {
  since = performance.now();
  setTimeout(paint, PATIENCE + 100);
  openSheet({
    title: () => t("route.title"),
    body,
    onend: () => {
      browsing = null;
      if (isOpen()) hub.request("media.stopBrowsing").catch(() => {});
    },
  });
}

/** Looks for receivers, again on each new stream. */
function browse() {
  if (!isOpen() || browsing === hub.stream) return;
  const stream = browsing = hub.stream;
  hub.request("media.startBrowsing").catch(() => {
    if (browsing === stream) browsing = null;
  });
}

function body() {
  browse();
  const isVideoFirst = (model.media?.players ?? []).some((player) => player.prioritizesVideo);
  const list = orderedReceivers(receivers(), isVideoFirst);
  const state = routeState();
  const lost = routes().filter((route) => !list.some((receiver) => isNamed(route, receiver)));
  return [
    h("p", { class: "quiet", key: "text" }, t("route.text")),
    h(
      "ul",
      { class: "list", role: "list", key: "list", "data-state": state },
      choice({
        key: "here",
        symbol: "home",
        what: t("route.here"),
        isCurrent: !routes().length,
        onclick: () => routes().length && choose({}),
      }),
      lost.map((route) =>
        choice({
          key: `lost ${route}`,
          symbol: "speaker",
          what: bidi(route),
          sub: t("route.lost"),
          isCurrent: true,
          onclick: () => choose({ receiver: route, change: "remove" }),
        })
      ),
      list.map((receiver) =>
        choice({
          key: receiver.id,
          symbol: receiver.playsVideo ? "tv" : "speaker",
          what: bidi(receiver.name),
          sub: trials.has(receiver.id) ? t("route.trying") : needs(receiver),
          isCurrent: isRoute(receiver),
          onclick: () => toggle(receiver),
        })
      ),
    ),
    h("p", { class: "quiet", role: "status", key: "state" }, statusText(list)),
  ];
}

function statusText(list) {
  if (list.length) return "";
  return t(performance.now() - since < PATIENCE ? "route.looking" : "route.none");
}

/** What there is to know of a receiver before it is chosen. */
const needs = ({ playsVideo, needsPassword, needsPIN }) =>
  [playsVideo && t("route.video"), needsPassword && t("route.needsPassword"), needsPIN && t("route.needsPIN")]
    .filter(Boolean).join(" · ");

function choice({ key, symbol, what, sub, isCurrent, onclick }) {
  return h(
    "li",
    { key },
    h(
      "button",
      { class: "row", "aria-pressed": String(Boolean(isCurrent)), disabled: !isOpen(), onclick },
      icon(symbol),
      h("span", { class: "grow" }, h("span", { class: "what" }, what), sub && h("span", { class: "sub" }, sub)),
      isCurrent && icon("check", "small"),
    ),
  );
}

/** Adds a receiver to those that play, or takes it away. */
async function toggle(receiver) {
  const route = routes().find((each) => isNamed(each, receiver));
  if (route) return choose({ receiver: route, change: "remove" });
  if (trials.has(receiver.id)) return;
  const isOnly = receivers().filter((each) => each.name === receiver.name).length === 1;
  const trial = { reference: uuid(), name: receiver.name };
  trials.set(receiver.id, trial);
  paint();
  await choose({
    receiver: isOnly ? receiver.name : receiver.id,
    change: "add",
    reference: trial.reference,
  });
  trials.delete(receiver.id);
  trial.question = null;
  trial.sheet?.close();
  paint();
}

/** Chooses the hub's computer, or changes which receivers play. */
async function choose(parameters) {
  try {
    await hub.perform("media.choose", parameters);
    const others = parameters.receiver ? routes().filter((each) => each !== parameters.receiver) : [];
    const names = parameters.change === "add" ? [...others, parameters.receiver] : others;
    announce(t("route.chosen", { name: nameOf(names) }));
  } catch (error) {
    // Who declines a question knows that nothing has changed.
    if (error.code !== "operationCancelled") fail(error);
  }
}

// MARK: Passwords and PINs

/** The receivers that are being tried, by ID, each with the reference of the hub's questions about it. */
const trials = new Map();

/** The texts for the kinds of questions, and what is accepted as an answer. */
const KINDS = {
  receiverPassword: {
    title: "route.passwordOf",
    label: "route.password",
    wrong: "route.wrongPassword",
    input: { type: "password", maxlength: "255" },
  },
  receiverPIN: {
    title: "route.pinOf",
    label: "route.pin",
    hint: "route.pinHint",
    wrong: "route.wrongPIN",
    input: { type: "text", inputmode: "numeric", pattern: "[0-9]{4}", maxlength: "4" },
  },
};

watch("questions", ({ asked, closed }) => {
  for (const trial of trials.values()) {
    if (asked && asked.reference === trial.reference && KINDS[asked.kind]) ask(trial, asked);
    else if (closed && trial.question?.id === closed) trial.question = null;
  }
});

/** While a person sees a question, its time starts again. */
setInterval(() => {
  for (const { question } of trials.values()) {
    if (question && document.visibilityState !== "hidden") {
      hub.request("question.renew", { id: question.id }).catch(() => {});
    }
  }
}, 30_000);

/** Asks for what a receiver needs. After a wrong answer, the hub asks again. */
function ask(trial, question) {
  const { title, wrong } = KINDS[question.kind];
  const isAgain = question.triesLeft !== undefined;
  Object.assign(trial, { question, kind: question.kind, text: "" });
  trial.problem = isAgain ? t(wrong, { n: question.triesLeft }) : "";
  if (trial.sheet) {
    const field = trial.sheet.element.querySelector("input");
    field.value = "";
    field.focus();
    return paint();
  }
  trial.sheet = openSheet({
    title: () => t(title, { name: trial.name }),
    body: () => answerForm(trial),
    onclose: () => trial.question && hub.request("question.decline", { id: trial.question.id }).catch(() => {}),
    onend: () => {
      trial.sheet = null;
    },
  });
}

function answerForm(trial) {
  const { label, hint, input } = KINDS[trial.kind];
  const { reference, problem } = trial;
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        answer(trial);
      },
    },
    h(
      "div",
      { class: "field", key: "answer" },
      h("label", { for: `answer-${reference}` }, t(label)),
      h("input", {
        ...input,
        id: `answer-${reference}`,
        autocomplete: "off",
        required: true,
        autofocus: true,
        value: trial.text,
        "aria-invalid": problem ? "true" : null,
        "aria-describedby": `hint-${reference}`,
        oninput: (event) => {
          trial.text = event.target.value;
        },
      }),
      h(
        "p",
        { id: `hint-${reference}`, class: problem ? "hint bad" : "hint", role: "alert" },
        problem || (trial.question ? hint && t(hint) : t("route.trying")),
      ),
    ),
    h("div", { class: "buttons end" }, h("button", { type: "submit", class: "button main" }, t("done"))),
  );
}

async function answer(trial) {
  const { question, text } = trial;
  if (!question) return;
  Object.assign(trial, { question: null, problem: "" });
  paint();
  try {
    await hub.request("question.answer", { id: question.id, answer: text });
  } catch (error) {
    Object.assign(trial, { question, problem: words(error) });
    paint();
  }
}
