// The table of what people meet: for each type of service its kind, icon, words, main control, attention and guard.

import { C, valueWord } from "./chars.js";
import { changedAt, charOf, heardAt, isSending, known, reachOf, sentAt, value } from "./model.js";
import { clockTime, has, minutes, percent, t, temperature } from "./words.js";

const own = (thing, type) => value(thing.service.chars[type]);
const any = (thing, type) => value(charOf(thing, type));
const UNKNOWN = { isUnknown: true };

// MARK: What a thing is like now

function light(thing) {
  const on = own(thing, C.on), brightness = own(thing, C.brightness);
  if (on === undefined) return UNKNOWN;
  if (!on) return { word: t("s.off") };
  return {
    isOn: true,
    word: brightness === undefined
      ? t("s.on")
      : brightness === 0
      ? t("s.off")
      : t("s.onAt", { v: percent(brightness) }),
    tint: tintOf(thing),
  };
}

/** The colour of a colour lamp, for its disc only. */
function tintOf(thing) {
  const hue = own(thing, C.hue), saturation = own(thing, C.saturation);
  if (hue === undefined || !(saturation > 5)) return null;
  return { hue: Math.round(hue), saturation: Math.round(saturation) };
}

function power(thing) {
  const on = own(thing, C.on) ?? (own(thing, C.active) === undefined ? undefined : own(thing, C.active) === 1);
  if (on === undefined) return UNKNOWN;
  if (!on) return { word: t("s.off") };
  return { isOn: true, word: own(thing, C.inUse) ? t("s.onInUse") : t("s.on") };
}

function fan(thing) {
  const on = own(thing, C.on) ?? own(thing, C.active);
  if (on === undefined) return UNKNOWN;
  if (!on) return { word: t("s.off") };
  if (own(thing, C.fanMode) === 1) return { isOn: true, word: t("s.auto") };
  if (own(thing, C.fanNow) === 1) return { isOn: true, word: t("s.resting") };
  const speed = own(thing, C.speed);
  return { isOn: true, word: speed === undefined ? t("s.on") : percent(speed) };
}

function thermostat(thing) {
  const mode = own(thing, C.thermoMode),
    target = own(thing, C.target),
    room = own(thing, C.temperature),
    now = own(thing, C.thermoNow);
  const lead = room === undefined ? undefined : temperature(room, true, false);
  if (mode === undefined) return { ...UNKNOWN, lead };
  if (mode === 0) return { word: t("s.off"), lead };
  if (mode === 3) {
    const from = own(thing, C.heatTo), to = own(thing, C.coolTo);
    const word = from !== undefined && to !== undefined
      ? t("s.autoRange", { a: temperature(from, true, false), b: temperature(to, true, false) })
      : t("s.autoTo", { v: degrees(target) });
    return { isOn: true, lead, word, disc: now === 2 ? "cool" : now === 1 ? "heat" : "air" };
  }
  if (now === 1) return { isOn: true, lead, word: t("s.heatingTo", { v: degrees(target) }), disc: "heat" };
  if (now === 2) return { isOn: true, lead, word: t("s.coolingTo", { v: degrees(target) }), disc: "cool" };
  return { isOn: true, lead, word: t("s.reached", { v: degrees(target) }), disc: mode === 2 ? "cool" : "heat" };
}

const degrees = (celsius) => (celsius === undefined ? t("s.none") : temperature(celsius, celsius % 1 !== 0, false));

