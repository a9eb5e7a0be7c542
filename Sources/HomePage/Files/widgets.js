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

/**
 * A slider with − and +. It shows the finger, sends one value at a time while it moves, and the final one on release.
 * `read` and `shown` convert between the characteristic's value and what people see.
 */
export function slider(
  thing,
  characteristic,
  { label, word, className = "", fill, limits = bounds(characteristic), isFinalOnly = false } = {},
) {
  if (!limits) return null;
  const at = value(characteristic);
  const step = limits.step;
  const send = (target) => set(thing, characteristic, snap(target, limits), { holds: true, isQuiet: true });
  const jump = (by) => {
    if (at !== undefined) send(Math.min(limits.max, Math.max(limits.min, at + by)));
  };
  const part = at === undefined ? 0 : ((at - limits.min) / (limits.max - limits.min)) * 100;
  const text = at === undefined ? t("s.unknown") : word ? word(at) : valueWord(characteristic.type, at, characteristic);
  return h(
    "div",
    { class: "control", key: `slide-${characteristic.iid}` },
    h(
      "div",
      { class: "label" },
      h("span", null, label ?? charName(characteristic.type, characteristic)),
      h("span", { class: "v" }, text),
    ),
    h(
      "div",
      { class: "line" },
      h("button", {
        class: "step",
        "aria-label": t("less", { name: label ?? charName(characteristic.type, characteristic) }),
        disabled: isDisabled(thing),
        onclick: () => jump(-bigger(limits)),
      }, icon("minus")),
      h(
        "div",
        { class: "slide" },
        h("input", {
          type: "range",
          class: className,
          min: limits.min,
          max: limits.max,
          step,
          value: at ?? limits.min,
          disabled: isDisabled(thing),
          "aria-label": label ?? charName(characteristic.type, characteristic),
          "aria-valuetext": text,
          style: { "--part": `${part}%`, "--fill": fill ?? "var(--accent)" },
          oninput: (event) => {
            const target = snap(Number(event.target.value), limits);
            aim(characteristic, target);
            if (!isFinalOnly) send(target);
          },
          onchange: (event) => send(Number(event.target.value)),
        }),
      ),
      h("button", {
        class: "step",
        "aria-label": t("greater", { name: label ?? charName(characteristic.type, characteristic) }),
        disabled: isDisabled(thing),
        onclick: () => jump(bigger(limits)),
      }, icon("plus")),
    ),
  );
}

/** A press of − or + moves by a step that can be seen. */
function bigger({ min, max, step }) {
  return Math.max(step, step * Math.round((max - min) / step / 20));
}

/** A temperature: half a degree a step, large, with the slider below. */
export function temperatureControl(thing, characteristic, label) {
  const limits = bounds(characteristic);
  if (!limits) return null;
  const step = usesFahrenheit() ? 5 / 9 : Math.max(0.5, limits.step);
  const at = value(characteristic);
  const jump = (by) => {
    if (at !== undefined) {
      set(thing, characteristic, snap(Math.min(limits.max, Math.max(limits.min, at + by * step)), limits), {
        holds: true,
        isQuiet: true,
      });
    }
  };
  const text = at === undefined ? t("s.none") : temperature(at, true);
  return h(
    "div",
    { class: "control", key: `temp-${characteristic.iid}` },
    h(
      "div",
      { class: "label" },
      h("span", null, label ?? charName(characteristic.type)),
      h("span", { class: "v" }, text),
    ),
    h(
      "div",
      { class: "line" },
      h("button", {
        class: "step",
        "aria-label": t("less", { name: label ?? charName(characteristic.type) }),
        disabled: isDisabled(thing),
        onclick: () => jump(-1),
      }, icon("minus")),
      h(
        "div",
        { class: "slide" },
        h("input", {
          type: "range",
          min: limits.min,
          max: limits.max,
          step: Math.max(0.5, limits.step),
          value: at ?? limits.min,
          disabled: isDisabled(thing),
          "aria-label": label ?? charName(characteristic.type),
          "aria-valuetext": text,
          style: {
            "--part": `${at === undefined ? 0 : ((at - limits.min) / (limits.max - limits.min)) * 100}%`,
            "--fill": characteristic.type === C.coolTo ? "var(--accent)" : "var(--warm)",
          },
          oninput: (event) => aim(characteristic, snap(Number(event.target.value), limits)),
          onchange: (event) =>
            set(thing, characteristic, snap(Number(event.target.value), limits), { holds: true, isQuiet: true }),
        }),
      ),
      h("button", {
        class: "step",
        "aria-label": t("greater", { name: label ?? charName(characteristic.type) }),
        disabled: isDisabled(thing),
        onclick: () => jump(1),
      }, icon("plus")),
    ),
  );
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
  return h(
    "div",
    { class: "control", key: "choose" },
    h(
      "div",
      { class: "label" },
      h("span", null, charName(type, characteristic)),
      h("span", { class: "v" }, valueWord(type, at, characteristic)),
    ),
    h(
      "div",
      { class: "line" },
      h("button", {
        type: "button",
        class: "step",
        "aria-label": t("less", { name: charName(type, characteristic) }),
        onclick: () => onchoose(snap(at - bigger(limits), limits)),
      }, icon("minus")),
      h(
        "div",
        { class: "slide" },
        h("input", {
          type: "range",
          min: limits.min,
          max: limits.max,
          step: limits.step,
          value: at,
          "aria-label": charName(type, characteristic),
          "aria-valuetext": valueWord(type, at, characteristic),
          style: { "--part": `${((at - limits.min) / (limits.max - limits.min)) * 100}%` },
          oninput: (event) => onchoose(snap(Number(event.target.value), limits)),
        }),
      ),
      h("button", {
        type: "button",
        class: "step",
        "aria-label": t("greater", { name: charName(type, characteristic) }),
        onclick: () => onchoose(snap(at + bigger(limits), limits)),
      }, icon("plus")),
    ),
  );
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
