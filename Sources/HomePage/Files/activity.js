// What happened in the home, the newest first, with the reason of each.

import { noHome } from "./home.js";
import { h, icon } from "./dom.js";
import { clockTime, dayName, hubDate, t } from "./words.js";
import { home, watch } from "./model.js";
import { fail, hub, isOpen, request } from "./actions.js";
import { openSheet, paint } from "./router.js";
import { entryText, followJournal, joined, withoutEchoes } from "./journal.js";

/** The page keeps no more rows than this; older ones are fetched again. */
const KEPT = 200, PAGE = 50;

/** The newest load replaces the one that is under way. */
const log = { home: null, stream: null, about: "", filter: "all", entries: [], isEnd: false, load: null };

async function load(more = false) {
  const here = home();
  if (!here || (more && log.load)) return;
  if (!more) Object.assign(log, { home: here.id, stream: hub.stream, entries: [], isEnd: false });
  const mine = (log.load = {});
  try {
    await followJournal();
    const before = more ? log.entries.at(-1)?.id : undefined;
    const { entries } = await request("journal.list", {
      limit: PAGE,
      ...(before ? { before } : {}),
      ...(log.about ? { about: log.about } : {}),
    });
    if (log.load !== mine) return;
    log.entries = joined(log.entries, entries);
    log.isEnd = entries.length < PAGE;
  } catch (error) {
    if (log.load !== mine) return;
    log.isEnd = true;
    fail(error);
  }
  log.load = null;
  paint();
}

watch("journal", (entry) => {
  if (entry.home !== log.home || (log.about && !JSON.stringify(entry.content).includes(log.about))) return;
  const most = Math.max(KEPT, log.entries.length);
  log.entries = joined([entry], log.entries);
  // Older rows that are on their way follow the last one, which must stay then.
  if (!log.load && log.entries.length > most) {
    log.entries.length = most;
    log.isEnd = false;
  }
  paint();
});

const FILTERS = {
  all: () => true,
  things: (entry) => entry.content.value || entry.content.failedWrite || entry.content.reachability,
  automations: (entry) => entry.content.trigger || entry.content.scene,
  people: (entry) => entry.content.presence || entry.content.change,
  failures: (entry) =>
    entry.content.failedWrite ||
    (entry.content.trigger && !["fired", "ended"].includes(entry.content.trigger.outcome)) ||
    entry.content.scene?.failures || entry.content.reachability?.isReachable === false,
};

export const activityScreen = {
  tab: "activity",
  title: () => t("activity"),
  body() {
    const here = home();
    if (!here) return noHome();
    if (log.home !== here.id || (log.stream !== hub.stream && isOpen())) load();
    const shown = withoutEchoes(log.entries).filter(FILTERS[log.filter]);
    return [
      h(
        "div",
        { class: "chips", role: "group", "aria-label": t("filter") },
        Object.keys(FILTERS).map((key) =>
          h("button", {
            key,
            class: "chip",
            "aria-pressed": String(log.filter === key),
            onclick: () => {
              log.filter = key;
              paint();
            },
          }, t(`filter.${key}`))
        ),
      ),
      h(
        "div",
        { class: "field" },
        h("label", { for: "about" }, t("filter.about")),
        h(
          "select",
          {
            id: "about",
            value: log.about,
            onchange: (event) => {
              log.about = event.target.value;
              load();
            },
          },
          h("option", { value: "" }, t("filter.everything")),
          [...here.accessories, ...here.of("trigger"), ...here.scenes.filter((scene) => scene.actions.length)].map((
            each,
          ) => h("option", { key: each.id, value: each.id }, each.name)),
        ),
      ),
      days(shown, here),
      log.load
        ? h("p", { class: "empty", role: "status" }, t("loading"))
        : shown.length === 0 && h("p", { class: "empty" }, icon("activity"), t("log.none")),
      !log.isEnd && !log.load && log.entries.length > 0 &&
      h("button", {
        class: "button wide",
        style: { "margin-block-start": "16px" },
        onclick: () => load(true),
      }, t("log.older")),
    ];
  },
};

function days(entries, here) {
  const groups = [];
  for (const entry of entries) {
    const day = dayName(hubDate(entry.time));
    if (groups.at(-1)?.day !== day) groups.push({ day, entries: [] });
    groups.at(-1).entries.push(entry);
  }
  return groups.map(({ day, entries: rows }) =>
    h(
      "section",
      { key: day },
      h("h2", { class: "day" }, day),
      h("ul", { class: "list", role: "list" }, rows.map((entry) => row(entry, here))),
    )
  );
}

const SYMBOLS = {
  value: "power",
  failedWrite: "warn",
  trigger: "automation",
  scene: "scenes",
  reachability: "link-off",
  presence: "person",
  change: "edit",
};

function row(entry, here) {
  const [text, cause] = entryText(entry, here);
  const about = subjectID(entry);
  return h(
    "li",
    { key: entry.id },
    h(
      "button",
      { class: "row", onclick: () => about && showWhy(about, here, entry) },
      icon(SYMBOLS[Object.keys(entry.content)[0]] ?? "info"),
      h(
        "span",
        { class: "grow" },
        h("span", { class: "what plain-weight" }, text),
        cause && h("span", { class: "sub" }, cause),
      ),
      h("span", { class: "end small" }, clockTime(hubDate(entry.time))),
    ),
  );
}

function subjectID({ content }) {
  return content.value?.accessory.id ?? content.failedWrite?.write.accessory.id ?? content.trigger?.trigger.id ??
    content.scene?.scene.id;
}

/** The chain of causes of what happened. */
function showWhy(id, here, entry) {
  const chain = [entry];
  let parent = entry.parent;
  for (const each of log.entries) {
    if (each.id === parent) {
      chain.push(each);
      parent = each.parent;
    }
  }
  const sheet = openSheet({
    title: () => t("why"),
    body: () => [
      h(
        "ul",
        { class: "list", role: "list" },
        chain.map((each) => {
          const [text, cause] = entryText(each, here);
          return h(
            "li",
            { key: each.id, class: "row" },
            icon(SYMBOLS[Object.keys(each.content)[0]] ?? "info"),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, text),
              cause && h("span", { class: "sub" }, cause),
            ),
            h("span", { class: "end small" }, clockTime(hubDate(each.time))),
          );
        }),
      ),
      here.thingsOf(id)[0] &&
      h(
        "div",
        { class: "buttons" },
        h("a", {
          class: "button",
          href: `/accessory/${here.thingsOf(id)[0].id}`,
          onclick: () => sheet.close(),
        }, t("show.thing")),
      ),
    ],
  });
}
