// Controls of the detail: each takes part of what an accessory can do, by the characteristic's own bounds.

import { bounds, C, canWrite, charName, choices, valueWord } from "./chars.js";
import { isDisabled, modes, segments, set, slider, temperatureControl, toggle } from "./widgets.js";
import { value } from "./model.js";
import { minutes, percent, t } from "./words.js";
import { coverTo, doorTo, inputsOf, lockTo, now, switchTo, typeOf, TYPES } from "./kinds.js";
import { h } from "./dom.js";
import { control } from "./actions.js";

const COLORS = [
  [30, 20, "warmWhite"],
  [0, 0, "white"],
  [0, 90, "red"],
  [30, 95, "orange"],
  [50, 90, "yellow"],
  [120, 80, "green"],
  [190, 80, "cyan"],
  [230, 85, "blue"],
  [280, 75, "violet"],
  [320, 70, "pink"],
];

function color(thing) {
  const { [C.hue]: hue, [C.saturation]: saturation } = thing.service.chars;
  if (!canWrite(hue) || !canWrite(saturation)) return null;
  return h(
    "div",
    { key: "color" },
    h(
      "div",
      { class: "control" },
      h("div", { class: "label" }, h("span", null, t("c.13"))),
      h(
        "div",
        { class: "swatches", role: "group", "aria-label": t("c.13") },
        COLORS.map(([degree, strength, key]) =>
          h("button", {
            class: "swatch",
            key,
            "aria-label": t(`color.${key}`),
            "aria-pressed": String(
              Math.abs((value(hue) ?? -99) - degree) < 4 && Math.abs((value(saturation) ?? -99) - strength) < 4,
            ),
            disabled: isDisabled(thing),
            style: { "--swatch": `hsl(${degree} ${strength}% ${strength < 30 ? 88 : 58}%)` },
            onclick: () =>
              control(thing, {
                writes: [{ characteristic: hue, value: degree }, { characteristic: saturation, value: strength }],
              }, { isQuiet: true }),
          })
        ),
      ),
    ),
    slider(thing, hue, { label: t("color.hue"), className: "hue", fill: "transparent" }),
    slider(thing, saturation, { fill: `hsl(${value(hue) ?? 0} 70% 55%)` }),
  );
}

function tilt(thing, characteristic) {
  return slider(thing, characteristic, { isFinalOnly: true });
}

/** Two or three large buttons for what opens, closes or locks. */
function bigButtons(thing, buttons) {
  return h(
    "div",
    { class: "big", key: `big-${buttons.find(Boolean)?.label}` },
    buttons.filter(Boolean).map(({ label, act, isCurrent }) =>
      h("button", {
        class: `button ${isCurrent ? "main" : ""}`,
        "aria-pressed": isCurrent === undefined ? null : String(Boolean(isCurrent)),
        disabled: isDisabled(thing),
        onclick: act,
      }, label)
    ),
  );
}

function cover(thing) {
  const { chars } = thing.service;
  const state = now(thing);
  return [
    bigButtons(thing, [
      { label: t("act.open"), act: () => control(thing, coverTo(thing, 100)) },
      chars[C.hold] && { label: t("act.stop"), act: () => set(thing, chars[C.hold], true) },
      { label: t("act.close"), act: () => control(thing, coverTo(thing, 0)) },
    ]),
    chars[C.positionTarget] &&
    slider(thing, chars[C.positionTarget], {
      isFinalOnly: Boolean(typeOf(thing).guard) || true,
      word: (at) => (state.isMoving ? t("cover.to", { v: percent(at) }) : percent(at)),
    }),
  ];
}

function remote(thing) {
  const characteristic = thing.service.chars[C.remote];
  if (!characteristic) return null;
  const keys = [
    [4, "up", "↑"],
    [6, "left", "←"],
    [8, "select", "OK"],
    [7, "right", "→"],
    [5, "down", "↓"],
    [9, "back", "⟲"],
    [11, "play", "⏯"],
    [15, "info", "i"],
  ];
  return h(
    "div",
    { class: "control", key: "remote" },
    h("div", { class: "label" }, h("span", null, t("c.E1"))),
    h(
      "div",
      { class: "remote", dir: "ltr" },
      keys.map(([code, key, sign]) =>
        h("button", {
          class: "button",
          "data-key": key,
          "aria-label": t(`remote.${key}`),
          disabled: isDisabled(thing),
          onclick: () => set(thing, characteristic, code, { isQuiet: true }),
        }, sign)
      ),
    ),
  );
}

