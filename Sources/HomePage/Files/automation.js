// The editor of an automation: a sentence whose parts are buttons, and what it would do now.

import { asksSun, daysText, eventText, observationText, outcomeText, sentence, timerText } from "./sentence.js";
import { h, icon, name as bidi } from "./dom.js";
import { ask, go, menu, paint, place } from "./router.js";
import { askAll, asked, forget } from "./forecast.js";
import { makeDraft, save, takeOffer } from "./automation-draft.js";
import { hubDate, list, minutes, momentWithin, t } from "./words.js";
import { dangersOf, performHere } from "./actions.js";
import { conditionButtons } from "./condition.js";
import { editDays, editEnd, editEvent, editTimer } from "./automation-parts.js";
import { home } from "./model.js";
import { actionList } from "./picker.js";

// MARK: The editor

export const automationSheet = {
  view(match) {
    const isNew = match[1] === "new";
    const find = () => (isNew ? null : home()?.get(match[1]));
    const draft = makeDraft(find());
    if (isNew) Object.assign(draft, takeOffer());
    return {
      title: () => (isNew ? t("auto.add") : bidi(find()?.name ?? "")),
      tools: () =>
        !isNew && find() && home().canEdit &&
        h("button", {
          class: "round",
          "aria-label": t("more"),
          "aria-haspopup": "true",
          onclick: (event) => autoMenu(event.currentTarget, find()),
        }, icon("more")),
      body: () => (isNew || find() ? form(find(), draft) : null),
    };
  },
};

function form(trigger, draft) {
  const here = home();
  if (!here.canEdit && !trigger) return h("p", null, t("e.insufficientPrivileges"));
  if (!here.canEdit) return [h("p", { class: "sentence read" }, sentence(here, trigger)), testBox(here, trigger)];
  const isWhole = (draft.events.length || draft.timer) && (draft.scenes.length || draft.actions.length);
  const onsubmit = (event) => {
    event.preventDefault();
    save(trigger, draft);
  };
  return h(
    "form",
    { onsubmit },
    section("when", t("auto.partWhen"), whenPart(here, draft)),
    !draft.timer && section("if", t("auto.partIf"), ifPart(here, draft)),
    placeNote(here, draft),
    section("then", t("auto.partThen"), thenPart(here, draft)),
    !draft.timer && section("end", t("auto.partEnd"), endPart(here, draft)),
    nameField(draft),
    h("p", { class: "hint bad", role: "alert", style: { color: "var(--alarm)" }, key: "problem" }, draft.problem),
    h(
      "div",
      { class: "buttons end", key: "buttons" },
      h(
        "button",
        { type: "submit", class: "button main", disabled: draft.isBusy || !isWhole },
        t(trigger ? "save" : "add"),
      ),
    ),
    trigger && testBox(here, trigger),
  );
}

const section = (key, title, content) => h("div", { key }, h("h3", null, title), content);
const part = (label, onclick) => h("button", { type: "button", onclick }, label);

/** What starts it: a timer, or one of several events. */
function whenPart(here, draft) {
  if (draft.timer) return h("p", { class: "sentence" }, part(timerText(draft.timer), () => editTimer(draft)));
  const { events } = draft;
  return h(
    "p",
    { class: "sentence" },
    events.map((event, at) => [at > 0 && ` ${t("or")} `, part(eventText(here, event), () => editEvent(draft, at))]),
    " ",
    part(t(events.length ? "auto.orWhen" : "auto.chooseWhen"), () => editEvent(draft, events.length)),
  );
}

function ifPart(here, draft) {
  return h(
    "p",
    { class: "sentence" },
    conditionButtons(here, draft),
    " ",
    part(draft.weekdays.length ? daysText(draft.weekdays) : t("auto.everyDay"), () => editDays(draft)),
  );
}

/** A rule about the sun does nothing in a home whose place is not known. */
function placeNote(here, { events, endEvents, condition }) {
  if (here.get(here.id)?.place || !asksSun([events, endEvents, condition])) return null;
  return h(
    "p",
    { class: "small", key: "place", style: { "margin-block-start": "8px", color: "var(--warn)" } },
    t("auto.noPlace"),
    " ",
    h("a", { href: place("/settings") }, t("settings")),
  );
}

