// The list of automations: sentences, with when they ran last, when next, and why they did not.

import { noHome } from "./home.js";
import { actionText, asksSun, DARK, eventText, outcomeText, sentence } from "./sentence.js";
import { h, icon, name as bidi, uuid } from "./dom.js";
import { C } from "./chars.js";
import { askAll, asked } from "./forecast.js";
import { hubDate, minutes, moment, momentWithin, t } from "./words.js";
import { isOpen, performHere } from "./actions.js";
import { go, place } from "./router.js";
import { home, identityOf } from "./model.js";
import { onOff } from "./widgets.js";
import { offer } from "./automation-draft.js";
import { isLight, typeOf } from "./kinds.js";

export const automationsScreen = {
  tab: "automations",
  title: () => t("automations"),
  tools: () =>
    home()?.canEdit &&
    h("a", { class: "round", href: place("/automation/new"), "aria-label": t("auto.add") }, icon("plus")),
  body() {
    const here = home();
    if (!here) return noHome();
    askAll(here);
    const triggers = here.of("trigger");
    return [
      h("p", { class: "quiet" }, t("auto.text")),
      triggers.length === 0 && h("p", { class: "empty" }, icon("automation"), t("auto.none")),
      h("ul", { class: "list", role: "list" }, triggers.map((trigger) => row(here, trigger))),
      here.canEdit && suggestions(here),
    ];
  },
};

function row(here, trigger) {
  const { test, last } = asked.get(trigger.id) ?? {};
  return h(
    "li",
    { key: trigger.id, class: "row" },
    h(
      "a",
      {
        class: "grow",
        href: place(`/automation/${trigger.id}`),
        style: { color: "inherit", "text-decoration": "none" },
      },
      h("span", { class: "what" }, bidi(trigger.name)),
      h("span", { class: "sub" }, sentence(here, trigger)),
      h("span", { class: "sub" }, status(here, trigger, test, last)),
    ),
    onOff(
      t("auto.enable", { name: trigger.name }),
      trigger.isEnabled,
      !here.canEdit || !isOpen(),
      (isEnabled) => performHere("trigger.enable", { id: trigger.id, isEnabled }),
    ),
  );
}

/** When it ran last and why it did not, and when it runs next. */
function status(here, trigger, test, last) {
  const parts = [];
  if (last) {
    const { outcome, observations } = last.content.trigger;
    parts.push(
      outcome === "fired"
        ? t("auto.ran", { time: momentWithin(hubDate(last.time)) })
        : t("auto.notRun", { time: moment(hubDate(last.time)), reason: outcomeText(here, outcome, observations) }),
    );
  }
  if (!trigger.isEnabled) parts.push(t("auto.off"));
  else if (asksSun(trigger.definition) && !here.get(here.id)?.place) parts.push(t("auto.noPlace"));
  else if (test?.next) parts.push(t("auto.next", { time: momentWithin(hubDate(test.next)) }));
  return parts.join(" · ");
}

/** What the home's accessories lend themselves to. */
function suggestions(here) {
  const taken = JSON.stringify(here.of("trigger").map((trigger) => trigger.definition));
  const sensor = here.things.find((thing) =>
    ["motionSensor", "contactSensor"].includes(typeOf(thing).kind) && !taken.includes(thing.accessory.id)
  );
  const light = sensor &&
    (here.things.find((thing) => isLight(thing) && thing.room === sensor.room) ?? here.things.find(isLight));
  if (!light) return null;
  const type = sensor.service.chars[C.motion] ? C.motion : C.contact;
  const preset = {
    events: [{
      id: uuid(),
      characteristic: {
        characteristic: identityOf(sensor.accessory, sensor.service.chars[type]),
        value: type === C.motion ? true : 1,
      },
    }],
    condition: DARK,
    actions: [{
      id: uuid(),
      write: { characteristic: identityOf(light.accessory, light.service.chars[C.on]), value: true },
    }],
    endEvents: [{ id: uuid(), duration: 300 }],
  };
  return h(
    "div",
    { class: "card", style: { "margin-block-start": "16px" } },
    h("h2", null, t("auto.suggestion")),
    h(
      "p",
      null,
      t("auto.for", {
        text: t("auto.if", {
          when: eventText(here, preset.events[0]),
          condition: t("if.dark"),
          then: actionText(here, preset.actions[0]),
        }),
        v: minutes(300),
      }),
    ),
    h("button", {
      class: "button",
      onclick: () => {
        offer(preset);
        go(place("/automation/new"));
      },
    }, t("auto.use")),
  );
}
