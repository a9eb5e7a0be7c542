// The screen that shows all of the home.

import { C } from "./chars.js";
import { GROUPS, isOn, now, typeOf } from "./kinds.js";
import { home, model, resolve, value, watch } from "./model.js";
import { loadRest, percent, t, temperature } from "./words.js";
import { askName, menu, paint, place } from "./router.js";
import { tiles } from "./tiles.js";
import { h, icon, loadStyles, name as bidi } from "./dom.js";
import { change, isOpen, runScene } from "./actions.js";

// MARK: Home

export const homeScreen = {
  isHome: true,
  title: () => home()?.name ?? t("home"),
  tools: () =>
    home() && [
      h("a", { class: "round", href: place("/say"), "aria-label": t("say.title") }, icon("bubble")),
      home().canEdit && h("a", { class: "round", href: place("/add"), "aria-label": t("add.title") }, icon("plus")),
      home().canEdit &&
      h("button", {
        class: "round",
        "aria-label": t("more"),
        "aria-haspopup": "true",
        onclick: (event) => editMenu(event.currentTarget),
      }, icon("more")),
    ],
  body() {
    const here = home();
    if (!here) return noHome();
    const { things } = here;
    return [
      attentionStrip(here),
      summary(here),
      nowPlaying?.(),
      things.length === 0 && missing(here),
      favoriteStrip(here),
      sceneStrip(here, here.scenes),
      roomSections(here),
      things.length > 0 && missing(here),
    ];
  },
};

/** What shows what plays; fetched once something does. */
let nowPlaying = null;

watch("media", () => {
  if (nowPlaying) return paint();
  if (!model.media.players.length && !model.media.routes.length) return;
  Promise.all([import("./now-playing.js"), loadRest(), loadStyles()]).then(([module]) => {
    ({ nowPlaying } = module);
    paint();
  }, () => {});
});

function editMenu(button) {
  menu(button, [
    { icon: "plus", label: t("add.title"), href: place("/add") },
    { icon: "door", label: t("room.add"), action: addRoom },
    { icon: "scenes", label: t("scene.add"), href: place("/scene/new") },
    { icon: "automation", label: t("auto.add"), href: place("/automation/new") },
    { icon: "settings", label: t("settings"), href: place("/settings") },
  ]);
}

export const addRoom = () => askRoom((name) => change("room.add", { name }));

/** Asks for the name of a new room. */
export function askRoom(save) {
  const taken = new Set(home().rooms.map((room) => room.name));
  askName({
    title: t("room.add"),
    action: t("add"),
    suggestions: t("room.suggestions").split(", ").filter((each) => !taken.has(each)).slice(0, 8),
    save,
  });
}

/** What a person without a home sees on every screen of it. */
export function noHome() {
  return h(
    "div",
    { class: "empty" },
    icon("home"),
    h("p", null, t("home.none")),
    h("a", { class: "button main", href: "/start" }, t("home.add")),
  );
}

/** A card for each thing that is missing, gone once it is done. */
function missing(here) {
  if (!here.canEdit) return here.things.length ? null : h("p", { class: "empty" }, t("home.empty"));
  const cards = [];
  if (!here.accessories.length) {
    cards.push(card(t("first.accessory"), t("first.accessory.text"), t("add.title"), { href: place("/add") }));
  }
  if (!here.rooms.length) cards.push(card(t("first.room"), t("first.room.text"), t("room.add"), { onclick: addRoom }));
  if (here.things.length && !here.scenes.some((scene) => scene.actions.length)) {
    cards.push(card(t("first.scene"), t("first.scene.text"), t("scene.add"), { href: place("/scene/new") }));
  }
  return cards.length > 0 && h("div", { class: "cards" }, cards);
}

function card(title, text, label, { href, onclick }) {
  return h(
    "div",
    { class: "card" },
    h("h2", null, title),
    h("p", { class: "quiet" }, text),
    href ? h("a", { class: "button", href }, label) : h("button", { class: "button", onclick }, label),
  );
}

/** What this person put at hand, with the room of each. */
function favoriteStrip(here) {
  const { favorites } = here;
  if (!favorites.length) return null;
  const scenes = favorites.filter((each) => each.scene).map((each) => each.scene),
    things = favorites.filter((each) => each.thing).map((each) => each.thing);
  return h(
    "section",
    { class: "room", key: "favorites", "aria-labelledby": "favorites-title" },
    h("div", { class: "head" }, h("h2", { id: "favorites-title" }, t("favorites"))),
    scenes.length > 0 &&
      h(
        "ul",
        { class: "scene-row", role: "list", style: { "margin-block-end": "var(--gap)" } },
        scenes.map((scene) => sceneButton(here, scene)),
      ),
    tiles(things, { withPlace: true, label: t("favorites") }),
  );
}

