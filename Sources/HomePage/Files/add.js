// Adding an accessory, step by step.

import { answer, begin, browse, end, found, run, setup, STEPS } from "./add-setup.js";
import { h, icon, name as bidi } from "./dom.js";
import { back, paint } from "./router.js";
import { words } from "./actions.js";
import { detailsStep } from "./add-details.js";
import { codeStep, deviceRow, endCamera, typing } from "./add-code.js";
import { has, t } from "./words.js";
import { tiles } from "./tiles.js";
import { home } from "./model.js";

export const addSheet = {
  view() {
    begin(new URLSearchParams(location.search).get("room"));
    browse();
    return { title: () => t("add.title"), body: () => setup && body(), onend: stop };
  },
};

function stop() {
  endCamera();
  end();
}

function body() {
  const { step } = setup;
  if (!home()) return h("p", { class: "empty" }, t("home.none"));
  // Nothing leads a guest here, but an address can be entered.
  if (!home().canEdit) return h("p", null, t("e.insufficientPrivileges"));
  if (step === "code") return codeStep();
  if (step === "choose") return chooseStep();
  if (step === "work") return workStep();
  if (step === "done") return doneStep();
  return null;
}

// MARK: Choosing, waiting, answering

/** What a person sees of the steps. */
const PARTS = ["found", "code", "place"];

function chooseStep() {
  const free = [...found.values()].filter((each) => !each.isPaired);
  return [
    h("p", { class: "quiet" }, t("add.which")),
    h(
      "ul",
      { class: "list", role: "list" },
      free.map((each) =>
        deviceRow(each, () => {
          setup.device = each;
          run();
        })
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", {
        class: "button",
        onclick: () => {
          setup.step = "code";
          paint();
        },
      }, t("back")),
    ),
  ];
}

function workStep() {
  const { question, failure } = setup;
  if (failure) return failureStep(failure);
  if (question?.kind === "accessoryDetails") return detailsStep(question);
  if (question?.kind === "uncertifiedAccessory") {
    return [
      h("p", null, t("add.uncertified")),
      h(
        "div",
        { class: "buttons" },
        question.fields[0].choices.map((choice) =>
          h("button", {
            class: "button",
            key: choice.value,
            onclick: () => {
              setup.question = null;
              answer(question, { answer: choice.value });
            },
          }, has(`add.choice.${choice.value}`) ? t(`add.choice.${choice.value}`) : choice.label)
        ),
      ),
    ];
  }
  if (question?.kind === "setupCode") return codeQuestion(question);
  if (question) {
    return h(
      "ul",
      { class: "list", role: "list" },
      question.fields[0].choices.map((choice) =>
        h(
          "li",
          { key: choice.value },
          h(
            "button",
            {
              class: "row",
              onclick: () => {
                setup.question = null;
                answer(question, { answer: choice.value });
                paint();
              },
            },
            icon(choice.value === "again" ? "undo" : "box"),
            h("span", { class: "grow what" }, choice.value === "again" ? t("add.lookAgain") : bidi(choice.label)),
          ),
        )
      ),
    );
  }
  const isSlow = Date.now() - setup.started > 5000;
  const at = STEPS.indexOf(setup.progress?.step);
  const done = at < 0 ? setup.done : PARTS.filter((_, index) => at > [1, 2, 4][index]);
  const current = PARTS.find((part) => !done.includes(part));
  return [
    h(
      "ul",
      { class: "steps", role: "list" },
      PARTS.map((part) => stepRow(part, done.includes(part), part === current)),
    ),
    h(
      "p",
      { class: "quiet", role: "status" },
      at < 0 ? t(isSlow ? "add.slow" : "add.working") : [progressText(), isSlow && at < 4 && [" ", t("add.slow")]],
    ),
  ];
}

function stepRow(part, isDone, isCurrent) {
  return h(
    "li",
    { key: part, class: isDone ? "done" : isCurrent ? "" : "quiet", "aria-current": isCurrent ? "step" : null },
    icon(isDone ? "check" : isCurrent ? "automation" : "minus"),
    h("span", null, t(`add.step.${part}`)),
  );
}

/** What the hub does now. */
function progressText() {
  const { step, accessory } = setup.progress;
  return t(has(`add.at.${step}`) ? `add.at.${step}` : "add.working", {
    name: accessory ?? setup.device?.name ?? t("k.other"),
  });
}

function codeQuestion(question) {
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        const text = event.currentTarget.elements.code.value;
        setup.code = text;
        setup.usedCode = true;
        setup.question = null;
        setup.problem = "";
        answer(question, { answer: text });
      },
    },
    h(
      "div",
      { class: "field" },
      h("label", { for: "again-code" }, t("add.code")),
      h("input", {
        id: "again-code",
        name: "code",
        class: "code",
        type: "text",
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: "24",
        value: setup.code,
        "aria-describedby": "again-hint",
        "aria-invalid": setup.problem ? "true" : null,
        oninput: typing,
      }),
      h(
        "p",
        { id: "again-hint", class: setup.problem ? "hint bad" : "hint", role: "alert" },
        setup.problem || t("add.code.where"),
      ),
    ),
    h("div", { class: "buttons" }, h("button", { class: "button main", type: "submit" }, t("next"))),
  );
}

/** The step that failed, with all else filled in. */
function failureStep(error) {
  const code = error.code;
  return [
    h(
      "div",
      { class: "card" },
      h("h3", { style: { margin: "0" } }, words(error)),
      has(`add.do.${code}`) && h("p", { class: "quiet" }, t(`add.do.${code}`)),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button main", onclick: run }, t("again")),
      h("button", {
        class: "button",
        onclick: () => {
          Object.assign(setup, {
            step: "code",
            failure: null,
            payload: null,
            device: code === "wrongSetupCode" ? setup.device : null,
          });
          paint();
        },
      }, t("back")),
    ),
  ];
}

function doneStep() {
  const here = home();
  const things = setup.ids.flatMap((id) => here.thingsOf(id));
  return [
    h(
      "p",
      { class: "headline" },
      h("span", { class: "disc on d-safe" }, icon("check")),
      h("span", null, t("add.done")),
    ),
    things.length > 0 && [h("h3", null, t("add.try")), tiles(things, { withPlace: true, label: t("add.try") })],
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button main", onclick: () => back("/") }, t("done")),
      h("button", {
        class: "button",
        onclick: () => {
          begin(setup.room);
          paint();
        },
      }, t("add.another")),
    ),
  ];
}
