// The frame of the page's texts: for each language what the first page needs and the rest, plural forms, numbers, dates
// and lists by the browser's own tables.

const LANGUAGE = "hearth.language";
const UNITS = "hearth.units";
/** The languages that the page speaks, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", "zh-Hans": "简体中文", ja: "日本語", ru: "Русский" };

/** Made-up languages find what was forgotten; nobody is offered them. */
const MADE_UP = new Set(["ar-XB", "en-XA"]);

let texts = {};
let language = "en";
let locale = "en";
let plurals, numbers = new Map();

/** The language of the page: this device's choice, else the first of the browser's that the page speaks. */
export function wantedLanguage() {
  const chosen = localStorage.getItem(LANGUAGE);
  if (chosen && (chosen in LANGUAGES || MADE_UP.has(chosen))) return chosen;
  for (const each of navigator.languages ?? ["en"]) {
    if (/^zh/i.test(each)) {
      if (!/TW|HK|MO|Hant/i.test(each)) return "zh-Hans";
      continue;
    }
    const base = each.split("-")[0];
    if (base in LANGUAGES) return base;
  }
  return "en";
}

let rest = null;

export async function loadLanguage(wanted = wantedLanguage()) {
  try {
    texts = (await import(`./words-${wanted}.js`)).default;
    language = wanted;
  } catch {
    texts = (await import("./words-en.js")).default;
    language = "en";
  }
  rest = null;
  // The browser's own region decides how numbers and times look, if it is of the same language.
  locale = (navigator.languages ?? []).find((each) => each.split("-")[0] === language.split("-")[0]) ?? language;
  const real = MADE_UP.has(language) ? "en" : language;
  if (MADE_UP.has(language)) locale = "en";
  plurals = new Intl.PluralRules(real);
  numbers = new Map();
  document.documentElement.lang = real;
  document.documentElement.dir = language === "ar-XB" ? "rtl" : "ltr";
}

/** Loads the texts that the first page does not need. */
export function loadRest() {
  return (rest ??= (async () => {
    const wanted = language;
    const more = MADE_UP.has(wanted)
      ? (await import(`./words-${wanted}.js`)).made((await import("./words-en-more.js")).default)
      : (await import(`./words-${wanted}-more.js`)).default;
    if (wanted === language) texts = { ...texts, ...more };
  })().catch((error) => {
    rest = null;
    throw error;
  }));
}

export function chooseLanguage(value) {
  if (value) localStorage.setItem(LANGUAGE, value);
  else localStorage.removeItem(LANGUAGE);
}

export function currentLanguage() {
  return language;
}

/** The text of a key with its placeholders filled. `n` selects the plural form. */
export function t(key, values = {}) {
  let text = texts[key] ?? key;
  if (typeof text === "object") text = text[plurals.select(Number(values.n ?? 0))] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, part) => {
    const value = values[part];
    return typeof value === "number" ? number(value) : (value ?? "");
  });
}

/** Whether there is a text for the key. */
export function has(key) {
  return key in texts;
}

export function number(value, digits = 0, options = {}) {
  const key = `${digits}${JSON.stringify(options)}`;
  if (!numbers.has(key)) numbers.set(key, new Intl.NumberFormat(locale, { maximumFractionDigits: digits, ...options }));
  return numbers.get(key).format(value);
}

/** Numbers with units run from left to right, whatever is around them. */
function isolated(text) {
  return document.documentElement.dir === "rtl" ? `\u2066${text}\u2069` : text;
}

export function percent(value) {
  return isolated(number(Math.round(value) / 100, 0, { style: "percent" }));
}

export function usesFahrenheit() {
  const chosen = localStorage.getItem(UNITS);
  if (chosen) return chosen === "f";
  return /-(US|LR|MM|BS|BZ|KY|PW)\b/.test(navigator.language ?? "");
}

export function chooseUnits(value) {
  localStorage.setItem(UNITS, value);
}

