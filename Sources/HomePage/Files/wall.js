// A tablet on the wall: clock and attention beside the home, and a screen that dims.

import { h, icon, name as bidi } from "./dom.js";
import { place } from "./router.js";
import { home } from "./model.js";
import { clockTime, longDate, t } from "./words.js";
import { attentionList } from "./home.js";

export function side() {
  const now = new Date();
  const rows = home() ? attentionList(home()).slice(0, 6) : [];
  return h(
    "aside",
    { class: "wall-side", key: "wall", "aria-label": t("attention") },
    h("p", { class: "wall-clock" }, clockTime(now)),
    h("p", { class: "quiet" }, longDate(now)),
    h(
      "ul",
      { class: "list", role: "list" },
      rows.map((row) =>
        h(
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
        )
      ),
    ),
    h("a", { class: "button", href: place("/settings") }, t("settings")),
  );
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