function airConditioner(thing) {
  const active = own(thing, C.active),
    now = own(thing, C.climateNow),
    mode = own(thing, C.climateMode),
    room = own(thing, C.temperature);
  const lead = room === undefined ? undefined : temperature(room, true, false);
  if (active === undefined) return { ...UNKNOWN, lead };
  if (!active) return { word: t("s.off"), lead };
  const from = own(thing, C.heatTo), to = own(thing, C.coolTo);
  if (now === 2) return { isOn: true, lead, icon: "flame", disc: "heat", word: t("s.heatingTo", { v: degrees(from) }) };
  if (now === 3) {
    return { isOn: true, lead, icon: "snowflake", disc: "cool", word: t("s.coolingTo", { v: degrees(to) }) };
  }
  if (mode === 0 && from !== undefined && to !== undefined) {
    return {
      isOn: true,
      lead,
      disc: "air",
      word: t("s.autoRange", { a: temperature(from, true, false), b: temperature(to, true, false) }),
    };
  }
  return {
    isOn: true,
    lead,
    disc: mode === 1 ? "heat" : "cool",
    icon: mode === 1 ? "flame" : "snowflake",
    word: t("s.idle"),
  };
}

function humidifier(thing) {
  const active = own(thing, C.active),
    now = own(thing, C.humidNow),
    humidity = own(thing, C.humidity),
    water = own(thing, C.water);
  const attention = water !== undefined && water <= 10 ? { level: 3, text: t("a.water") } : undefined;
  if (active === undefined) return UNKNOWN;
  if (!active) return { word: t("s.off"), attention };
  if (now === 2) return { isOn: true, attention, word: t("s.humidifyingTo", { v: percentOr(own(thing, C.humidTo)) }) };
  if (now === 3) return { isOn: true, attention, word: t("s.dryingTo", { v: percentOr(own(thing, C.dryTo)) }) };
  return {
    isOn: true,
    attention,
    word: humidity === undefined ? t("s.idle") : t("s.idleAt", { v: percent(humidity) }),
  };
}

const percentOr = (number) => (number === undefined ? t("s.none") : percent(number));

function purifier(thing) {
  const active = own(thing, C.active);
  if (active === undefined) return UNKNOWN;
  if (!active) return { word: t("s.off") };
  const now = own(thing, C.airNow);
  return { isOn: true, word: now === 2 ? t("v.purifying") : own(thing, C.airMode) === 1 ? t("s.auto") : t("s.idle") };
}

/** How long something may move before it reads “not finished”, in seconds. */
const LATE = { lock: 15, garage: 60, cover: 120 };

function movement(thing, target, isOpening, kind, words) {
  const since = Math.max(sentAt(target), changedAt(target));
  const isLate = since && Date.now() - since > LATE[kind] * 1000;
  return {
    isMoving: true,
    isLate,
    word: t(isLate ? `${isOpening ? words[0] : words[1]}Late` : isOpening ? words[0] : words[1]),
  };
}

function cover(thing, isDoor) {
  const at = own(thing, C.position),
    target = thing.service.chars[C.positionTarget],
    to = value(target),
    state = own(thing, C.positionState);
  if (own(thing, C.obstruction)) {
    return { word: t("v.blocked"), attention: { level: 1, text: t("v.blocked") }, disc: "warn", isOn: true };
  }
  if (at === undefined) return UNKNOWN;
  const isMoving = to !== undefined && to !== at &&
    (state === 0 || state === 1 || isSending(target) || Date.now() - sentAt(target) < 120_000);
  const disc = isDoor ? "warn" : "air";
  if (isMoving) {
    return {
      ...movement(thing, target, to > at, "cover", ["s.opening", "s.closing"]),
      isOn: at > 0,
      disc,
      isOpening: to > at,
    };
  }
  const attention =
    isDoor && thing.type === "81" && at > 0 && Date.now() - changedAt(thing.service.chars[C.position]) > 600_000
      ? { level: 2, text: t("v.open") }
      : undefined;
  return {
    isOn: at > 0,
    disc,
    attention,
    isOpen: at > 0,
    word: at === 0 ? t("v.closed") : at === 100 ? t("v.open") : t("s.openAt", { v: percent(at) }),
  };
}