/** A temperature that is in °C, in the person's unit: converted first, rounded last. Tenths only where asked for. */
export function temperature(celsius, tenths = false, withUnit = true) {
  const inFahrenheit = usesFahrenheit();
  const value = inFahrenheit ? (celsius * 9) / 5 + 32 : celsius;
  const digits = tenths && !inFahrenheit ? 1 : 0;
  const shown = number(rounded(value, digits), digits);
  return isolated(withUnit ? `${shown} ${inFahrenheit ? "°F" : "°C"}` : `${shown}°`);
}

/** Rounds in decimal arithmetic: 21.200000000000003 is 21.2. */
export function rounded(value, digits) {
  return Number(Number(value).toFixed(digits));
}

export function lux(value) {
  if (value <= 0.0001) return t("unit.lx", { v: "0" });
  if (value < 10) return t("unit.lx", { v: number(rounded(value, 1), 1) });
  if (value < 1000) return t("unit.lx", { v: number(Math.round(value)) });
  return t("unit.lx", { v: number(Number(value.toPrecision(2))) });
}

/** A list such as “Ann, Ben and Cleo”; of more than three names, “Ann, Ben and 2 more”. */
export function list(names) {
  const shown = names.length > 3 ? [...names.slice(0, 2), t("more.n", { n: names.length - 2 })] : names;
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(shown);
}

/** A list of parts without “and”: “On, Brightness 60%”. */
export function unjoined(parts) {
  return new Intl.ListFormat(locale, { type: "unit", style: "short" }).format(parts);
}

export function clockTime(date) {
  return isolated(new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }).format(date));
}

export function weekdayName(day, style = "long") {
  return new Intl.DateTimeFormat(locale, { weekday: style }).format(new Date(2023, 0, day));
}

export function monthDay(month, day) {
  return new Intl.DateTimeFormat(locale, { month: "long", day: "numeric" }).format(new Date(2024, month - 1, day));
}

/** The first day of the person's week: 1 is Sunday. */
export function firstWeekday() {
  try {
    const info = new Intl.Locale(locale);
    return ((info.getWeekInfo?.() ?? info.weekInfo).firstDay % 7) + 1;
  } catch {
    return 2;
  }
}

function dayStart(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

/** “Today”, “Yesterday”, or the date. */
export function dayName(date, now = new Date()) {
  const days = Math.round((dayStart(now) - dayStart(date)) / 86_400_000);
  if (days === 0) return t("day.today");
  if (days === 1) return t("day.yesterday");
  if (days === -1) return t("day.tomorrow");
  const options = { weekday: "long", day: "numeric", month: "long" };
  if (date.getFullYear() !== now.getFullYear()) options.year = "numeric";
  return new Intl.DateTimeFormat(locale, options).format(date);
}

/** “Saturday, 22 November”. */
export function longDate(date) {
  return new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" }).format(date);
}

/** A moment that stands alone: the time today, else the day and the time. */
export function moment(date, now = new Date()) {
  if (dayStart(date).getTime() === dayStart(now).getTime()) return clockTime(date);
  return t("day.at", { day: dayName(date, now), time: clockTime(date) });
}

/** A moment in a sentence, in which “tomorrow” has no capital. */
export function momentWithin(date, now = new Date()) {
  const days = Math.round((dayStart(date) - dayStart(now)) / 86_400_000);
  if (Math.abs(days) !== 1) return moment(date, now);
  const day = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  return t("day.at", { day, time: clockTime(date) });
}

export function minutes(seconds) {
  if (seconds < 60) return t("unit.s", { v: number(Math.round(seconds)) });
  if (seconds < 5400) return t("unit.min", { v: number(Math.round(seconds / 60)) });
  if (seconds < 172_800) return t("unit.h", { v: number(rounded(seconds / 3600, 1), 1) });
  return t("unit.d", { v: number(Math.round(seconds / 86_400)) });
}

/** The hub's own times are in seconds since 2001. */
export function hubDate(seconds) {
  return new Date((seconds + 978_307_200) * 1000);
}
export function hubSeconds(date) {
  return date.getTime() / 1000 - 978_307_200;
}
