// Automations as sentences: whole templates of the language, filled with names and values, and never glued.

import {
  clockTime,
  firstWeekday,
  hubDate,
  list,
  minutes,
  momentWithin,
  monthDay,
  number,
  t,
  weekdayName,
} from "./words.js";
import { resolve } from "./model.js";
import { charName, valueWord } from "./chars.js";

/** The name by which a sentence calls a characteristic's thing. */
export function subjectOf(home, identity) {
  const found = resolve(home, identity);
  return found
    ? { ...found, name: found.thing?.name ?? found.accessory.name }
    : { name: home.get(identity.accessory)?.name ?? t("gone.thing") };
}

const shown = (identity, value, found) => valueWord(identity.type, value, found.characteristic);

/** A time of day, a day, or both. */
export function momentText(at) {
  const time = at.hour === undefined ? null : clockTime(new Date(2024, 0, 1, at.hour, at.minute ?? 0));
  if (at.month && at.day) {
    return time ? t("ev.dateAt", { day: monthDay(at.month, at.day), time }) : monthDay(at.month, at.day);
  }
  if (at.day) return t("ev.monthly", { day: number(at.day), time: time ?? "" });
  if (at.weekday) return t("ev.weekdayAt", { day: weekdayName(at.weekday), time: time ?? "" });
  return time ?? t("ev.everyHour", { minute: number(at.minute ?? 0) });
}

export function sunText({ event, offset = 0 }) {
  const minutesOff = minutes(Math.abs(offset) * 60);
  if (!offset) return t(`ev.${event}`);
  return t(`ev.${event}.${offset < 0 ? "before" : "after"}`, { v: minutesOff });
}

function peopleText(home, people) {
  if (people === "everyone" || people === "caller") return null;
  return list((people ?? []).map((id) => home.get(id)?.name ?? t("someone")));
}

/** What an event says after “When”. */
export function eventText(home, event) {
  if (event.characteristic) {
    const { characteristic: identity, value } = event.characteristic;
    const found = subjectOf(home, identity);
    if (value === undefined || value === null) {
      return t("ev.changes", { name: found.name, what: charName(identity.type, found.characteristic) });
    }
    return t("ev.becomes", { name: found.name, word: shown(identity, value, found) });
  }
  if (event.threshold) {
    const { characteristic: identity, range } = event.threshold;
    const found = subjectOf(home, identity);
    const a = range.minimum === undefined ? null : shown(identity, range.minimum, found),
      b = range.maximum === undefined ? null : shown(identity, range.maximum, found);
    if (a && b) return t("ev.between", { name: found.name, a, b });
    return a ? t("ev.above", { name: found.name, v: a }) : t("ev.below", { name: found.name, v: b });
  }
  if (event.sun) return t("ev.at", { time: sunText(event.sun) });
  if (event.calendar) return t("ev.at", { time: momentText(event.calendar) });
  if (event.presence) {
    const names = peopleText(home, event.presence.people);
    if (!names) return t(`ev.${event.presence.kind}`);
    return t(event.presence.kind.endsWith("Entry") ? "ev.arrives" : "ev.leaves", { names });
  }
  if (event.location) return t(event.location.onEntry ? "ev.enters" : "ev.exits");
  if (event.hiddenLocation) return t("ev.place");
  if (event.duration) return t("ev.duration", { v: minutes(event.duration) });
  return t("ev.unknown");
}

/** One term of a condition. */
export function conditionText(home, term) {
  if (!term) return "";
  if (term.all) return join(term.all.map((each) => partText(home, each)), "if.and");
  if (term.any) return join(term.any.map((each) => partText(home, each)), "if.or");
  if (term.not) return t("if.not", { text: partText(home, term.not) });
  if (term.characteristic) {
    const { characteristic: identity, is, value } = term.characteristic;
    const found = subjectOf(home, identity);
    return t(`if.${is}`, { name: found.name, v: shown(identity, value, found) });
  }
  if (term.betweenSun) {
    const { from, to } = term.betweenSun;
    if (from.event === "sunset" && to.event === "sunrise" && !from.offset && !to.offset) return t("if.dark");
    if (from.event === "sunrise" && to.event === "sunset" && !from.offset && !to.offset) return t("if.light");
    return t("if.between", { a: sunText(from), b: sunText(to) });
  }
  if (term.sun) return t(`if.${term.sun.side}`, { v: sunText(term.sun.moment) });
  if (term.calendar) return t(`if.${term.calendar.side}`, { v: momentText(term.calendar.moment) });
  if (term.betweenCalendar) {
    return t("if.between", { a: momentText(term.betweenCalendar.from), b: momentText(term.betweenCalendar.to) });
  }
  if (term.presence) {
    const names = peopleText(home, term.presence.people);
    const isHome = term.presence.kind.endsWith("Entry");
    return names ? t(isHome ? "if.isHome" : "if.isAway", { names }) : t(isHome ? "if.someone" : "if.nobody");
  }
  return t("ev.unknown");
}

/** A term within another one; of several terms, it must be told which belong together. */
function partText(home, term) {
  const text = conditionText(home, term);
  return (term.all ?? term.any)?.length > 1 ? t("if.group", { text }) : text;
}