function garage(thing) {
  const now = own(thing, C.doorNow), target = thing.service.chars[C.doorTarget], to = value(target);
  if (own(thing, C.obstruction)) {
    return {
      word: t("v.blocked"),
      isOn: true,
      disc: "alarm",
      attention: { level: 0, text: t("v.blocked") },
      isOpen: now !== 1,
    };
  }
  if (now === undefined) return UNKNOWN;
  if (now === 4) {
    return {
      word: t("v.stopped"),
      isOn: true,
      disc: "alarm",
      isOpen: true,
      attention: { level: 0, text: t("v.stopped") },
    };
  }
  const isOpening = now === 2 || (now === 1 && to === 0), isClosing = now === 3 || (now === 0 && to === 1);
  if (isOpening || isClosing) {
    return {
      ...movement(thing, target, isOpening, "garage", ["s.opening", "s.closing"]),
      isOn: true,
      disc: "warn",
      isOpen: true,
      isOpening,
      icon: "garage-open",
    };
  }
  if (now === 0) {
    return {
      word: t("v.open"),
      isOn: true,
      isOpen: true,
      disc: "warn",
      icon: "garage-open",
      attention: { level: 1, text: t("v.open") },
    };
  }
  return { word: t("v.closed") };
}

function lock(thing) {
  const now = own(thing, C.lockNow), target = thing.service.chars[C.lockTarget], to = value(target);
  if (now === undefined) return { ...UNKNOWN, isUnclear: true };
  if (now === 2) {
    return {
      word: t("v.jammed"),
      isOn: true,
      disc: "alarm",
      isUnclear: true,
      icon: "unlock",
      attention: { level: 0, text: t("v.jammed") },
    };
  }
  if (now === 3) return { word: t("v.notKnown"), isUnclear: true };
  if (to !== undefined && to !== now) {
    return {
      ...movement(thing, target, to === 0, "lock", ["s.unlocking", "s.locking"]),
      isOn: true,
      disc: now === 1 ? "safe" : "warn",
      icon: now === 1 ? "lock" : "unlock",
      isLocked: now === 1,
    };
  }
  if (now === 1) return { word: t("v.locked"), isOn: true, disc: "safe", isLocked: true };
  return {
    word: t("v.unlocked"),
    isOn: true,
    disc: "warn",
    icon: "unlock",
    attention: { level: 1, text: t("v.unlocked") },
  };
}

function security(thing) {
  const now = own(thing, C.securityNow), to = own(thing, C.securityTarget);
  if (now === undefined) return UNKNOWN;
  if (now === 4) return { word: t("v.alarm"), isOn: true, disc: "alarm", attention: { level: 0, text: t("v.alarm") } };
  if (to !== undefined && to !== now) {
    return { isMoving: true, isOn: now !== 3, disc: "safe", word: t(to === 3 ? "s.disarming" : "s.arming") };
  }
  return { isOn: now !== 3, disc: "safe", word: valueWord("66", now) };
}

function valve(thing) {
  const active = own(thing, C.active), inUse = own(thing, C.running), rest = own(thing, C.remaining);
  if (own(thing, C.configured) === 0) return { word: t("s.notConfigured") };
  if (active === undefined) return UNKNOWN;
  if (!active) return { word: t("s.off") };
  if (inUse === 0) return { word: t("s.waiting"), isOn: true };
  return { isOn: true, word: rest ? t("s.onLeft", { v: minutes(rest) }) : t("s.on") };
}

function sprinklers(thing) {
  const active = own(thing, C.active);
  if (active === undefined) return UNKNOWN;
  const rest = own(thing, C.remaining);
  if (own(thing, C.running)) {
    return { isOn: true, word: rest ? t("s.wateringLeft", { v: minutes(rest) }) : t("s.watering") };
  }
  if (!active) return { word: t("s.off") };
  return { isOn: true, word: t(own(thing, C.program) === 1 ? "v.scheduled" : "s.on") };
}

function tap(thing) {
  const active = own(thing, C.active);
  return active === undefined ? UNKNOWN : active ? { isOn: true, word: t("s.running") } : { word: t("s.off") };
}

