// Rows and groups of rows, as the settings show them.

import { h, icon } from "./dom.js";

/** `opens` is for what opens a sheet, as an address does. */
export const row = ({ key, href, onclick, symbol, what, sub, end, isDanger, opens }) =>
  h(
    "li",
    { key: key ?? what },
    h(
      href ? "a" : onclick ? "button" : "div",
      { class: `row ${isDanger ? "danger" : ""}`, href, onclick },
      symbol && icon(symbol),
      h("span", { class: "grow" }, h("span", { class: "what" }, what), sub && h("span", { class: "sub" }, sub)),
      end,
      (href || opens) && icon("chevron", "go turns"),
    ),
  );

export const group = (title, ...rows) =>
  h(
    "section",
    { key: title, style: { "margin-block-start": "24px" } },
    h("h2", { class: "head", style: { "font-size": "1.0625rem" } }, title),
    h("ul", { class: "list", role: "list" }, rows),
  );
