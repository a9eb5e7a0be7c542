// Switches, sliders and rows of choices.

import { bounds, C, charName, choices, snap, valueWord } from "./chars.js";
import { t, temperature, usesFahrenheit } from "./words.js";
import { aim, value } from "./model.js";
import { h, icon } from "./dom.js";
import { control, isOpen } from "./actions.js";
import { now } from "./kinds.js";

export const set = (thing, characteristic, target, options) =>
  control(thing, { writes: [{ characteristic, value: target }] }, options);

export const isDisabled = (thing) => !isOpen() || Boolean(now(thing).trouble);

/** A switch for on and off. */
export function toggle(thing, { label, isOn, onchange }) {
  return h(
    "button",
    {
      type: "button",
      class: "switch",
      role: "switch",
      "aria-checked": String(Boolean(isOn)),
      disabled: isDisabled(thing),
      onclick: () => onchange(!isOn),
    },
    h("span", { class: "grow" }, label),
    h("span", { class: "knob" }),
  );
}

/** A slider between − and +, under its name and what it is set to. `jump` moves it by −1 or 1. */
function range(
  { key, label, text, limits, at, step = limits.step, disabled, className, fill, jump, oninput, onchange },
) {
  const button = (name, sign, by) =>
    h("button", {
      type: "button",
      class: "step",
      "aria-label": t(name, { name: label }),
      disabled,
      onclick: () => jump(by),
    }, icon(sign));
  const part = at === undefined ? 0 : ((at - limits.min) / (limits.max - limits.min)) * 100;
  return h(
    "div",
    { class: "control", key },
    h("div", { class: "label" }, h("span", null, label), h("span", { class: "v" }, text)),
    h(
      "div",
      { class: "line" },
      button("less", "minus", -1),
      h(
        "div",
        { class: "slide" },
        h("input", {
          type: "range",
          class: className ?? "",
          min: limits.min,
          max: limits.max,
          step,
          value: at ?? limits.min,
          disabled,
          "aria-label": label,
          "aria-valuetext": text,
          style: { "--part": `${part}%`, "--fill": fill ?? "var(--accent)" },
          oninput: (event) => oninput(snap(Number(event.target.value), limits)),
          onchange: (event) => onchange?.(snap(Number(event.target.value), limits)),
        }),
      ),
      button("greater", "plus", 1),
    ),
  );
}

/** A press of − or + moves by a step that can be seen. */
function bigger({ min, max, step }) {
  return Math.max(step, step * Math.round((max - min) / step / 20));
}

const clamped = (target, { min, max }) => Math.min(max, Math.max(min, target));

/** A slider that shows the finger, sends one value at a time while it moves, and the final one on release. */
export function slider(
  thing,
  characteristic,
  { label, word, className, fill, limits = bounds(characteristic), isFinalOnly = false } = {},
) {
  if (!limits) return null;
  const at = value(characteristic);
  const send = (target) => set(thing, characteristic, snap(target, limits), { holds: true, isQuiet: true });
  return range({
    key: `slide-${characteristic.iid}`,
    label: label ?? charName(characteristic.type, characteristic),
    text: at === undefined ? t("s.unknown") : word ? word(at) : valueWord(characteristic.type, at, characteristic),
    limits,
    at,
    disabled: isDisabled(thing),
    className,
    fill,
    jump: (by) => at !== undefined && send(clamped(at + by * bigger(limits), limits)),
    oninput: (target) => {
      aim(characteristic, target);
      if (!isFinalOnly) send(target);
    },
    onchange: send,
  });
}

/** A temperature: half a degree a step, or one of the device's own scale. */
export function temperatureControl(thing, characteristic, label) {
  const limits = bounds(characteristic);
  if (!limits) return null;
  const step = usesFahrenheit() ? 5 / 9 : Math.max(0.5, limits.step);
  const at = value(characteristic);
  const send = (target) => set(thing, characteristic, snap(target, limits), { holds: true, isQuiet: true });
  return range({
    key: `temp-${characteristic.iid}`,
    label: label ?? charName(characteristic.type),
    text: at === undefined ? t("s.none") : temperature(at, true),
    limits,
    at,
    step: Math.max(0.5, limits.step),
    disabled: isDisabled(thing),
    fill: characteristic.type === C.coolTo ? "var(--accent)" : "var(--warm)",
    jump: (by) => at !== undefined && send(clamped(at + by * step, limits)),
    oninput: (target) => aim(characteristic, target),
    onchange: send,
  });
}

/** One of a few: a radio group with arrow keys. */
export function segments(thing, { label, options, chosen, onchoose, key }) {
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("button")];
    const turn = document.documentElement.dir === "rtl" && event.key.match(/Left|Right/) ? -step : step;
    all[(all.indexOf(document.activeElement) + turn + all.length) % all.length].focus();
  };
  const stop = options.some((option) => option.value === chosen) ? chosen : options[0]?.value;
  return h(
    "div",
    { class: "control", key },
    label && h("div", { class: "label" }, h("span", null, label)),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": label, onkeydown: move },
      options.map((option) =>
        h("button", {
          type: "button",
          key: String(option.value),
          role: "radio",
          "aria-checked": String(option.value === chosen),
          tabindex: option.value === stop ? "0" : "-1",
          disabled: thing ? isDisabled(thing) : false,
          onclick: () => onchoose(option.value),
        }, option.label)
      ),
    ),
  );
}

/** The states that an accessory offers for a characteristic. */
export function modes(thing, characteristic, label = charName(characteristic.type, characteristic)) {
  const values = choices(characteristic);
  if (!values || values.length < 2) return null;
  return segments(thing, {
    key: `mode-${characteristic.iid}`,
    label,
    chosen: value(characteristic),
    options: values.map((each) => ({ value: each, label: valueWord(characteristic.type, each, characteristic) })),
    onchoose: (target) => set(thing, characteristic, target),
  });
}

/** A control for a value that is not written now but chosen: in scenes and automations. */
export function chooser(characteristic, chosen, onchoose) {
  const { type, meta } = characteristic;
  const values = choices(characteristic);
  if (values) {
    return segments(null, {
      key: "choose",
      label: null,
      chosen: meta.format === "bool" ? Boolean(chosen) : chosen,
      options: values.map((each) => ({ value: each, label: valueWord(type, each, characteristic) })),
      onchoose,
    });
  }
  const limits = bounds(characteristic) ?? { min: 0, max: 100, step: 1 };
  const at = typeof chosen === "number" ? chosen : limits.min;
  return range({
    key: "choose",
    label: charName(type, characteristic),
    text: valueWord(type, at, characteristic),
    limits,
    at,
    jump: (by) => onchoose(snap(clamped(at + by * bigger(limits), limits), limits)),
    oninput: onchoose,
  });
}

/** A bare switch, named for a screen reader: the row beside it says what it switches. */
export function onOff(label, isOn, disabled, onchange) {
  return h("button", {
    type: "button",
    class: "switch bare",
    role: "switch",
    "aria-checked": String(isOn),
    "aria-label": label,
    disabled,
    onclick: () => onchange(!isOn),
  }, h("span", { class: "knob" }));
}