function slats(thing) {
  const now = own(thing, C.slatNow);
  if (now === undefined) return UNKNOWN;
  return {
    isOn: now === 2,
    word: valueWord("AA", now),
    attention: now === 1 ? { level: 2, text: t("v.jammed") } : undefined,
  };
}

function television(thing) {
  const active = own(thing, C.active);
  if (active === undefined) return UNKNOWN;
  if (!active) return { word: t("s.off") };
  const input = own(thing, C.input);
  const source = inputsOf(thing).find((each) => each.id === input);
  return { isOn: true, word: source?.name ?? t("s.on") };
}

/** The inputs of a television that are not hidden. */
export function inputsOf(thing) {
  return thing.parts.filter((part) => part.type === "D9").map((part) => ({
    id: value(part.chars[C.inputID]),
    name: value(part.chars[C.inputName]) ?? part.name,
    isHidden: value(part.chars[C.inputHidden]) === 1,
  })).filter((input) => input.id !== undefined && !input.isHidden);
}

function speaker(thing) {
  if (own(thing, C.mediaNow) !== undefined) {
    return { isOn: own(thing, C.mediaNow) === 0, word: valueWord("E0", own(thing, C.mediaNow)) };
  }
  const mute = own(thing, C.mute), volume = own(thing, C.volume);
  if (mute === undefined && volume === undefined) return UNKNOWN;
  return mute
    ? { word: t("v.muted"), icon: "muted" }
    : { isOn: true, word: volume === undefined ? t("v.soundOn") : percent(volume) };
}

function camera(thing) {
  const on = any(thing, C.cameraOn);
  if (on === undefined) return { isOn: true, word: t("s.noPicture") };
  return on ? { isOn: true, word: t("s.on") } : { word: t("s.off"), attention: { level: 3, text: t("a.cameraOff") } };
}

function button(thing) {
  const press = thing.service.chars[C.press];
  const at = heardAt(press), last = known(press);
  if (!at || last === undefined || last === null) return { word: t("s.ready") };
  return { word: t("s.pressedAt", { what: valueWord("73", last), time: clockTime(new Date(at)) }) };
}

function doorbell(thing) {
  const at = heardAt(thing.service.chars[C.press]);
  return at
    ? { isOn: Date.now() - at < 30_000, disc: "warn", word: t("s.rangAt", { time: clockTime(new Date(at)) }) }
    : { word: t("s.noRing") };
}

function router(thing) {
  const ready = own(thing, C.routerStatus) ?? own(thing, C.satelliteStatus);
  return ready === undefined ? UNKNOWN : { word: valueWord(thing.type === "20A" ? "20E" : "21E", ready) };
}

/** A sensor whose value is a state; `alarmAt` is the value that needs a person. */
function sensing(type, onValue, { level, disc = "water" } = {}) {
  return (thing) => {
    const now = own(thing, type);
    if (now === undefined) return UNKNOWN;
    const isOn = Number(now) === onValue;
    const word = valueWord(type, now);
    return {
      isOn,
      word,
      disc: isOn && level === 0 ? "alarm" : disc,
      attention: isOn && level !== undefined ? { level, text: word } : undefined,
    };
  };
}

function measuring(type) {
  return (thing) => {
    const now = own(thing, type);
    return now === undefined ? UNKNOWN : { word: valueWord(type, now), isReading: true };
  };
}

function contact(thing) {
  const now = own(thing, C.contact);
  if (now === undefined) return UNKNOWN;
  const open = { 41: "garage-open", "8B": "window-open" }[thing.type] ?? "door-open";
  return now === 0
    ? { word: t("v.closed") }
    : { isOn: true, word: t("v.open"), disc: "warn", icon: open, isOpen: true };
}

function carbonMonoxide(thing) {
  const level = own(thing, C.carbonMonoxideLevel);
  const base = sensing(C.carbonMonoxide, 1, { level: 0 })(thing);
  return level === undefined || base.isUnknown
    ? base
    : { ...base, word: t("s.two", { a: base.word, b: valueWord("90", level) }) };
}

