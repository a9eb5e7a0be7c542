// What people read for a characteristic: its name, its values, its unit and its steps.

import { has, lux, minutes, number, percent, rounded, t, temperature } from "./words.js";

/** Characteristics by the names that the rest of the page uses. */
export const C = {
  on: "25",
  active: "B0",
  brightness: "8",
  hue: "13",
  saturation: "2F",
  warmth: "CE",
  inUse: "26",
  speed: "29",
  direction: "28",
  swing: "B6",
  fanNow: "AF",
  fanMode: "BF",
  childLock: "A7",
  temperature: "11",
  target: "35",
  heatTo: "12",
  coolTo: "D",
  thermoNow: "F",
  thermoMode: "33",
  unit: "36",
  humidity: "10",
  humidityTarget: "34",
  climateNow: "B1",
  climateMode: "B2",
  humidNow: "B3",
  humidMode: "B4",
  dryTo: "C9",
  humidTo: "CA",
  water: "B5",
  airNow: "A9",
  airMode: "A8",
  position: "6D",
  positionTarget: "7C",
  positionState: "72",
  obstruction: "24",
  hold: "6F",
  doorNow: "E",
  doorTarget: "32",
  lockNow: "1D",
  lockTarget: "1E",
  lockLast: "1C",
  lockAuto: "1A",
  securityNow: "66",
  securityTarget: "67",
  alarmType: "8E",
  running: "D2",
  remaining: "D4",
  duration: "D3",
  valveType: "D5",
  configured: "D6",
  program: "D1",
  slatNow: "AA",
  tiltNow: "C1",
  tiltTarget: "C2",
  input: "E7",
  inputID: "E6",
  inputName: "E3",
  inputHidden: "135",
  remote: "E1",
  mute: "11A",
  volume: "119",
  mediaNow: "E0",
  mediaTarget: "137",
  cameraOn: "21B",
  press: "73",
  output: "74",
  label: "CB",
  routerStatus: "20E",
  satelliteStatus: "21E",
  motion: "22",
  presence: "71",
  contact: "6A",
  leak: "70",
  smoke: "76",
  carbonMonoxide: "69",
  carbonMonoxideLevel: "90",
  carbonDioxide: "92",
  carbonDioxideLevel: "93",
  airQuality: "95",
  pm25: "C6",
  light: "6B",
  battery: "68",
  lowBattery: "79",
  charging: "8F",
  fault: "77",
  tampered: "7A",
  statusActive: "75",
  jammed: "78",
  filter: "AC",
  filterLife: "AB",
  filterReset: "AD",
  name: "23",
};

/** Words of values that are states, by type: the key of the text for each number. */
const STATES = {
  25: ["off", "on"],
  B0: ["off", "on"],
  26: ["notInUse", "inUse"],
  28: ["clockwise", "counterclockwise"],
  B6: ["swingOff", "swingOn"],
  AF: ["off", "idle", "on"],
  BF: ["manual", "auto"],
  A7: ["unlocked", "locked"],
  F: ["idle", "heating", "cooling"],
  33: ["off", "heat", "cool", "auto"],
  36: ["celsius", "fahrenheit"],
  B1: ["off", "idle", "heating", "cooling"],
  B2: ["auto", "heat", "cool"],
  B3: ["off", "idle", "humidifying", "drying"],
  B4: ["auto", "humidify", "dry"],
  A9: ["off", "idle", "purifying"],
  A8: ["manual", "auto"],
  72: ["closing", "opening", "stopped"],
  24: ["clear", "blocked"],
  E: ["open", "closed", "opening", "closing", "stopped"],
  32: ["open", "closed"],
  "1D": ["unlocked", "locked", "jammed", "notKnown"],
  "1E": ["unlocked", "locked"],
  66: ["home", "away", "night", "disarmed", "alarm"],
  67: ["home", "away", "night", "disarmed"],
  D2: ["off", "on"],
  D1: ["manual", "scheduled", "scheduledOver"],
  AA: ["fixed", "jammed", "swinging"],
  BE: ["manual", "auto"],
  "11A": ["soundOn", "muted"],
  E0: ["playing", "paused", "stopped", "loading", "interrupted"],
  137: ["playing", "paused", "stopped"],
  "21B": ["off", "on"],
  73: ["single", "double", "long"],
  74: ["stateOne", "stateTwo"],
  22: ["noMotion", "motion"],
  71: ["nobody", "someone"],
  "6A": ["closed", "open"],
  70: ["noLeak", "leak"],
  76: ["noSmoke", "smoke"],
  69: ["normal", "carbonMonoxide"],
  92: ["normal", "high"],
  95: ["notKnown", "excellent", "good", "fair", "inferior", "poor"],
  79: ["batteryFine", "batteryLow"],
  "8F": ["notCharging", "charging", "notChargeable"],
  77: ["works", "faulty"],
  "7A": ["untouched", "tampered"],
  75: ["notMeasuring", "measuring"],
  78: ["works", "jammed"],
  AC: ["filterFine", "filterChange"],
  "1C": ["inside", "inside", "outside", "outside", "keypad", "keypad", "remote", "remote", "timeout"],
  D5: ["valve", "sprinkler", "shower", "tap"],
  "20E": ["ready", "notReady"],
  "21E": ["notKnown", "connected", "notConnected"],
  135: ["shown", "hidden"],
};

