// A room, a zone, or one kind of accessory, and all that needs a person.

import { attentionList, attentionRow, byKind, climate, roomSection, sceneStrip } from "./home.js";
import { ask, askName, back, menu, place } from "./router.js";
import { isLight, isOn, typeOf } from "./kinds.js";
import { clockTime, list, t } from "./words.js";
import { home } from "./model.js";
import { change, isOpen, performHere, say, switchAll } from "./actions.js";
import { tiles } from "./tiles.js";
import { h, icon } from "./dom.js";

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
  const button = (isOn, label) =>
    h("button", { class: "button", disabled: !isOpen(), onclick: () => switchAll(lights, isOn, title) }, label);
  return h(
    "div",
    { class: "lights-row" },
    h("span", null, on ? t("lights.on", { n: on, all: lights.length }) : t("lights.off")),
    h(
      "div",
      { class: "line" },
      on < lights.length && button(true, t("lights.allOn")),
      on > 0 && button(false, t("lights.allOff")),
    ),
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