function carbonDioxide(thing) {
  const level = own(thing, C.carbonDioxideLevel);
  const base = sensing(C.carbonDioxide, 1, { level: 2, disc: "warn" })(thing);
  return level === undefined || base.isUnknown
    ? base
    : { ...base, word: t("s.two", { a: base.word, b: valueWord("93", level) }) };
}

function airQuality(thing) {
  const now = own(thing, C.airQuality);
  if (now === undefined) return UNKNOWN;
  return {
    isOn: now >= 4,
    disc: "warn",
    word: valueWord("95", now),
    attention: now >= 4 ? { level: 2, text: valueWord("95", now) } : undefined,
  };
}

function custom(thing) {
  for (const each of Object.values(thing.service.chars)) {
    const now = each.type === "23" ? undefined : value(each);
    if (now !== undefined) return { word: valueWord(each.type, now, each), isReading: true };
  }
  return { word: t("s.none") };
}

// MARK: The table

/**
 * `main` is the characteristic that a tap switches; kinds without one open their detail. `guard` names the dangerous
 * acts.
 */
export const TYPES = {
  43: { kind: "light", icon: "lamp", disc: "light", group: "lights", now: light, main: C.on },
  49: { kind: "switch", icon: "power", disc: "light", group: "other", now: power, main: C.on },
  47: { kind: "outlet", icon: "plug", disc: "light", group: "other", now: power, main: C.on },
  40: { kind: "fan", icon: "fan", disc: "air", group: "climate", now: fan, main: C.on },
  B7: { kind: "fan", icon: "fan", disc: "air", group: "climate", now: fan, main: C.active },
  "4A": { kind: "thermostat", icon: "thermometer", disc: "heat", group: "climate", now: thermostat, isWide: true },
  BC: {
    kind: "airConditioner",
    icon: "snowflake",
    disc: "cool",
    group: "climate",
    now: airConditioner,
    main: C.active,
    isWide: true,
  },
  BD: { kind: "humidifier", icon: "drop", disc: "water", group: "climate", now: humidifier, main: C.active },
  BB: { kind: "airPurifier", icon: "air", disc: "air", group: "climate", now: purifier, main: C.active },
  "8C": {
    kind: "blinds",
    icon: "blinds",
    disc: "air",
    group: "doors",
    now: (thing) => cover(thing, false),
    isCover: true,
  },
  "8B": {
    kind: "window",
    icon: "window",
    disc: "warn",
    group: "doors",
    now: (thing) => cover(thing, true),
    isCover: true,
    guard: "open",
  },
  81: {
    kind: "door",
    icon: "door",
    disc: "warn",
    group: "doors",
    now: (thing) => cover(thing, true),
    isCover: true,
    guard: "both",
  },
  41: { kind: "garageDoor", icon: "garage", disc: "warn", group: "doors", now: garage, guard: "open" },
  45: { kind: "lock", icon: "lock", disc: "safe", group: "doors", now: lock, guard: "unlock" },
  "7E": { kind: "securitySystem", icon: "shield", disc: "safe", group: "security", now: security, guard: "disarm" },
  D0: { kind: "valve", icon: "valve", disc: "water", group: "water", now: valve, main: C.active, folds: true },
  CF: { kind: "sprinklers", icon: "sprinkler", disc: "water", group: "water", now: sprinklers, main: C.active },
  D7: { kind: "tap", icon: "tap", disc: "water", group: "water", now: tap, main: C.active },
  B9: { kind: "slats", icon: "slats", disc: "air", group: "climate", now: slats, folds: true },
  D8: { kind: "television", icon: "tv", disc: "media", group: "media", now: television, main: C.active, isWide: true },
  228: { kind: "speaker", icon: "speaker", disc: "media", group: "media", now: speaker, isMedia: true },
  113: {
    kind: "speaker",
    icon: "speaker",
    disc: "media",
    group: "media",
    now: speaker,
    folds: true,
    isSecondary: true,
    isMute: true,
  },
  110: { kind: "camera", icon: "camera", disc: "media", group: "security", now: camera, isWide: true, isOnce: true },
  121: { kind: "doorbell", icon: "bell", disc: "warn", group: "security", now: doorbell },
  89: { kind: "button", icon: "button", disc: "air", group: "other", now: button },
  88: {
    kind: "button",
    icon: "button",
    disc: "air",
    group: "other",
    now: (thing) => ({ word: valueWord("74", own(thing, C.output)) }),
  },
  "8A": {
    kind: "temperatureSensor",
    icon: "thermometer",
    disc: "air",
    group: "climate",
    now: measuring(C.temperature),
    isSensor: true,
  },
  82: {
    kind: "humiditySensor",
    icon: "drop",
    disc: "water",
    group: "climate",
    now: measuring(C.humidity),
    isSensor: true,
  },
  84: {
    kind: "lightSensor",
    icon: "light-level",
    disc: "light",
    group: "security",
    now: measuring(C.light),
    isSensor: true,
  },
  85: {
    kind: "motionSensor",
    icon: "motion",
    disc: "air",
    group: "security",
    now: sensing(C.motion, 1, { disc: "air" }),
    isSensor: true,
  },
  86: {
    kind: "presenceSensor",
    icon: "presence",
    disc: "air",
    group: "security",
    now: sensing(C.presence, 1, { disc: "air" }),
    isSensor: true,
  },
  80: { kind: "contactSensor", icon: "door", disc: "warn", group: "doors", now: contact, isSensor: true },
  83: {
    kind: "leakSensor",
    icon: "leak",
    disc: "water",
    group: "water",
    now: sensing(C.leak, 1, { level: 0 }),
    isSensor: true,
  },
  87: {
    kind: "smokeSensor",
    icon: "smoke",
    disc: "air",
    group: "security",
    now: sensing(C.smoke, 1, { level: 0 }),
    isSensor: true,
  },
  "7F": {
    kind: "carbonMonoxideSensor",
    icon: "smoke",
    disc: "air",
    group: "security",
    now: carbonMonoxide,
    isSensor: true,
  },
  97: { kind: "carbonDioxideSensor", icon: "air", disc: "air", group: "climate", now: carbonDioxide, isSensor: true },
  "8D": { kind: "airQualitySensor", icon: "air", disc: "air", group: "climate", now: airQuality, isSensor: true },
  "20A": { kind: "router", icon: "router", disc: "air", group: "other", now: router },
  "20F": { kind: "router", icon: "router", disc: "air", group: "other", now: router },
};

