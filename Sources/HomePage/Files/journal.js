// What happened, and why: entries of the hub's journal in people's words.

import { has, hubDate, moment, t } from "./words.js";
import { charName, valueWord } from "./chars.js";
import { eventText, outcomeText } from "./sentence.js";
import { hub } from "./actions.js";

/** The text and the cause of an entry. Names are those of its time. */
export function entryText(entry, home) {
  const { content } = entry;
  if (content.value) return [valueText(content.value), causeText(entry, home)];
  if (content.failedWrite) {
    return [t("log.failed", { text: valueText(content.failedWrite.write) }), failureReason(content.failedWrite.error)];
  }
  if (content.trigger) {
    const { trigger, outcome, observations, event } = content.trigger;
    if (outcome === "fired") return [t("log.fired", { name: trigger.name }), event ? eventText(home, event) : ""];
    return [
      t(outcome === "ended" ? "log.ended" : "log.notRun", { name: trigger.name }),
      outcome === "ended" ? "" : outcomeText(home, outcome, observations),
    ];
  }
  if (content.scene) {
    return [
      t(content.scene.failures ? "log.scenePartly" : "log.scene", {
        name: content.scene.scene.name,
        n: content.scene.failures,
      }),
      causeText(entry, home),
    ];
  }
  if (content.reachability) {
    return [
      t(content.reachability.isReachable ? "log.back" : "log.lost", { name: content.reachability.accessory.name }),
      content.reachability.reason ?? "",
    ];
  }
  if (content.presence) {
    return [t(content.presence.isHome ? "log.arrived" : "log.left", { name: content.presence.user.name }), ""];
  }
  if (content.change) {
    const names = content.change.objects.map((each) => each.name).filter(Boolean);
    const key = `verb.${content.change.verb}`;
    return [t(has(key) ? key : "verb.other", { name: names[0] ?? "", other: names[1] ?? "" }), causeText(entry, home)];
  }
  return [t("ev.unknown"), ""];
}

function valueText({ accessory, service, type, value }) {
  const name = service || accessory.name;
  if (["25", "B0"].includes(type) || SINGLE.has(type)) return t("log.state", { name, v: valueWord(type, value) });
  return t("log.value", { name, what: charName(type), v: valueWord(type, value) });
}

/** Types whose word says enough without the name of the property. */
const SINGLE = new Set(
  ["F", "AF", "B1", "B3", "A9", "1D", "1E", "E", "32", "22", "71", "6A", "70", "76", "69", "66", "67", "73"],
);

const failureReason = (error) => (error.code && has(`e.${error.code}`) ? t(`e.${error.code}`) : error.message ?? "");

/** Seconds within which an accessory's own report says only what was asked of it. */
const ECHO = 120;

/**
 * Entries, the newest first, without those that say the same again: a lock that was asked to lock reports that it is
 * locked.
 */
export function withoutEchoes(entries) {
  const last = new Map();
  const kept = [...entries].reverse().filter((entry) => {
    if (!entry.content.value) return true;
    const { accessory, service } = entry.content.value;
    const about = `${accessory.id} ${service ?? ""}`, text = valueText(entry.content.value);
    const former = last.get(about);
    const isEcho = entry.cause.kind === "accessory" && former?.text === text && entry.time - former.time < ECHO;
    last.set(about, { text, time: entry.time });
    return !isEcho;
  });
  return kept.reverse();
}

let followed = { stream: null, done: Promise.resolve() };

/** Lets the hub tell what happens, once for each stream. Wait for it before you ask for a list, to miss nothing. */
export function followJournal() {
  if (followed.stream !== hub.stream) {
    const mine = (followed = { stream: hub.stream });
    mine.done = hub.request("journal.follow").catch((error) => {
      mine.stream = null;
      throw error;
    });
  }
  return followed.done;
}

/** A list of entries, after those that the hub told meanwhile, which may be in it too. */
export function joined(told, listed) {
  const known = new Set(told.map((entry) => entry.id));
  return [...told, ...listed.filter((entry) => !known.has(entry.id))];
}

/** Who or what did it. */
function causeText(entry, home) {
  const { kind, subject } = entry.cause;
  const names = new Map((entry.names ?? []).map((each) => [each.id, each.name]));
  if (kind === "scene") return t("by.scene", { name: names.get(subject) ?? home?.scene(subject)?.name ?? "" });
  if (kind === "trigger") return t("by.automation", { name: names.get(subject) ?? home?.get(subject)?.name ?? "" });
  if (kind === "accessory") return t("by.device");
  if (kind === "hub") return t("by.hub");
  if (entry.person) {
    const device = entry.way === "away" ? t("by.awayDevice", { device: entry.device }) : entry.device;
    const name = device ? t("by.onDevice", { name: entry.person, device }) : entry.person;
    return entry.app && !["hearth", "hearth.page", "browser", "dev"].includes(entry.app)
      ? t("by.personApp", { name, app: entry.app })
      : t("by.person", { name });
  }
  return entry.app ? t("by.app", { app: entry.app }) : "";
}

/** Why something is as it is: the entry, then its causes, each caused by the next. */
export function explain(entries, home) {
  const [text] = entryText(entries[0], home);
  const causes = entries.slice(1).map((entry) => entryText(entry, home));
  const last = causes.at(-1);
  const reason = causes.length
    ? causes.map(([what, why]) => (why && what !== why ? t("why.step", { what, why }) : what))
    : [causeText(entries[0], home)];
  const line = t("why.because", {
    what: text,
    why: reason.filter(Boolean).join(" · ") || (last?.[1] ?? t("by.device")),
  });
  return [line, moment(hubDate(entries[0].time))];
}
