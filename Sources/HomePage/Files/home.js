// The screens that show the home: all of it, one room or zone, one kind of thing, and what needs a person.

import { h, icon, name as bidi } from "./dom.js";
import { home, model, resolve, value } from "./model.js";
import { GROUPS, isLight, isOn, now, typeOf } from "./kinds.js";
import { C } from "./chars.js";
import { tiles } from "./tiles.js";
import { change, isOpen, performHere, runScene, say, switchAll } from "./actions.js";
import { ask, askName, back, menu, place } from "./router.js";
import { clockTime, list, percent, t, temperature } from "./words.js";

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
      things.length === 0 && missing(here),
      favoriteStrip(here),
      sceneStrip(here, here.scenes),
      roomSections(here),
      things.length > 0 && missing(here),
    ];
  },
};

function editMenu(button) {
  menu(button, [
    { icon: "plus", label: t("add.title"), href: place("/add") },
    { icon: "door", label: t("room.add"), action: addRoom },
    { icon: "scenes", label: t("scene.add"), href: place("/scene/new") },
    { icon: "automation", label: t("auto.add"), href: place("/automation/new") },
    { icon: "settings", label: t("settings"), href: place("/settings") },
  ]);
}

export function addRoom() {
  const taken = new Set(home().rooms.map((room) => room.name));
  askName({
    title: t("room.add"),
    action: t("add"),
    suggestions: t("room.suggestions").split(", ").filter((each) => !taken.has(each)).slice(0, 8),
    save: (name) => change("room.add", { name }),
  });
}

