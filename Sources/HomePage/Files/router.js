// Addresses, sheets and menus: where a person is, and the way back.

import { h, icon, moveNotes, name as bidi, nextFrame, render, uuid } from "./dom.js";
import { t } from "./words.js";
import { model } from "./model.js";

let screens = [];
let current = null; // { screen, match } of the page under the sheets
let paintPage = () => {};
const sheets = [];

/** `list` has `{pattern, load, title, isSheet}`; `paint` draws the page. */
export function startRouter(list, paint) {
  screens = list;
  paintPage = paint;
  addEventListener("popstate", () => follow());
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='/']");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
}

function find(path) {
  for (const screen of screens) {
    const match = screen.pattern.exec(path);
    if (match) return { screen, match, path };
  }
  return { screen: screens[0], match: [], path: "/" };
}

/** The address of a place in the home that is shown; the main home needs no mention. */
export function place(path) {
  const isMain = model.homes.get(model.homeID)?.isPrimary ?? true;
  return isMain || !model.homeID ? path : `${path}?home=${model.homeID}`;
}

/** Goes to an address. What replaces a sheet of the same kind does not add to the way back. */
export function go(path, { replaces = false } = {}) {
  const next = find(path.split("?")[0]);
  const from = history.state ?? {};
  const under = next.screen.isSheet ? (current?.path ?? "/") : null;
  const address = path.includes("?") ? path : place(path);
  if (address !== location.pathname + location.search) {
    history[replaces ? "replaceState" : "pushState"](
      { under, depth: (from.depth ?? 0) + (replaces ? 0 : 1) },
      "",
      address,
    );
  }
  return follow(true);
}

/** Goes back, or to a place if there is no way back in this page. */
export function back(to = "/") {
  if ((history.state?.depth ?? 0) > 0) history.back();
  else go(to, { replaces: true });
}

export async function follow(isForward = false) {
  const wanted = new URLSearchParams(location.search).get("home");
  const main = [...model.homes.values()].find((each) => each.isPrimary);
  if (wanted && model.homes.has(wanted)) model.homeID = wanted;
  else if (main) model.homeID = main.id;
  const next = find(location.pathname);
  if (next.screen.load && !next.screen.isLoaded) await loadScreen(next.screen);
  closeRouted(next);
  if (!next.screen.isSheet) {
    const isOther = current?.path !== next.path;
    current = next;
    paint();
    if (isOther) arrive(isForward);
    return;
  }
  if (!current) {
    current = find(history.state?.under ?? "/");
    if (current.screen.load && !current.screen.isLoaded) await loadScreen(current.screen);
    paint();
  }
  if (sheets.some((sheet) => sheet.path === next.path)) return;
  const content = next.screen.view(next.match);
  openSheet({ ...content, path: next.path, onclose: () => location.pathname === next.path && back(current.path) });
}

/** Loads a module of the page. Files of an older page may be gone from the hub: then the page loads anew, once. */
async function loadScreen(screen) {
  try {
    Object.assign(screen, await screen.load(), { isLoaded: true });
    sessionStorage.removeItem("hearth.reloaded");
  } catch (error) {
    if (!sessionStorage.getItem("hearth.reloaded")) {
      sessionStorage.setItem("hearth.reloaded", "1");
      location.reload();
    }
    throw error;
  }
}

function arrive(isForward) {
  if (isForward) scrollTo(0, 0);
  document.querySelector("main")?.focus({ preventScroll: true });
}

function closeRouted(next) {
  for (const sheet of [...sheets].reverse()) if (sheet.path && sheet.path !== next.path) remove(sheet);
}

/** The screen under the sheets, with the parts of its address. */
export function currentScreen() {
  return current;
}

/** Draws the page and the open sheets again in the next frame. */
export function paint() {
  nextFrame(draw);
}

function draw() {
  paintPage(current);
  for (const sheet of sheets) drawSheet(sheet);
}

// MARK: Sheets

/**
 * Opens a sheet. `title()`, `body()` and `tools()` describe it and are asked again whenever something changes.
 * A body of `null` says that the subject is gone. `onclose` is called when a person closes it, `onend` also when another
 * address takes it away.
 */
export function openSheet({ title, body, tools, onclose, onend, path, isAlert = false, label }) {
  const opener = document.activeElement;
  const dialog = document.createElement("dialog");
  const inner = document.createElement("div");
  dialog.className = isAlert ? "sheet alert" : "sheet";
  inner.className = "inner";
  dialog.append(inner);
  document.body.append(dialog);
  const id = `sheet-${uuid()}`;
  const sheet = { id, dialog, inner, title, body, tools, path, onclose, onend, opener, isAlert, label };
  sheets.push(sheet);
  drawSheet(sheet);
  dialog.setAttribute("aria-labelledby", sheet.id);
  dialog.showModal();
  moveNotes();
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeSheet(sheet);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && !isAlert) closeSheet(sheet);
  });
  const first = dialog.querySelector("[autofocus]") ?? dialog.querySelector("h2");
  first?.focus();
  return { close: () => closeSheet(sheet), paint: () => drawSheet(sheet), element: dialog };
}

function drawSheet(sheet) {
  const content = sheet.body();
  if (content === null) return closeSheet(sheet);
  const head = sheet.isAlert ? h("h2", { id: sheet.id, tabindex: "-1" }, sheet.title()) : h(
    "div",
    { class: "sheet-head", key: "head" },
    h("h2", { id: sheet.id, tabindex: "-1" }, sheet.title()),
    sheet.tools?.(),
    h("button", { class: "round", "aria-label": t("close"), onclick: () => closeSheet(sheet) }, icon("close")),
  );
  render(sheet.inner, [head, content]);
}

