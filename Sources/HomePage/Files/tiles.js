// Tiles: what a thing is and does, at a glance and by one tap.

import { h, icon, name as bidi, update } from "./dom.js";
import { mainControl, now, typeOf, TYPES } from "./kinds.js";
import { home, isSending, model } from "./model.js";
import { isOpen, press } from "./actions.js";
import { go, place } from "./router.js";
import { t } from "./words.js";

const HOLD = 500;

/** Whether a tap switches the thing; other tiles open the detail. */
function switches(thing) {
  return Boolean(TYPES[thing.service.type]?.main) ||
    ["lock", "garageDoor", "blinds", "window", "door"].includes(typeOf(thing).kind) || typeOf(thing).isMedia ||
    typeOf(thing).isMute;
}

/** Describes the tile of a thing. With `withPlace`, it names the room, where no heading does. */
export function tile(thing, withPlace = false) {
  const state = now(thing);
  const type = typeOf(thing);
  const isSwitch = Boolean(TYPES[thing.service.type]?.main) && !state.trouble;
  const sending = isSwitch && isSending(thing.service.chars[TYPES[thing.service.type].main]);
  const hasMore = switches(thing);
  const room = withPlace ? thing.home.roomName(thing.room) : null;
  const level = state.attention?.level;
  const tone = level === 0 ? "alarm" : level !== undefined && !state.trouble ? "warn" : "";
  const isLive = isOpen();
  const lead = type.isWide && !state.trouble ? state.lead : undefined;
  const note = state.attention && !state.trouble && state.attention.text !== state.word ? state.attention.text : null;
  const memo = [
    thing.name,
    state.word,
    state.icon,
    state.disc,
    state.isOn,
    state.isMoving,
    sending,
    tone,
    lead,
    room,
    isLive,
    note,
    hasMore,
    state.trouble?.key,
    state.tint?.hue,
    state.tint?.saturation,
  ].join("|");
  return h(
    "li",
    {
      key: thing.id,
      memo,
      "data-thing": thing.id,
      class: [
        "tile",
        `d-${state.disc}`,
        type.isWide && "wide",
        hasMore && "has-more",
        state.isOn && "on",
        sending && "sending",
        state.isMoving && "moving",
        state.trouble && "gone",
      ].filter(Boolean).join(" "),
    },
    h(
      "button",
      {
        class: "press",
        role: isSwitch ? "switch" : null,
        "aria-checked": isSwitch ? String(Boolean(state.isOn)) : null,
        "aria-disabled": isLive ? null : "true",
        "aria-keyshortcuts": hasMore ? "." : null,
      },
      h(
        "span",
        { class: "top" },
        h("span", { class: "disc", style: discStyle(state) }, icon(state.icon)),
        lead && h("span", { class: "lead" }, lead),
      ),
      h(
        "span",
        { class: "names" },
        h("span", { class: "name" }, bidi(thing.name)),
        " ",
        h(
          "span",
          { class: `state ${tone}` },
          state.isUnknown && !state.trouble
            ? [h("span", { "aria-hidden": "true" }, state.word), h("span", { class: "unseen" }, t("s.unknown"))]
            : state.word,
          note && ` · ${note}`,
        ),
        " ",
        room && h("span", { class: "place" }, h("span", { class: "unseen" }, t("in")), " ", bidi(room)),
      ),
    ),
    hasMore &&
      h(
        "button",
        { class: "round details", tabindex: "-1", "aria-label": t("more.about", { name: thing.name }) },
        icon("more"),
      ),
  );
}

/** A colour lamp tints its own disc, and nothing else. */
export function discStyle(state) {
  if (!state.isOn || !state.tint) return { "--disc": "", "--icon": "" };
  const { hue, saturation } = state.tint;
  return { "--disc": `hsl(${hue} ${Math.round(30 + saturation * 0.5)}% 82%)`, "--icon": `hsl(${hue} 60% 22%)` };
}

/** Describes a list of tiles: one stop of the Tab key, arrow keys within. */
export function tiles(things, { withPlace = false, label } = {}) {
  return h("ul", { class: "tiles", role: "list", "aria-label": label }, things.map((thing) => tile(thing, withPlace)));
}