function noHome() {
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

function roomSection(here, id, title, things = here.things.filter((thing) => thing.room === id)) {
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
function byKind(things) {
  // Wide tiles come first: they leave no holes in two columns.
  const rank = (thing) => {
    const type = typeOf(thing);
    return type.isSensor ? 20 : type.isWide ? -1 : GROUPS.indexOf(type.group);
  };
  return [...things].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** “21° · 45%”: the climate of a room in one line. */
function climate(things) {
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
    const state = now(thing);
    if (!state.attention) continue;
    const bridge = state.attention.level === 4 && thing.accessory.bridge;
    if (bridge) silent.set(bridge, [...(silent.get(bridge) ?? []), thing]);
    else {rows.push({
        key: thing.id,
        level: state.attention.level,
        icon: state.icon,
        name: thing.name,
        text: state.attention.text,
        room: here.roomName(thing.room),
        href: `/accessory/${thing.id}`,
      });}
  }
  for (const [id, things] of silent) {
    const bridge = here.get(id);
    if (things.length === 1 || !bridge) {
      rows.push({
        key: things[0].id,
        level: 4,
        icon: now(things[0]).icon,
        name: things[0].name,
        text: now(things[0]).attention.text,
        room: here.roomName(things[0].room),
        href: `/accessory/${things[0].id}`,
      });
    } else {rows.push({
        key: id,
        level: 4,
        icon: "bridge",
        name: bridge.name,
        text: t("a.bridge", { n: things.length, text: now(things[0]).attention.text }),
        href: `/device/${id}`,
      });}
  }
  return rows.sort((a, b) => a.level - b.level);
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

function attentionRow(row) {
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

export const attentionScreen = {
  title: () => t("attention"),
  parent: "/",
  body() {
    const rows = attentionList(home());
    return rows.length
      ? h("ul", { class: "list", role: "list" }, rows.map(attentionRow))
      : h("p", { class: "empty" }, icon("check"), t("attention.none", { time: clockTime(new Date()) }));
  },
};

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

function sceneStrip(here, scenes) {
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

// MARK: Room, zone, category

export const roomScreen = {
  title: (match) => (home()?.get(match[1])?.name ?? t("room.default")),
  parent: "/",
  tools: (match) =>
    home()?.canEdit && home().get(match[1]) &&
    h("button", {
      class: "round",
      "aria-label": t("more"),
      "aria-haspopup": "true",
      onclick: (event) => roomMenu(event.currentTarget, home().get(match[1])),
    }, icon("more")),
  body(match) {
    const here = home(), id = match[1];
    const room = here.get(id);
    if (!room && id !== here.defaultRoom) return gone();
    const things = here.things.filter((thing) =>
      thing.room === id || (id === here.defaultRoom && !here.get(thing.room))
    );
    const zones = here.zonesOf(id).map((zone) => zone.name);
    const line = [zones.length ? list(zones) : null, climate(things)].filter(Boolean).join(" · ");
    return [
      line && h("p", { class: "quiet" }, line),
      id === here.defaultRoom && h("p", { class: "quiet" }, t("room.default.text")),
      lightsRow(things, room?.name ?? t("room.default")),
      things.length
        ? tiles(here.inOrder(id, byKind(things)), { label: room?.name ?? t("room.default") })
        : h("p", { class: "empty" }, icon("box"), t("room.empty")),
      sceneStrip(
        here,
        here.scenes.filter((scene) =>
          scene.actions.some((action) =>
            things.some((thing) => thing.accessory.id === action.write?.characteristic.accessory)
          )
        ),
      ),
    ];
  },
};

function gone() {
  return h("p", { class: "empty" }, t("gone"));
}

/** One control for all lights; they are harmless. */
function lightsRow(things, title) {
  const lights = things.filter(isLight);
  if (lights.length < 2) return null;
  const on = lights.filter(isOn).length;
  return h(
    "div",
    { class: "line", style: { "margin-block": "8px 16px", "flex-wrap": "wrap" } },
    h("span", { class: "grow" }, on ? t("lights.on", { n: on, all: lights.length }) : t("lights.off")),
    h("span", { class: "spacer" }),
    on < lights.length && h("button", {
      class: "button",
      disabled: !isOpen(),
      onclick: () => switchAll(lights, true, title),
    }, t("lights.allOn")),
    on > 0 && h("button", {
      class: "button",
      disabled: !isOpen(),
      onclick: () => switchAll(lights, false, title),
    }, t("lights.allOff")),
  );
}

const before = (record) => (record ? { before: record.id } : {});

function roomMenu(button, room) {
  const here = home();
  menu(button, [
    { icon: "edit", label: t("rename"), action: () => rename(room, "room") },
    here.rooms.indexOf(room) > 0 &&
    {
      icon: "back",
      label: t("order.earlier"),
      action: () => performHere("room.reorder", { id: room.id, before: here.rooms[here.rooms.indexOf(room) - 1].id }),
    },
    here.rooms.indexOf(room) < here.rooms.length - 1 &&
    {
      icon: "chevron",
      label: t("order.later"),
      action: () => performHere("room.reorder", { id: room.id, ...before(here.rooms[here.rooms.indexOf(room) + 2]) }),
    },
    { icon: "home", label: t("zone.choose"), href: place("/zones") },
    {
      icon: "bin",
      isDanger: true,
      label: t("room.remove"),
      action: async () => {
        const inside = here.accessories.filter((each) => each.room === room.id).length;
        const agreed = await ask({
          title: t("remove.title", { name: room.name }),
          text: inside ? t("room.remove.text", { n: inside }) : t("room.remove.empty"),
          action: t("remove"),
        });
        if (agreed && (await performHere("room.remove", { id: room.id }))) back("/");
      },
    },
  ]);
}

/** Renames something and offers the former name back. */
export function rename(record, method) {
  const former = record.name;
  askName({
    title: t("rename.title", { name: former }),
    value: former,
    save: async (name) => {
      if (name === former) return;
      await change(`${method}.rename`, { id: record.id, name });
      say(t("renamed", { name }), () => performHere(`${method}.rename`, { id: record.id, name: former }));
    },
  });
}

export const zoneScreen = {
  title: (match) => home()?.get(match[1])?.name ?? "",
  parent: "/",
  body(match) {
    const here = home(), zone = here.get(match[1]);
    if (!zone) return gone();
    const rooms = here.rooms.filter((room) => zone.rooms.includes(room.id));
    const things = here.things.filter((thing) => zone.rooms.includes(thing.room));
    return [
      h("p", { class: "quiet" }, climate(things)),
      lightsRow(things, zone.name),
      rooms.length
        ? rooms.map((room) => roomSection(here, room.id, room.name))
        : h("p", { class: "empty" }, t("zone.empty")),
    ];
  },
};

export const categoryScreen = {
  title: (match) => t(`group.${match[1]}`),
  parent: "/",
  body(match) {
    const here = home(), group = match[1];
    const things = here.things.filter((thing) => typeOf(thing).group === group);
    if (!things.length) return h("p", { class: "empty" }, t("category.empty"));
    const rooms = [...here.rooms.map((room) => [room.id, room.name]), [here.defaultRoom, t("room.default")]];
    return [
      group === "lights" && lightsRow(things, here.name),
      rooms.map(([id, title]) => roomSection(here, id, title, things.filter((thing) => thing.room === id))),
    ];
  },
};
