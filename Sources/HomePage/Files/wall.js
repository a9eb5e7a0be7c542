// A tablet on the wall: the time, what needs a person and what happened last beside the home, and a screen that dims.

import { h, icon, name as bidi } from "./dom.js";
import { paint, place } from "./router.js";
import { home, watch } from "./model.js";
import { hub, isOpen, request } from "./actions.js";
import { clockTime, hubDate, longDate, t } from "./words.js";
import { attentionList } from "./home.js";
import { entryText, followJournal, joined, withoutEchoes } from "./journal.js";

/** What happened last in the home that is shown; some of it is left out, so more than is shown is kept. */
let lately = { home: null, stream: null, entries: [] };
const KEPT = 20, SHOWN = 4;

watch("journal", (entry) => {
  if (entry.home !== lately.home) return;
  lately.entries = joined([entry], lately.entries).slice(0, KEPT);
  paint();
});

async function askLately(here) {
  const { stream } = hub;
  if (!isOpen() || (lately.home === here.id && lately.stream === stream)) return;
  const mine = (lately = { home: here.id, stream, entries: [] });
  try {
    await followJournal();
    const { entries } = await request("journal.list", { limit: KEPT });
    mine.entries = joined(mine.entries, entries).slice(0, KEPT);
    paint();
  } catch {
    // The next paint asks again.
    mine.home = null;
  }
}

export function side() {
  const now = new Date();
  const here = home();
  if (here) askLately(here);
  return h(
    "aside",
    { class: "wall-side", key: "wall", "aria-label": t("attention") },
    h("p", { class: "wall-clock" }, clockTime(now)),
    h("p", { class: "quiet" }, longDate(now)),
    here && h("ul", { class: "list", role: "list" }, attentionList(here).slice(0, 6).map(attentionRow)),
    here && h("ul", { class: "lately", role: "list" }, happened(here)),
    h("a", { class: "button", href: place("/settings") }, t("settings")),
  );
}

function attentionRow(row) {
  return h(
    "li",
    { key: row.key },
    h(
      "a",
      { class: "row", href: place(row.href) },
      icon("warn"),
      h(
        "span",
        { class: "grow" },
        h("span", { class: "what" }, bidi(row.name)),
        h("span", { class: "sub" }, row.text),
      ),
    ),
  );
}

/** What people and automations did, and what doors, locks and sensors told; not what came and went of the network. */
function happened(here) {
  return withoutEchoes(lately.entries).filter(({ content }) => !content.reachability).slice(0, SHOWN).map((entry) => {
    const [text, cause] = entryText(entry, here);
    return h(
      "li",
      { key: entry.id },
      h("span", { class: "quiet" }, clockTime(hubDate(entry.time))),
      h("span", null, text, cause && h("span", { class: "quiet small" }, cause)),
    );
  });
}

/** A wall tablet that nobody touches shows the time and what needs a person; the first touch only wakes it. */
const DIM = 120_000;

export const isDim = (touched) => Date.now() - touched > DIM;

export function dimmed(onclick) {
  const rows = home() ? attentionList(home()).slice(0, 3) : [];
  return h(
    "button",
    {
      class: "dim",
      key: "dim",
      "aria-label": t("wall.touch"),
      onclick,
    },
    h("span", { class: "wall-clock" }, clockTime(new Date())),
    rows.map((row) => h("span", { key: row.key }, bidi(row.name), ": ", row.text)),
  );
}