const CUSTOM = { kind: "other", icon: "box", disc: "media", group: "other", now: custom };
export const GROUPS = ["lights", "climate", "doors", "security", "water", "media", "other"];

/**
 * Whether people use a service of the type by itself. Types of Apple that are not in the table work in the background.
 */
export function isTile(type) {
  return type in TYPES || type.length > 8;
}

/** The entry of a thing: of the type that a person said it switches, while its own service gives the controls. */
export function typeOf(thing) {
  const base = TYPES[thing.service.type] ?? CUSTOM;
  if (thing.type === thing.service.type) return base;
  const associated = TYPES[shortType(thing.type)];
  return associated
    ? { ...base, kind: associated.kind, icon: associated.icon, disc: associated.disc, group: associated.group }
    : base;
}

/** “00000043-0000-1000-8000-0026BB765291” is “43”. */
export function shortType(type) {
  const match = /^0*([0-9A-F]+)-0000-1000-8000-0026BB765291$/i.exec(type);
  return match ? match[1].toUpperCase() : type;
}

export function kindName(thing) {
  return t(`k.${typeOf(thing).kind}`);
}

/** The short word for why an accessory is out of reach; `null` if it is within reach. */
export function troubleOf(thing) {
  const { accessory } = thing;
  if (accessory.isBlocked) return { key: "blocked", reach: reachOf(accessory.id) };
  if (accessory.isAbsent) return { key: "missingOnBridge" };
  const reach = reachOf(accessory.id);
  if (!reach || reach.isReachable) return null;
  return { key: TROUBLES[reach.trouble] ?? TROUBLES[reach.code] ?? "noAnswer", reach };
}