function roomSections(here) {
  const sections = here.rooms.map((room) => roomSection(here, room.id, room.name));
  const rest = here.things.filter((thing) => thing.room === here.defaultRoom || !here.get(thing.room));
  if (rest.length) sections.push(roomSection(here, here.defaultRoom, t("room.default"), rest));
  return sections;
}

export function roomSection(here, id, title, things = here.things.filter((thing) => thing.room === id)) {
  if (!things.length) return null;
  return h(
    "section",
    { key: id, class: "room", "aria-labelledby": `room-${id}` },
    h(
      "div",
      { class: "head" },
      h(
        "h2",
        { id: `room-${id}` },
        h("a", { href: place(`/room/${id}`) }, bidi(title), icon("chevron", "small turns")),
      ),
      h("span", { class: "spacer" }),
      h("span", { class: "quiet" }, climate(things)),
    ),
    tiles(here.inOrder(id, byKind(things)), { label: title }),
  );
}

/** Tiles by kind, so that a room always looks the same: what is switched first, sensors last. */
export function byKind(things) {
  // Wide tiles come first: they leave no holes in two columns.
  const rank = (thing) => {
    const type = typeOf(thing);
    return type.isSensor ? 20 : type.isWide ? -1 : GROUPS.indexOf(type.group);
  };
  return [...things].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** “21° · 45%”: the climate of a room in one line. */
export function climate(things) {
  const parts = [];
  const room = average(things, C.temperature);
  const humidity = average(things, C.humidity);
  if (room !== null) parts.push(temperature(room, false, false));
  if (humidity !== null) parts.push(percent(humidity));
  return parts.join(" · ");
}

function average(things, type) {
  const values = readings(things, type);
  return values.length ? values.reduce((sum, each) => sum + each, 0) / values.length : null;
}

function readings(things, type) {
  return things.filter((thing) => thing.service.chars[type] && !now(thing).trouble).map((thing) => valueOf(thing, type))
    .filter((each) => typeof each === "number");
}

const valueOf = (thing, type) => value(thing.service.chars[type]);

// MARK: Chips

/** Chips open lists; they never switch anything. */
function summary(here) {
  const chips = GROUPS.map((group) => {
    const things = here.things.filter((thing) => typeOf(thing).group === group);
    return things.length && group !== "other" ? summaryChip(group, things) : null;
  });
  return h("nav", { class: "chips", "aria-label": t("categories") }, chips);
}

const GROUP_ICONS = {
  lights: "lamp",
  climate: "thermometer",
  doors: "lock",
  security: "shield",
  water: "drop",
  media: "tv",
};

const CHIP_COLORS = { lights: "d-light", doors: "d-warn" };

function summaryChip(group, things) {
  const color = groupIsOn(group, things) ? `on ${CHIP_COLORS[group] ?? "d-air"}` : "";
  return h(
    "a",
    { key: group, class: `chip ${color}`, href: place(`/category/${group}`) },
    icon(GROUP_ICONS[group]),
    h("span", null, summaryText(group, things)),
  );
}

const groupIsOn = (
  group,
  things,
) => (group === "lights" ? things.some(isOn) : group === "doors" ? things.some(isOpenOrUnlocked) : false);

const isOpenOrUnlocked = (thing) => {
  const state = now(thing);
  return !state.trouble && typeOf(thing).kind !== "blinds" &&
    (state.isOpen || (typeOf(thing).kind === "lock" && state.isOn && !state.isLocked));
};

function summaryText(group, things) {
  if (group === "lights") {
    const on = things.filter(isOn).length;
    return on ? t("chip.lights", { n: on }) : t("chip.lightsOff");
  }
  if (group === "climate") {
    const values = readings(things, C.temperature);
    if (values.length) {
      const low = temperature(Math.min(...values), false, false), high = temperature(Math.max(...values), false, false);
      return low === high ? t("chip.climate", { v: low }) : t("chip.climateRange", { a: low, b: high });
    }
  }
  if (group === "doors") {
    const open = things.filter(isOpenOrUnlocked).length;
    return open ? t("chip.doorsOpen", { n: open }) : t("chip.doors");
  }
  return t(`group.${group}`);
}

// MARK: Attention

/** All that needs a person, the most urgent first. A silent bridge is one message, not one for each lamp behind it. */
export function attentionList(here) {
  const rows = [];
  const silent = new Map();
  for (const thing of here.things) {
    const { attention } = now(thing);
    if (!attention) continue;
    const bridge = attention.level === 4 && here.get(thing.accessory.bridge);
    if (bridge) silent.set(bridge, [...(silent.get(bridge) ?? []), thing]);
    else rows.push(attentionOf(here, thing));
  }
  for (const [bridge, things] of silent) {
    rows.push(things.length === 1 ? attentionOf(here, things[0]) : attentionOfBridge(bridge, things));
  }
  return rows.sort((a, b) => a.level - b.level);
}

function attentionOf(here, thing) {
  const { attention: { level, text }, icon } = now(thing);
  const room = here.roomName(thing.room);
  return { key: thing.id, level, icon, name: thing.name, text, room, href: `/accessory/${thing.id}` };
}

function attentionOfBridge(bridge, things) {
  const text = t("a.bridge", { n: things.length, text: now(things[0]).attention.text });
  return { key: bridge.id, level: 4, icon: "bridge", name: bridge.name, text, href: `/device/${bridge.id}` };
}

function attentionStrip(here) {
  const rows = attentionList(here);
  if (!rows.length) return null;
  const shown = rows.length > 4 ? rows.slice(0, 3) : rows;
  return h(
    "div",
    { class: "attention" },
    h("h2", { class: "unseen" }, t("attention")),
    h(
      "ul",
      { class: "list", role: "list" },
      shown.map(attentionRow),
      rows.length > shown.length &&
        h(
          "li",
          { key: "more" },
          h(
            "a",
            { class: "row", href: place("/attention") },
            h("span", { class: "grow" }, t("more.n", { n: rows.length - shown.length })),
            icon("chevron", "go turns"),
          ),
        ),
    ),
  );
}

export function attentionRow(row) {
  return h(
    "li",
    { key: row.key },
    h(
      "a",
      { class: `row ${row.level === 0 ? "alarm" : row.level < 4 ? "warn" : ""}`, href: place(row.href) },
      icon(row.level === 0 ? "alarm" : row.level === 4 ? "link-off" : "warn"),
      h(
        "span",
        { class: "grow" },
        h("span", { class: "what" }, bidi(row.name)),
        h("span", { class: "sub" }, row.text, row.room && [" · ", bidi(row.room)]),
      ),
      icon("chevron", "go turns"),
    ),
  );
}

// MARK: Scenes in a row

export const SCENE_ICONS = { wakeUp: "sun", homeArrival: "arrive", homeDeparture: "leave", sleep: "moon" };

/** The hub's names of icons, where ours differ. */
const ICON_NAMES = { house: "home", fire: "flame", snow: "snowflake", sunrise: "sun" };

export const iconSymbol = (name) => ICON_NAMES[name] ?? name;

export const sceneIcon = (scene) => (scene.icon ? iconSymbol(scene.icon) : SCENE_ICONS[scene.type] ?? "scenes");

/** What a scene sets, as far as its accessories still are there. */
export function resolvedActions(here, scene) {
  return scene.actions.filter((action) => action.write).map((action) => ({
    action,
    value: action.write.value,
    ...resolve(here, action.write.characteristic),
  })).filter((each) => each.characteristic);
}

/** Whether everything that a scene sets has that value now. */
export function isActive(here, scene) {
  const actions = resolvedActions(here, scene);
  return actions.length > 0 && actions.length === scene.actions.length &&
    actions.every((each) => same(value(each.characteristic), each.value));
}

const same = (
  a,
  b,
) => (typeof a === "number" && typeof b === "number" ? Math.abs(a - b) < 0.01 : Number(a) === Number(b) || a === b);

export function sceneButton(here, scene) {
  const isRunning = model.runs.get(scene.id)?.isRunning;
  const active = isActive(here, scene);
  return h(
    "li",
    { key: scene.id },
    h(
      "button",
      {
        class: `scene ${active ? "on" : ""} ${isRunning ? "busy" : ""}`,
        disabled: !isOpen(),
        onclick: () => runScene(scene, resolvedActions(here, scene)),
      },
      icon(sceneIcon(scene)),
      h("span", null, bidi(scene.name), active && h("span", { class: "unseen" }, `, ${t("scene.active")}`)),
    ),
  );
}

export function sceneStrip(here, scenes) {
  const usable = scenes.filter((scene) => scene.actions.length);
  if (!usable.length) return null;
  return h(
    "section",
    { class: "room", key: "scenes", "aria-labelledby": "scenes-title" },
    h(
      "div",
      { class: "head" },
      h("h2", { id: "scenes-title" }, h("a", { href: place("/scenes") }, t("scenes"), icon("chevron", "small turns"))),
    ),
    h("ul", { class: "scene-row", role: "list" }, usable.map((scene) => sceneButton(here, scene))),
  );
}
