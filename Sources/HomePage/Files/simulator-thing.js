// A service of a simulated accessory: what a person at it can do.

import { chooser } from "./widgets.js";
import { h, icon, name as bidi } from "./dom.js";
import { bounds, C, charName, choices } from "./chars.js";
import { t } from "./words.js";
import { home, value } from "./model.js";
import { kindName, now, TYPES } from "./kinds.js";
import { locate, simulator } from "./simulator-state.js";
import { go, place } from "./router.js";
import { discStyle } from "./tiles.js";
import { fail, isOpen, say, writeValues } from "./actions.js";

// MARK: A service and its values

const HIDDEN = new Set(["14", "23", C.remote, "E6", "37"]);

export const thingSheet = {
  view: (match) => {
    const find = () => home()?.thing(match[1]);
    return {
      title: () => {
        const thing = find();
        return thing ? bidi(thing.name) : t("gone");
      },
      tools: () => {
        const thing = find();
        return thing &&
          h("button", {
            class: "round",
            "aria-label": t("sim.device"),
            onclick: () => go(place(`/device/${thing.room}`), { replaces: true }),
          }, icon("settings"));
      },
      body: () => {
        const thing = find();
        return thing ? thingBody(thing) : null;
      },
    };
  },
};

function thingBody(thing) {
  const state = now(thing);
  const parts = thing.parts.filter((part) => !["3E", "A2", "CC"].includes(part.type));
  return [
    h(
      "div",
      { class: "headline", key: "headline" },
      h("span", { class: `disc d-${state.disc} ${state.isOn ? "on" : ""}`, style: discStyle(state) }, icon(state.icon)),
      h("div", null, h("p", { class: "large" }, state.lead ?? state.word), h("p", { class: "since" }, kindName(thing))),
    ),
    [thing.service, ...parts].map((service) =>
      h("div", { key: service.iid }, inOrder(service).map((characteristic) => editor(thing, service, characteristic)))
    ),
  ];
}

/** What a tap switches first, then as the accessory has them. */
const inOrder = ({ type, chars }) =>
  Object.values(chars).sort((a, b) => (b.type === TYPES[type]?.main) - (a.type === TYPES[type]?.main) || a.iid - b.iid);

/** A person at the accessory can change all that it has, also what apps can only read. */
function editor(thing, service, characteristic) {
  const { type, meta, permissions } = characteristic;
  if (HIDDEN.has(type) || ["tlv8", "data"].includes(meta.format)) return null;
  const label = charName(type, characteristic) === t("c.other")
    ? nameOf(characteristic)
    : charName(type, characteristic);
  if (type === C.press) return presses(thing, service, characteristic);
  if (!permissions.includes("pr")) return null;
  const change = (next) => writeValues(thing, [{ characteristic, value: next }], { holds: true, isQuiet: true });
  if (meta.format === "string") {
    return h(
      "div",
      { class: "field", key: characteristic.iid },
      h("label", { for: `c-${characteristic.iid}` }, label),
      h("input", {
        id: `c-${characteristic.iid}`,
        type: "text",
        value: value(characteristic) ?? "",
        onchange: (event) => change(event.target.value),
      }),
    );
  }
  const few = choices(characteristic);
  if (!few && !bounds(characteristic)) return null;
  return h(
    "div",
    { key: characteristic.iid },
    few && h("h3", null, label),
    chooser(characteristic, value(characteristic), change),
  );
}

const nameOf = (characteristic) =>
  locate({ accessory: characteristic.accessory, iid: characteristic.iid }).characteristic ?? t("c.other");

function presses(thing, service, characteristic) {
  const { accessory, service: key } = locate(characteristic);
  const kinds = (choices(characteristic) ?? [0, 1, 2]).map((each) => ["single", "double", "long"][each]);
  return h(
    "div",
    { key: characteristic.iid },
    h("h3", null, bidi(service.name)),
    h(
      "div",
      { class: "buttons" },
      kinds.map((press) =>
        h("button", {
          class: "button",
          key: press,
          disabled: !isOpen(),
          onclick: () =>
            simulator.request("button.press", { accessory, service: key, press }).then(
              () => say(t(`v.${press}`)),
              fail,
            ),
        }, t(`sim.press.${press}`))
      ),
    ),
  );
}