function inputs(thing) {
  const characteristic = thing.service.chars[C.input];
  const sources = inputsOf(thing);
  if (!characteristic || sources.length < 2) return null;
  return segments(thing, {
    key: "input",
    label: t("c.E7"),
    chosen: value(characteristic),
    options: sources.map((each) => ({ value: each.id, label: each.name })),
    onchoose: (id) => set(thing, characteristic, id),
  });
}

function duration(thing) {
  const characteristic = thing.service.chars[C.duration];
  if (!canWrite(characteristic)) return null;
  const { min = 60, max = 3600 } = bounds(characteristic) ?? {};
  return slider(thing, characteristic, {
    limits: { min: Math.max(60, Math.ceil(min / 60) * 60), max, step: 60 },
    word: (seconds) => minutes(seconds),
    isFinalOnly: true,
  });
}

/** Characteristics that a control above, or the heading, shows already, or that people never see. */
const HANDLED = new Set([
  C.on,
  C.active,
  C.hue,
  C.saturation,
  C.hold,
  C.position,
  C.positionTarget,
  C.positionState,
  C.doorNow,
  C.doorTarget,
  C.lockNow,
  C.lockTarget,
  C.name,
  C.remote,
  C.input,
  C.duration,
  C.label,
  C.filterReset,
  C.securityNow,
  C.inputName,
  C.configured,
  "DF",
  "E8",
  "105",
  "14",
  "A5",
  "37",
  "220",
  "19",
  "1F",
  "136",
  "E5",
  "22E",
  "EA",
  "E9",
  "CD",
  "DC",
  "DB",
  C.inputID,
  C.inputHidden,
  "134",
]);

const TEMPERATURES = new Set([C.target, C.heatTo, C.coolTo]);

/** The order of controls; what is not named follows. */
const ORDER = [
  "8",
  "CE",
  "33",
  "B2",
  "B4",
  "A8",
  "BF",
  "35",
  "12",
  "D",
  "34",
  "CA",
  "C9",
  "29",
  "28",
  "B6",
  "119",
  "11A",
  "137",
];

/** All controls of a service of an accessory. */
export function controls(thing, service = thing.service) {
  const own = service === thing.service;
  const part = own ? thing : { ...thing, service };
  const { chars } = service;
  const type = TYPES[service.type];
  const parts = [];
  if (type?.main && canWrite(chars[type.main])) {
    parts.push(toggle(part, {
      label: own ? t("c.25") : service.name,
      isOn: value(chars[type.main]),
      onchange: (on) => control(part, switchTo(part, on)),
    }));
  }
  if (chars[C.doorTarget]) {
    parts.push(
      bigButtons(part, [{ label: t("act.open"), act: () => control(part, doorTo(part, 0)) }, {
        label: t("act.close"),
        act: () => control(part, doorTo(part, 1)),
      }]),
    );
  }
  if (chars[C.lockTarget]) {
    parts.push(
      chars[C.doorTarget] && h("div", { class: "control label", key: "lock" }, t("c.1D")),
      bigButtons(part, [{
        label: t("act.lock"),
        isCurrent: value(chars[C.lockNow]) === 1,
        act: () => control(part, lockTo(part, 1)),
      }, {
        label: t("act.unlock"),
        isCurrent: value(chars[C.lockNow]) === 0,
        act: () => control(part, lockTo(part, 0)),
      }]),
    );
  }
  if (chars[C.positionTarget]) parts.push(cover(part));
  parts.push(color(part));
  for (const characteristic of sorted(chars)) parts.push(generic(part, characteristic));
  parts.push(inputs(part), duration(part), remote(part));
  if (canWrite(chars[C.filterReset])) {
    parts.push(h("button", {
      class: "button",
      key: "filter",
      disabled: isDisabled(part),
      onclick: () => control(part, { writes: [{ characteristic: chars[C.filterReset], value: 1 }], guard: "reset" }),
    }, t("filter.changed")));
  }
  return parts.flat(2).filter(Boolean);
}