/** The scenes that it runs, and what it does besides. */
function thenPart(here, draft) {
  const usable = here.scenes.filter((scene) => scene.actions.length || draft.scenes.includes(scene.id));
  return [
    h("div", { class: "chips", style: { "margin-block-end": "8px" } }, usable.map((scene) => sceneChip(scene, draft))),
    actionList(draft.actions, (actions) => {
      draft.actions = actions;
      paint();
    }),
    dangerNote(here, draft),
  ];
}

function sceneChip(scene, draft) {
  const isChosen = draft.scenes.includes(scene.id);
  const onclick = () => {
    draft.scenes = isChosen ? draft.scenes.filter((id) => id !== scene.id) : [...draft.scenes, scene.id];
    paint();
  };
  return h(
    "button",
    { type: "button", key: scene.id, class: "chip", "aria-pressed": String(isChosen), onclick },
    icon("scenes"),
    bidi(scene.name),
  );
}

/** When what it did is taken back, and whether it runs only once. */
function endPart(here, draft) {
  const ends = draft.endEvents.map((event) =>
    event.duration
      ? t("auto.endAfter", { v: minutes(event.duration) })
      : t("auto.endWhen", { text: eventText(here, event) })
  );
  const onchange = (event) => {
    draft.once = event.target.checked;
    paint();
  };
  return [
    h("p", { class: "sentence" }, part(ends.join(", ") || t("auto.noEnd"), () => editEnd(draft))),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", checked: draft.once, onchange }),
      h("span", null, t("auto.onlyOnce")),
    ),
  ];
}

function nameField(draft) {
  const oninput = (event) => {
    draft.name = event.target.value;
    draft.problem = "";
  };
  return h(
    "div",
    { class: "field", key: "name" },
    h("label", { for: "auto-name" }, t("name")),
    h("input", { id: "auto-name", type: "text", maxlength: "64", autocomplete: "off", value: draft.name, oninput }),
  );
}

function dangerNote(here, draft) {
  const sets = [{ actions: draft.actions }, ...draft.scenes.map((id) => here.scene(id)).filter(Boolean)];
  const names = sets.flatMap(dangersOf).map((action) => here.get(action.write.characteristic.accessory)?.name).filter(
    Boolean,
  );
  return names.length > 0 &&
    h(
      "p",
      { class: "small", style: { "margin-block-start": "8px", color: "var(--warn)" } },
      t("auto.danger", { names: list([...new Set(names)]) }),
    );
}

/** What would happen now, and why. */
function testBox(here, trigger) {
  const { test } = asked.get(trigger.id) ?? {};
  if (!test) askAll(here);
  return h(
    "div",
    { key: "test" },
    h("h3", null, t("auto.test")),
    !test ? h("p", { class: "quiet", role: "status" }, t("loading")) : [
      h(
        "p",
        null,
        test.wouldRun
          ? t("auto.would")
          : t("auto.wouldNot", { reason: outcomeText(here, test.obstacle, test.observations) }),
      ),
      test.observations.length > 0 && h(
        "ul",
        { class: "steps", role: "list" },
        test.observations.map((each, at) =>
          h(
            "li",
            { key: at, class: each.isTrue ? "done" : "" },
            icon(each.isTrue ? "check" : "close"),
            h(
              "span",
              null,
              h("span", { class: "unseen" }, `${t(each.isTrue ? "true" : "false")}: `),
              observationText(here, each),
            ),
          )
        ),
      ),
      test.next && h("p", { class: "quiet" }, t("auto.next", { time: momentWithin(hubDate(test.next)) })),
    ],
    h("button", {
      type: "button",
      class: "button",
      onclick: () => {
        forget(trigger.id);
        paint();
      },
    }, t("auto.testAgain")),
  );
}

function autoMenu(button, trigger) {
  menu(button, [{
    icon: "bin",
    isDanger: true,
    label: t("auto.remove"),
    action: async () => {
      if (
        !(await ask({
          title: t("remove.title", { name: trigger.name }),
          text: sentence(home(), trigger),
          action: t("remove"),
        }))
      ) return;
      if (await performHere("trigger.remove", { id: trigger.id })) go(place("/automations"), { replaces: true });
    },
  }]);
}