/** Paints the tiles of accessories that changed, and nothing else. */
export function paintTiles(accessories) {
  const here = home();
  if (!here) return;
  for (const accessory of accessories) {
    for (const thing of here.thingsOf(accessory)) {
      for (const node of document.querySelectorAll(`[data-thing="${thing.id}"]`)) {
        update(node, tile(thing, Boolean(node.querySelector(".place"))));
      }
    }
  }
}

const thingAt = (element) => model.homes.get(model.homeID)?.thing(element?.closest?.("[data-thing]")?.dataset.thing);
const openDetail = (thing) => thing && go(place(`/accessory/${thing.id}`));

/** Handles all tiles under an element: taps, holds, the context menu and keys. */
export function listenToTiles(root) {
  let held = null, start = null, timer = 0;
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-thing] > button");
    if (!button) return;
    const thing = thingAt(button);
    if (held === thing) {
      held = null;
      return;
    }
    if (!thing) return;
    if (button.classList.contains("details")) openDetail(thing);
    else if (!isOpen() || !mainControl(thing)) openDetail(thing);
    else press(thing);
  });
  root.addEventListener("pointerdown", (event) => {
    held = null;
    const thing = event.target.closest("[data-thing] > .press") && thingAt(event.target);
    if (!thing || event.button) return;
    start = { x: event.clientX, y: event.clientY };
    clearTimeout(timer);
    timer = setTimeout(() => {
      held = thing;
      openDetail(thing);
    }, HOLD);
  }, { passive: true });
  root.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > 10) clearTimeout(timer);
  }, { passive: true });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    root.addEventListener(end, () => clearTimeout(timer), { passive: true });
  }
  root.addEventListener("contextmenu", (event) => {
    const thing = thingAt(event.target);
    if (!thing) return;
    event.preventDefault();
    if (held !== thing) openDetail(thing);
  });
  root.addEventListener("keydown", keys);
  root.addEventListener("focusin", (event) => {
    if (event.target.matches?.(".tile > .press")) moveStop(event.target);
  });
}

function moveStop(button) {
  for (const each of button.closest(".tiles").querySelectorAll(":scope > .tile > .press")) {
    each.tabIndex = each === button ? 0 : -1;
  }
}

/** Gives each list of tiles one stop of the Tab key. */
export function settleStops(root) {
  for (const list of root.querySelectorAll(".tiles")) {
    const buttons = [...list.querySelectorAll(":scope > .tile > .press")];
    const stop = buttons.find((button) => button.getAttribute("tabindex") === "0") ?? buttons[0];
    for (const button of buttons) {
      const wanted = button === stop ? "0" : "-1";
      if (button.getAttribute("tabindex") !== wanted) button.setAttribute("tabindex", wanted);
    }
  }
}

function keys(event) {
  const button = event.target.closest?.(".tile > .press");
  if (!button) return;
  if (event.key === "." || event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    event.preventDefault();
    openDetail(thingAt(button));
    return;
  }
  const all = [...button.closest(".tiles").querySelectorAll(":scope > .tile > .press")];
  const at = all.indexOf(button);
  const isRTL = document.documentElement.dir === "rtl";
  const side = isRTL ? { ArrowLeft: 1, ArrowRight: -1 } : { ArrowRight: 1, ArrowLeft: -1 };
  let next = null;
  if (event.key in side) next = all[at + side[event.key]];
  else if (event.key === "Home") next = all[0];
  else if (event.key === "End") next = all.at(-1);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    next = inRow(all, button, event.key === "ArrowDown" ? 1 : -1);
  } else return;
  event.preventDefault();
  next?.focus();
}

/** The nearest tile in the row above or below. */
function inRow(all, button, direction) {
  const box = button.getBoundingClientRect();
  const others = all.map((each) => ({ each, box: each.getBoundingClientRect() })).filter((one) =>
    (one.box.top - box.top) * direction > 8
  );
  if (!others.length) return null;
  const row = Math.min(...others.map((one) => Math.abs(one.box.top - box.top)));
  return others.filter((one) => Math.abs(Math.abs(one.box.top - box.top) - row) < 8).sort((a, b) =>
    Math.abs(a.box.left - box.left) - Math.abs(b.box.left - box.left)
  )[0].each;
}