function sorted(chars) {
  const rank = (each) => {
    const at = ORDER.indexOf(each.type);
    return at < 0 ? 99 : at;
  };
  return Object.values(chars).filter((each) => canWrite(each) && !HANDLED.has(each.type) && isShown(each)).sort((
    a,
    b,
  ) => rank(a) - rank(b));
}

/** Bytes and write-only texts have no control; a characteristic that is hidden stays hidden. */
function isShown(characteristic) {
  return !["tlv8", "data"].includes(characteristic.meta.format) && !characteristic.permissions.includes("hd") &&
    characteristic.permissions.includes("pr");
}

/** Sound is on while it is not muted. */
function sound(thing, characteristic) {
  return toggle(thing, {
    label: charName(characteristic.type, characteristic),
    isOn: value(characteristic) === false,
    onchange: (on) => set(thing, characteristic, !on),
  });
}

function generic(thing, characteristic) {
  const { type, meta } = characteristic;
  if (TEMPERATURES.has(type)) return usedTemperature(thing, type) ? temperatureControl(thing, characteristic) : null;
  if (type === C.warmth) return slider(thing, characteristic, { className: "warmth", fill: "transparent" });
  if (["7B", "7D", "C2"].includes(type)) return tilt(thing, characteristic);
  if (type === C.mute) return sound(thing, characteristic);
  if (meta.format === "bool" || (choices(characteristic)?.length === 2 && ["A7", "B6"].includes(type))) {
    return toggle(thing, {
      label: charName(type, characteristic),
      isOn: value(characteristic),
      onchange: (on) => set(thing, characteristic, meta.format === "bool" ? on : Number(on)),
    });
  }
  const values = choices(characteristic);
  if (values && values.length <= 8) return modes(thing, characteristic);
  if (meta.format === "string") return null;
  if (type === C.brightness) {
    return slider(thing, characteristic, { limits: { ...bounds(characteristic), min: 1 }, fill: "var(--bright)" });
  }
  return slider(thing, characteristic);
}

/** A thermostat shows the target of its mode: one to heat or cool, two in Auto where it has them. */
function usedTemperature(thing, type) {
  const { chars } = thing.service;
  const mode = value(chars[C.thermoMode]);
  if (mode !== undefined) return type === C.target ? mode !== 3 || !chars[C.heatTo] : mode === 3;
  const climate = value(chars[C.climateMode]);
  if (climate !== undefined) return type === C.heatTo ? climate !== 2 : type === C.coolTo ? climate !== 1 : true;
  return true;
}

/** What the heading of a sensor or a thermostat says already. */
const IN_HEADING = new Set([
  C.temperature,
  C.humidity,
  C.light,
  C.motion,
  C.presence,
  C.contact,
  C.leak,
  C.smoke,
  C.carbonMonoxide,
  C.carbonDioxide,
  C.airQuality,
  C.thermoNow,
  C.climateNow,
  C.airNow,
  C.fanNow,
  C.press,
  C.slatNow,
  C.running,
  C.inUse,
  "6C",
  "6E",
  C.tiltNow,
]);

/** What is worth a word only when it is not as it should be. */
const AS_USUAL = {
  [C.obstruction]: 0,
  [C.fault]: 0,
  [C.tampered]: 0,
  [C.statusActive]: 1,
  [C.jammed]: 0,
  [C.lowBattery]: 0,
  [C.charging]: 2,
  [C.filter]: 0,
};

/** What is only read, as a list of names and values. */
export function facts(thing, services) {
  const rows = [];
  for (const service of services) {
    for (const each of Object.values(service.chars)) {
      if (
        canWrite(each) || HANDLED.has(each.type) || !isShown(each) ||
        ["20", "21", "30", "52", "53", "A6", "23"].includes(each.type)
      ) continue;
      const now = value(each);
      if (
        now === undefined || (service === thing.service && IN_HEADING.has(each.type)) ||
        Number(now) === AS_USUAL[each.type]
      ) continue;
      rows.push([charName(each.type, each), valueWord(each.type, now, each), each.key]);
    }
  }
  if (!rows.length) return null;
  return h(
    "dl",
    { class: "facts", key: "facts" },
    rows.map(([label, text, key]) => [h("dt", { key: `t${key}` }, label), h("dd", { key: `d${key}` }, text)]),
  );
}