function closeSheet(sheet) {
  if (!sheets.includes(sheet)) return;
  remove(sheet);
  sheet.onclose?.();
}

function remove(sheet) {
  sheets.splice(sheets.indexOf(sheet), 1);
  sheet.dialog.close();
  sheet.dialog.remove();
  moveNotes();
  sheet.onend?.();
  const opener = sheet.opener?.isConnected ? sheet.opener : document.querySelector("main");
  opener?.focus({ preventScroll: true });
}

export function hasSheet() {
  return sheets.length > 0;
}

/**
 * Asks before something that cannot be undone, or is dangerous. Cancel has the focus, and the answer is not where the
 * finger was. Returns whether the person agreed.
 */
export function ask({ title, text, action, isDanger = true }) {
  return new Promise((resolve) => {
    let answer = false;
    const sheet = openSheet({
      isAlert: true,
      title: () => title,
      body: () => [
        text && [text].flat().map((line) => h("p", { class: "quiet" }, line)),
        h(
          "div",
          { class: "buttons end" },
          h("button", { class: "button", autofocus: true, onclick: () => sheet.close() }, t("cancel")),
          h("button", {
            class: isDanger ? "button danger" : "button main",
            onclick: () => {
              answer = true;
              sheet.close();
            },
          }, action),
        ),
      ],
      onclose: () => resolve(answer),
    });
  });
}

/** Asks for a name. `save` may throw a failure, whose reason is then shown beside the name. */
export function askName({ title, value = "", label = t("name"), action = t("save"), save, hint, suggestions = [] }) {
  let text = value, problem = "", isBusy = false;
  const submit = async (event) => {
    event?.preventDefault();
    text = sheet.element.querySelector("input").value.trim();
    problem = nameProblem(text);
    if (!problem) {
      isBusy = true;
      sheet.paint();
      try {
        await save(text);
        sheet.close();
        return;
      } catch (error) {
        problem = failureText(error);
      }
      isBusy = false;
    }
    sheet.paint();
    sheet.element.querySelector("input")?.focus();
  };
  const sheet = openSheet({
    isAlert: true,
    title: () => title,
    body: () =>
      h(
        "form",
        { onsubmit: submit },
        h(
          "div",
          { class: "field" },
          h("label", { for: "ask-name" }, label),
          h("input", {
            id: "ask-name",
            type: "text",
            value,
            maxlength: "64",
            autocomplete: "off",
            autofocus: true,
            "aria-describedby": "ask-hint",
            "aria-invalid": problem ? "true" : null,
            oninput: (event) => {
              problem = event.target.value ? nameProblem(event.target.value.trim()) : "";
              sheet.paint();
            },
          }),
          h("p", { id: "ask-hint", class: problem ? "hint bad" : "hint" }, problem || hint || ""),
        ),
        suggestions.length > 0 && h(
          "div",
          { class: "chips" },
          suggestions.map((each) =>
            h("button", {
              type: "button",
              class: "chip",
              onclick: () => {
                sheet.element.querySelector("input").value = each;
              },
            }, each)
          ),
        ),
        h(
          "div",
          { class: "buttons end" },
          h("button", { type: "button", class: "button", onclick: () => sheet.close() }, t("cancel")),
          h("button", { type: "submit", class: "button main", disabled: isBusy }, action),
        ),
      ),
  });
  sheet.element.querySelector("input").select();
}

/** What is wrong with a name by the hub's rule, while it is typed. */
export function nameProblem(text) {
  if (!text) return t("name.empty");
  if ([...text.normalize("NFC")].length > 64) return t("name.long");
  if (!/^[\p{L}\p{M}\p{N} '’]+$/u.test(text)) return t("name.characters");
  if (!/^[\p{L}\p{N}]/u.test(text) || !/[\p{L}\p{M}\p{N}]$/u.test(text)) return t("name.ends");
  return "";
}

let translate = (error) => error.message;
export function setFailureText(job) {
  translate = job;
}
export function failureText(error) {
  return translate(error);
}

/** A menu under a button. `items` are `{label, icon, action, href, isDanger}`. */
export function menu(button, items) {
  const box = document.createElement("div");
  box.className = "menu";
  box.popover = "auto";
  render(
    box,
    h(
      "ul",
      { role: "list" },
      items.filter(Boolean).map((item) =>
        h(
          "li",
          null,
          item.href
            ? h(
              "a",
              { href: item.href, onclick: () => box.hidePopover() },
              icon(item.icon),
              h("span", null, item.label),
            )
            : h(
              "button",
              {
                class: item.isDanger ? "danger" : "",
                "aria-current": item.isCurrent ? "true" : null,
                onclick: () => {
                  box.hidePopover();
                  item.action();
                },
              },
              item.icon && icon(item.icon),
              h("span", { class: "grow" }, item.isName ? bidi(item.label) : item.label),
              item.hasDot && h("span", { class: "dot" }),
            ),
        )
      ),
    ),
  );
  (button.closest("dialog") ?? document.body).append(box);
  const edge = button.getBoundingClientRect();
  box.addEventListener("toggle", (event) => {
    if (event.newState === "closed") {
      box.remove();
      button.setAttribute("aria-expanded", "false");
      if (button.isConnected && document.activeElement === document.body) button.focus();
    }
  });
  button.setAttribute("aria-expanded", "true");
  box.showPopover();
  const size = box.getBoundingClientRect();
  box.style.left = `${Math.max(16, Math.min(edge.left, innerWidth - size.width - 16))}px`;
  box.style.top = `${Math.max(8, Math.min(edge.bottom + 4, innerHeight - size.height - 8))}px`;
  box.querySelector("button, a")?.focus();
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...box.querySelectorAll("button, a")];
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
  });
}