const PERCENT = new Set(["8", "2F", "29", "10", "34", "6D", "7C", "68", "AB", "B5", "C9", "CA", "119"]);
const DEGREES = new Set(["13", "6C", "6E", "7B", "7D", "C1", "C2"]);
const TEMPERATURES = new Set(["11", "12", "D", "35"]);
const DURATIONS = new Set(["D3", "D4", "1A"]);
const DENSITIES = new Set(["64", "C3", "C4", "C5", "C6", "C7", "C8"]);
const PARTS_PER_MILLION = new Set(["90", "91", "93", "94"]);

/** The name of a characteristic: ours, else the device's own description. */
export function charName(type, characteristic) {
  if (has(`c.${type}`)) return t(`c.${type}`);
  return characteristic?.meta?.manufacturerDescription || t("c.other");
}

/** Whether the numbers of a characteristic are measured on a scale; a state is one of a few words. */
export function isState(type, characteristic) {
  return type in STATES || characteristic?.meta?.format === "bool" || characteristic?.meta?.format === "string";
}

/** The numbers that a characteristic of states can have, as the accessory offers them. */
export function choices(characteristic) {
  const words = STATES[characteristic.type];
  const { validValues, minValue, maxValue, format } = characteristic.meta;
  if (format === "bool") return [true, false];
  if (!words) return validValues ?? null;
  let values = validValues ?? words.map((_, at) => at);
  if (minValue !== undefined) values = values.filter((each) => each >= minValue);
  if (maxValue !== undefined) values = values.filter((each) => each <= maxValue);
  return values.filter((each) => words[each]);
}

/** The word for a value. */
export function valueWord(type, value, characteristic) {
  if (value === undefined || value === null) return t("s.none");
  const words = STATES[type];
  if (words) return words[Number(value)] ? t(`v.${words[Number(value)]}`) : String(value);
  if (PERCENT.has(type)) return percent(value);
  if (TEMPERATURES.has(type)) return temperature(value, true);
  if (DEGREES.has(type)) return t("unit.deg", { v: number(Math.round(value)) });
  if (DURATIONS.has(type)) return minutes(value);
  if (DENSITIES.has(type)) return t("unit.ug", { v: number(Math.round(value)) });
  if (PARTS_PER_MILLION.has(type)) {
    return t("unit.ppm", {
      v: number(type === "93" || type === "94" ? Math.round(value / 10) * 10 : Math.round(value)),
    });
  }
  if (type === "6B") return lux(value);
  if (type === "CE") return t("unit.k", { v: number(Math.round(1e6 / value / 50) * 50) });
  return customWord(value, characteristic?.meta ?? {});
}

function customWord(value, meta) {
  if (value === true || value === false) return t(value ? "v.on" : "v.off");
  if (typeof value === "string") return value;
  if (typeof value === "object") return t("v.data");
  const shown = number(rounded(value, 2), 2);
  const units = {
    percentage: () => percent(value),
    celsius: () => temperature(value, true),
    arcdegrees: () => t("unit.deg", { v: shown }),
    seconds: () => t("unit.s", { v: shown }),
    lux: () => lux(value),
  };
  return units[meta.unit]?.() ?? shown;
}

/** The bounds and the step of a characteristic that a slider can show; `null` without bounds. */
export function bounds(characteristic) {
  const { minValue, maxValue, stepValue, format } = characteristic.meta;
  const isPercent = PERCENT.has(characteristic.type) || characteristic.meta.unit === "percentage";
  const min = minValue ?? (isPercent ? 0 : undefined);
  const max = maxValue ?? (isPercent ? 100 : undefined);
  if (min === undefined || max === undefined || !(max > min)) return null;
  const least = format === "float" ? (max - min) / 100 : 1;
  return { min, max, step: stepValue || (format === "float" ? Number(least.toPrecision(1)) : 1) };
}

/** The nearest value that the accessory takes, in decimal arithmetic. */
export function snap(value, { min, max, step }) {
  const digits = (String(step).split(".")[1] ?? "").length + (String(min).split(".")[1] ?? "").length;
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
  return rounded(Math.min(max, min + steps * step), Math.min(digits, 6));
}

export const canWrite = (characteristic) => characteristic?.permissions?.includes("pw") ?? false;
export const canRead = (characteristic) => characteristic?.permissions?.includes("pr") ?? false;