/** “It is dark”, and “it is light”, as the hub stores them. */
export const DARK = { betweenSun: { from: { event: "sunset", offset: 0 }, to: { event: "sunrise", offset: 0 } } };
export const LIGHT = { betweenSun: { from: { event: "sunrise", offset: 0 }, to: { event: "sunset", offset: 0 } } };

function join(texts, key) {
  return texts.reduce((a, b) => t(key, { a, b }));
}

export function daysText(days) {
  const sorted = [...days].sort((a, b) => ((a - firstWeekday() + 7) % 7) - ((b - firstWeekday() + 7) % 7));
  const key = sorted.slice().sort().join("");
  if (key === "23456") return t("days.work");
  if (key === "17") return t("days.weekend");
  return t("days.on", {
    days: new Intl.ListFormat(document.documentElement.lang).format(sorted.map((day) => weekdayName(day))),
  });
}

export function timerText(timer) {
  const start = momentWithin(new Date(timer.fireDate));
  if (!timer.recurrence) return t("timer.once", { time: start });
  const { weeks = 0, days = 0, hours = 0, minutes: each = 0 } = timer.recurrence;
  const seconds = ((weeks * 7 + days) * 24 + hours) * 3600 + each * 60;
  return t("timer.every", { v: minutes(seconds), time: start });
}

/** What the scenes and own actions of an automation do. */
export function thenTexts(home, actionSets) {
  return actionSets.flatMap((id) => {
    const set = home.scene(id);
    if (!set) return [];
    if (set.type !== "triggerOwned") return [t("then.scene", { name: set.name })];
    return set.actions.map((action) => actionText(home, action));
  });
}

export function actionText(home, action) {
  if (!action.write) return t("ev.unknown");
  const { characteristic: identity, value } = action.write;
  const found = subjectOf(home, identity);
  return t("then.set", {
    name: found.name,
    what: charName(identity.type, found.characteristic),
    v: shown(identity, value, found),
  });
}

/** The whole sentence of an automation. */
export function sentence(home, trigger) {
  const then = list(thenTexts(home, trigger.actionSets)) || t("then.nothing");
  const { timer, event } = trigger.definition;
  if (timer) return t("auto.timer", { when: timerText(timer), then });
  if (!event) return t("ev.unknown");
  const when = event.events.map((each) => eventText(home, each)).reduce((a, b) => t("if.or", { a, b }));
  const condition = conditionText(home, simplified(event.condition));
  const days = event.weekdays?.length ? daysText(event.weekdays) : "";
  let text = t(condition ? (days ? "auto.daysIf" : "auto.if") : days ? "auto.days" : "auto.when", {
    when,
    condition,
    days,
    then,
  });
  const end = event.endEvents?.[0];
  if (end) {
    text = t(end.duration ? "auto.for" : "auto.until", {
      text,
      end: eventText(home, end),
      v: end.duration ? minutes(end.duration) : "",
    });
  }
  if (event.executesOnce) text = t("auto.once", { text });
  // A word that ends with a period at the end of a sentence: one period is enough.
  return text.replace(/\.\.(?!\.)/g, ".");
}

/** “Before sunrise or after sunset” is “it is dark”. */
export function simplified(condition) {
  if (!condition) return condition;
  if (condition.all) return { all: condition.all.map(simplified) };
  if (condition.not) return { not: simplified(condition.not) };
  const parts = condition.any?.map((each) => each.sun);
  if (parts?.length === 2 && parts.every(Boolean) && !parts.some((each) => each.moment.offset)) {
    const side = (event) => parts.find((each) => each.moment.event === event)?.side;
    if (side("sunrise") === "before" && side("sunset") === "after") {
      return { betweenSun: { from: { event: "sunset" }, to: { event: "sunrise" } } };
    }
  }
  return condition.any ? { any: condition.any.map(simplified) } : condition;
}

/** Whether a rule asks for the sun, which only a home with a place knows. */
export const asksSun = (rule) => /"(sun|betweenSun)":/.test(JSON.stringify(rule ?? null));

/** Why an automation ran or did not run, with the values that decided it. */
export function outcomeText(home, outcome, observations = []) {
  const wrong = observations.filter((each) => !each.isTrue).map((each) => observationText(home, each));
  if (outcome === "conditionFalse" && wrong.length) return t("out.conditionFalse", { reason: list(wrong) });
  return t(`out.${outcome}`);
}

export function observationText(home, { term, value, moments, present }) {
  const text = conditionText(home, simplified(term));
  if (term.characteristic && value !== undefined) {
    const found = subjectOf(home, term.characteristic.characteristic);
    return t("obs.value", { text, v: shown(term.characteristic.characteristic, value, found) });
  }
  if (moments?.length) return t("obs.moment", { text, v: list(moments.map((each) => momentWithin(hubDate(each)))) });
  if (present) {
    return present.length
      ? t("obs.present", { text, names: list(present.map((id) => home.get(id)?.name ?? t("someone"))) })
      : t("obs.nobody", { text });
  }
  return text;
}