const TROUBLES = {
  connecting: "connecting",
  reconnecting: "connecting",
  configurationDiffers: "connecting",
  deviceUnreachable: "outOfRange",
  missingOnBridge: "missingOnBridge",
  wasReset: "wasReset",
  pairingForgotten: "wasReset",
  pairingRefused: "wasReset",
  noPairing: "wasReset",
  identityChanged: "notTrusted",
  otherAccessory: "notTrusted",
  unverified: "notTrusted",
  duplicateID: "notTrusted",
  impostor: "notTrusted",
  blocked: "blocked",
  accessoryBlocked: "blocked",
  busy: "busy",
  httpError: "faulty",
  protocolViolation: "faulty",
  unreadableDatabase: "faulty",
  readFailed: "faulty",
  faultReported: "faulty",
};

/** All that a tile shows of a thing now. */
export function now(thing) {
  const type = typeOf(thing);
  const state = { icon: type.icon, disc: type.disc, ...type.now(thing) };
  if (state.isUnknown) state.word = t("s.none");
  const trouble = troubleOf(thing);
  if (trouble) {
    return {
      ...state,
      word: t(`trouble.${trouble.key}`),
      isOn: false,
      isMoving: false,
      trouble,
      attention: troubleAttention(trouble),
    };
  }
  if (!state.attention) state.attention = statusAttention(thing);
  if (type.isSensor && value(charOf(thing, C.statusActive)) === false) state.word = t("v.notMeasuring");
  return state;
}

function troubleAttention(trouble) {
  if (trouble.key === "connecting") return undefined;
  if (["wasReset", "notTrusted"].includes(trouble.key)) return { level: 2, text: t(`trouble.${trouble.key}`) };
  return { level: 4, text: t(`trouble.${trouble.key}`) };
}

function statusAttention(thing) {
  if (any(thing, C.tampered) === 1) return { level: 0, text: t("v.tampered") };
  if (any(thing, C.fault) === 1) return { level: 2, text: t("v.faulty") };
  if (any(thing, C.lowBattery) === 1) {
    const level = any(thing, C.battery);
    return { level: 3, text: level === undefined ? t("v.batteryLow") : t("a.battery", { v: percent(level) }) };
  }
  if (any(thing, C.filter) === 1) return { level: 3, text: t("v.filterChange") };
  return undefined;
}

// MARK: The main control

/** What a tap does: `{writes, guard?, on?}`, or `null` to open the detail. `guard` names what is asked first. */
export function mainControl(thing) {
  const type = typeOf(thing);
  const { chars } = thing.service;
  const state = now(thing);
  if (state.trouble) return null;
  if (type.kind === "lock" && chars[C.lockTarget]) {
    if (state.isUnclear) return null;
    const target = value(chars[C.lockTarget]);
    return lockTo(thing, target === 1 ? 0 : 1);
  }
  if (chars[C.doorTarget]) {
    if (state.isUnknown) return null;
    return doorTo(thing, value(chars[C.doorTarget]) === 1 ? 0 : 1);
  }
  if (type.isCover && chars[C.positionTarget]) {
    if (state.isUnknown) return null;
    if (state.isMoving) {
      if (chars[C.hold]) return { writes: [{ characteristic: chars[C.hold], value: true }] };
      return coverTo(thing, state.isOpening ? 0 : 100);
    }
    return coverTo(thing, state.isOpen ? 0 : 100);
  }
  if (type.isMedia && chars[C.mediaTarget]) {
    return { writes: [{ characteristic: chars[C.mediaTarget], value: value(chars[C.mediaNow]) === 0 ? 1 : 0 }] };
  }
  if (type.isMute && chars[C.mute]) {
    return { writes: [{ characteristic: chars[C.mute], value: !value(chars[C.mute]) }] };
  }
  const main = chars[TYPES[thing.service.type]?.main];
  if (!main?.permissions.includes("pw")) return null;
  return switchTo(thing, !value(main));
}

export const lockTo = (thing, target) => ({
  writes: [{ characteristic: thing.service.chars[C.lockTarget], value: target }],
  guard: target === 0 ? "unlock" : null,
});
export const doorTo = (thing, target) => ({
  writes: [{ characteristic: thing.service.chars[C.doorTarget], value: target }],
  guard: target === 0 ? "open" : null,
});
export function coverTo(thing, target) {
  const { guard } = typeOf(thing);
  const isOpening = target > (value(thing.service.chars[C.position]) ?? 0);
  return {
    writes: [{ characteristic: thing.service.chars[C.positionTarget], value: target }],
    guard: guard === "both" ? (isOpening ? "open" : "close") : guard === "open" && isOpening ? "open" : null,
  };
}

export function switchTo(thing, on) {
  const main = thing.service.chars[TYPES[thing.service.type]?.main];
  const isPlainValve = thing.service.type === "D0" && (own(thing, C.valveType) ?? 0) === 0 && !own(thing, C.duration);
  const target = main.meta.format === "bool" ? on : on ? 1 : 0;
  return {
    on,
    writes: [{ characteristic: main, value: target }],
    guard: (on && isPlainValve) || asksFirst(thing) ? (on ? "turnOn" : "turnOff") : null,
  };
}

/** Whether people of the home asked to be asked first. */
export const asksFirst = (thing) =>
  thing.home.get(thing.accessory.id)?.servicesAskingFirst?.includes(thing.service.iid) ?? false;

/** Whether a write to the characteristic makes a home less safe: it asks first, whatever button starts it. */
export function isDangerous(type, target) {
  return (type === C.lockTarget && target === 0) || (type === C.doorTarget && target === 0) ||
    (type === C.securityTarget && target === 3);
}

/** Whether the thing takes part when all lights, or all of a room, are switched: nothing dangerous ever does. */
export function isSwitchable(thing) {
  return !asksFirst(thing) && TYPES[thing.service.type]?.main === C.on &&
    thing.service.chars[C.on]?.permissions.includes("pw");
}
export const isLight = (thing) => typeOf(thing).kind === "light" && isSwitchable(thing);
export const isOn = (thing) => Boolean(now(thing).isOn);

/** The category of an accessory that is not in a home yet: the icon and the word of its kind. */
const CATEGORIES = {
  2: ["bridge", "bridge"],
  3: ["fan", "fan"],
  4: ["garage", "garageDoor"],
  5: ["lamp", "light"],
  6: ["lock", "lock"],
  7: ["plug", "outlet"],
  8: ["power", "switch"],
  9: ["thermometer", "thermostat"],
  10: ["motion", "sensor"],
  11: ["shield", "securitySystem"],
  12: ["door", "door"],
  13: ["window", "window"],
  14: ["blinds", "blinds"],
  15: ["button", "button"],
  17: ["camera", "camera"],
  18: ["bell", "doorbell"],
  19: ["air", "airPurifier"],
  20: ["flame", "airConditioner"],
  21: ["snowflake", "airConditioner"],
  22: ["drop", "humidifier"],
  23: ["drop", "humidifier"],
  26: ["speaker", "speaker"],
  28: ["sprinkler", "sprinklers"],
  29: ["tap", "tap"],
  30: ["tap", "tap"],
  31: ["tv", "television"],
  33: ["router", "router"],
};
export function category(number) {
  const [name, kind] = CATEGORIES[number] ?? ["box", "other"];
  return { icon: name, word: has(`k.${kind}`) ? t(`k.${kind}`) : t("k.other") };
}
