// The detail of an accessory: all controls, why it is as it is, where it is, what uses it.

import { C, isState } from "./chars.js";
import { changedAt, home, serviceIdentity, storedID, value } from "./model.js";
import { entryText, explain, withoutEchoes } from "./journal.js";
import { askName, menu, openSheet, paint, place } from "./router.js";
import { h, icon, name as bidi } from "./dom.js";
import { rename } from "./rooms.js";
import { controls, facts } from "./controls.js";
import { segments } from "./widgets.js";
import { about, device, diagnose, identify, removeAccessory } from "./device.js";
import { discStyle } from "./tiles.js";
import { change, performHere, request, say } from "./actions.js";
import { asksFirst, isTile, kindName, now, typeOf, TYPES } from "./kinds.js";
import { plot } from "./plot.js";
import { has, hubDate, moment, momentWithin, t } from "./words.js";

/** What was asked of the hub for an open sheet: filled while it is open, then forgotten. */
const asked = new Map();

function once(key, job) {
  if (!asked.has(key)) {
    asked.set(key, null);
    job().then((result) => asked.set(key, result), () => asked.set(key, undefined)).finally(paint);
  }
  return asked.get(key);
}

export const thingSheet = {
  view(match) {
    const id = match[1];
    const find = () => home()?.thing(id);
    asked.clear();
    return {
      title: () => {
        const thing = find();
        return thing ? bidi(thing.name) : t("gone");
      },
      tools: () => {
        const thing = find();
        return thing &&
          [
            star(thing),
            h("button", {
              class: "round",
              "aria-label": t("more"),
              "aria-haspopup": "true",
              onclick: (event) => thingMenu(event.currentTarget, thing),
            }, icon("more")),
          ];
      },
      body: () => {
        const thing = find();
        return thing ? thingBody(thing) : null;
      },
    };
  },
};

/** Favorites are this person's own. */
function star(thing) {
  const favorite = serviceIdentity(thing);
  const isFavorite = thing.home.favorites.some((each) => each.thing?.id === thing.id);
  return h("button", {
    class: `round ${isFavorite ? "starred" : ""}`,
    "aria-pressed": String(isFavorite),
    "aria-label": t("favorite"),
    onclick: () => performHere(isFavorite ? "favorite.remove" : "favorite.add", { favorite }),
  }, icon("star"));
}

/** Puts a thing before its neighbor in the room, or after it. */
function reorder(thing, step) {
  const list = [...document.querySelectorAll(`section[aria-labelledby="room-${thing.room}"] .tile`)].map((node) =>
    thing.home.thing(node.dataset.thing)
  ).filter(Boolean);
  const at = list.findIndex((each) => each.id === thing.id);
  if (step < 0 && at <= 0) return;
  const next = list[step < 0 ? at - 1 : at + 2];
  performHere("service.reorder", {
    service: serviceIdentity(thing),
    ...(next ? { before: serviceIdentity(next) } : {}),
  });
}

function thingBody(thing) {
  const state = now(thing);
  const here = thing.home;
  const own = controls(thing);
  const parts = thing.parts.filter((part) => isTile(part.type) && thing.service.linked.includes(part.iid));
  const batteries = thing.parts.filter((part) => !parts.includes(part) && !["3E", "A2"].includes(part.type));
  return [
    heading(thing, state),
    state.trouble && troubleBox(thing, state.trouble),
    h("div", { key: "controls" }, own),
    parts.map((part) => partBox(thing, part)),
    facts(thing, [thing.service, ...batteries]),
    history(thing),
    why(thing),
    about(thing, here),
    used(thing, here),
    device(thing.accessory, here),
  ];
}

function heading(thing, state) {
  return h(
    "div",
    { class: `headline ${state.isMoving ? "moving" : ""}`, key: "headline" },
    h("span", { class: `disc d-${state.disc} ${state.isOn ? "on" : ""}`, style: discStyle(state) }, icon(state.icon)),
    h(
      "div",
      null,
      h("p", { class: "large" }, state.lead ?? state.word),
      h("p", { class: "since" }, since(thing, state) ?? (state.lead ? state.word : kindName(thing))),
    ),
  );
}

/** Since when something is as it is; of what only measures, nobody wants to know. */
function since(thing, state) {
  const { main } = TYPES[thing.service.type] ?? {};
  const characteristic = thing.service.chars[main ?? STATES.find((type) => thing.service.chars[type])];
  const at = characteristic && !state.trouble && !state.isMoving && !state.isUnknown ? changedAt(characteristic) : 0;
  return at ? t("since", { what: state.lead ? state.word : kindName(thing), time: momentWithin(new Date(at)) }) : null;
}

const STATES = [
  C.lockNow,
  C.doorNow,
  C.position,
  C.securityNow,
  C.contact,
  C.motion,
  C.presence,
  C.leak,
  C.smoke,
  C.carbonMonoxide,
];

function partBox(thing, part) {
  const shown = controls(thing, part);
  if (!shown.length || part.type === "D9") return null;
  return h("div", { key: `part-${part.iid}` }, shown);
}

/** Troubles whose texts don't say what to do. */
const UNADVISED = new Set([
  "timedOut",
  "refused",
  "noRoute",
  "connectionLost",
  "deviceUnreachable",
  "protocolViolation",
]);

function troubleBox(thing, { key, reach }) {
  const isKnown = reach && has(`e.${reach.trouble}`);
  return h(
    "div",
    { class: "card", key: "trouble" },
    h("h3", { style: { margin: "0" } }, t(`trouble.${key}`)),
    isKnown ? h("p", null, t(`e.${reach.trouble}`)) : reach?.cause ? h("p", { lang: "en" }, reach.cause) : null,
    isKnown && !UNADVISED.has(reach.trouble) ? null : h("p", { class: "quiet" }, t(`help.${key}`)),
    h(
      "div",
      { class: "buttons", style: { margin: "0" } },
      h("button", { class: "button", onclick: () => diagnose(thing.accessory) }, t("diagnose")),
      key === "blocked" && thing.home.canEdit && h("button", {
        class: "button",
        onclick: () => performHere("accessory.unblock", { id: thing.accessory.id }),
      }, t("unblock")),
      key === "wasReset" && thing.home.canEdit && h("a", { class: "button", href: place("/add") }, t("add.again")),
    ),
  );
}

function why(thing) {
  const entries = once(
    `why-${thing.accessory.id}`,
    async () => (await request("journal.explain", { id: thing.accessory.id })).entries,
  );
  if (!entries?.length) return null;
  const [reason, when] = explain(entries, thing.home);
  return h(
    "div",
    { key: "why" },
    h("h3", null, t("why")),
    h("p", null, reason),
    h("p", { class: "quiet small" }, when),
    h(
      "a",
      { class: "link", style: { padding: "0" }, href: `${place("/activity")}` },
      t("activity"),
      icon("chevron", "small turns"),
    ),
  );
}

/** The last day of what a sensor measures, or the last changes of what it does. */
function history(thing) {
  const measured = Object.values(thing.service.chars).filter((each) =>
    typeof value(each) === "number" && !isState(each.type, each) && !each.permissions.includes("pw")
  );
  if (measured.length && typeOf(thing).isSensor) return plot(thing, measured[0], once, segments);
  const entries = once(
    `log-${thing.accessory.id}`,
    async () => (await request("journal.list", { about: thing.accessory.id, limit: 12 })).entries,
  );
  const shown = withoutEchoes(entries ?? []).filter((entry) =>
    entry.content.value || entry.content.failedWrite || entry.content.reachability
  ).slice(0, 5);
  if (!shown.length) return null;
  return h(
    "div",
    { key: "history" },
    h("h3", null, t("lately")),
    h(
      "ul",
      { class: "list", role: "list" },
      shown.map((entry) =>
        h(
          "li",
          { key: entry.id, class: "row" },
          h("span", { class: "grow" }, h("span", { class: "what plain-weight" }, entryText(entry, thing.home)[0])),
          h("span", { class: "end small" }, moment(hubDate(entry.time))),
        )
      ),
    ),
  );
}

/** The scenes, automations and groups that name a thing. */
function used(thing, here) {
  const rows = [];
  const mentions = (part) => JSON.stringify(part ?? null).includes(thing.accessory.id);
  const scenes = here.scenes.filter((scene) => mentions(scene.actions));
  for (const scene of scenes) rows.push([scene.id, "scenes", scene.name, `/scene/${scene.id}`]);
  for (const trigger of here.of("trigger")) {
    if (mentions(trigger.definition) || trigger.actionSets.some((id) => mentions(here.get(id)?.actions))) {
      rows.push([trigger.id, "automation", trigger.name, `/automation/${trigger.id}`]);
    }
  }
  const service = storedID(thing.accessory, thing.service.iid);
  for (const group of here.of("serviceGroup")) {
    if ((group.services ?? []).some((each) => each.service === service && each.accessory === thing.accessory.id)) {
      rows.push([group.id, "lamps", group.name, "/groups"]);
    }
  }
  if (!rows.length) return null;
  return h(
    "div",
    { key: "used" },
    h("h3", null, t("used.by")),
    h(
      "ul",
      { class: "list", role: "list" },
      rows.map(([key, symbol, label, href]) =>
        h(
          "li",
          { key },
          h(
            "a",
            { class: "row", href: place(href) },
            icon(symbol),
            h("span", { class: "grow what" }, bidi(label)),
            icon("chevron", "go turns"),
          ),
        )
      ),
    ),
  );
}

function thingMenu(button, thing) {
  const { accessory } = thing;
  const here = home();
  const reachable = !now(thing).trouble;
  menu(button, [
    {
      icon: "search",
      label: t(reachable ? "identify" : "identify.away"),
      action: () => reachable && identify(accessory),
    },
    here.canEdit &&
    {
      icon: "edit",
      label: t("rename"),
      action: () => (thing.isOnly ? rename(accessory, "accessory") : renameService(thing)),
    },
    here.canEdit && associations(thing).length > 0 &&
    { icon: "lamp", label: t("associate"), action: () => associate(thing) },
    here.canEdit && TYPES[thing.service.type]?.main &&
    {
      icon: asksFirst(thing) ? "check" : "shield",
      label: t(asksFirst(thing) ? "asks.not" : "asks"),
      action: () =>
        performHere("service.setAsksFirst", {
          accessory: accessory.id,
          iid: thing.service.iid,
          asksFirst: !asksFirst(thing),
        }),
    },
    here.canEdit && {
      icon: "close",
      label: t(thing.isHidden ? "show" : "hide"),
      action: () =>
        performHere(
          "service.setHidden",
          { accessory: accessory.id, iid: thing.service.iid, isHidden: !thing.isHidden },
          {
            done: thing.isHidden ? undefined : t("hidden", { name: thing.name }),
            undo: () =>
              performHere("service.setHidden", { accessory: accessory.id, iid: thing.service.iid, isHidden: false }),
          },
        ),
    },
    here.canEdit && !thing.isHidden && { icon: "back", label: t("order.earlier"), action: () => reorder(thing, -1) },
    here.canEdit && !thing.isHidden && { icon: "chevron", label: t("order.later"), action: () => reorder(thing, 1) },
    ...favoriteOrder(thing),
    { icon: "help", label: t("diagnose"), action: () => diagnose(accessory) },
    here.canEdit &&
    {
      icon: accessory.isBlocked ? "check" : "link-off",
      label: t(accessory.isBlocked ? "unblock" : "block"),
      action: () => performHere(accessory.isBlocked ? "accessory.unblock" : "accessory.block", { id: accessory.id }),
    },
    here.canEdit && !accessory.bridge &&
    { icon: "bin", isDanger: true, label: t("accessory.remove"), action: () => removeAccessory(accessory) },
    here.canEdit && accessory.bridge &&
    { icon: "bridge", label: t("bridge.show"), href: place(`/device/${accessory.bridge}`) },
  ]);
}

/** A favorite goes before its neighbor, or after it. */
function favoriteOrder(thing) {
  const list = thing.home.favorites.filter((each) => each.thing);
  const at = list.findIndex((each) => each.thing.id === thing.id);
  if (at < 0 || list.length < 2) return [];
  const move = (before) =>
    performHere("favorite.move", { favorite: list[at].favorite, ...(before ? { before: before.favorite } : {}) });
  return [
    at > 0 && { icon: "star", label: t("favorite.earlier"), action: () => move(list[at - 1]) },
    at < list.length - 1 && { icon: "star", label: t("favorite.later"), action: () => move(list[at + 2]) },
  ];
}

function renameService(thing) {
  const former = thing.name;
  askName({
    title: t("rename.title", { name: former }),
    value: former,
    save: async (text) => {
      await change("service.rename", { accessory: thing.accessory.id, iid: thing.service.iid, name: text });
      say(
        t("renamed", { name: text }),
        () => performHere("service.rename", { accessory: thing.accessory.id, iid: thing.service.iid, name: former }),
      );
    },
  });
}

/** What a switch or a contact sensor can stand for. */
function associations(thing) {
  if (["49", "47"].includes(thing.service.type)) return [null, "43", "40"];
  if (thing.service.type === "80") return [null, "81", "8B", "41"];
  return [];
}

function associate(thing) {
  const find = () => home()?.thing(thing.id);
  openSheet({
    isAlert: true,
    title: () => t("associate"),
    body: () => {
      const each = find();
      if (!each) return null;
      const options = associations(each).map((type) => ({
        value: type ?? each.service.type,
        label: type ? t(`k.${TYPES[type].kind}`) : t(`k.${TYPES[each.service.type].kind}`),
      }));
      return segments(null, {
        key: "type",
        label: null,
        chosen: each.type.length > 4 ? shortOf(each.type) : each.type,
        options,
        onchoose: (type) =>
          performHere("service.setAssociatedType", {
            accessory: each.accessory.id,
            iid: each.service.iid,
            type: type === each.service.type ? null : type,
          }),
      });
    },
  });
}

const shortOf = (type) => /^0*([0-9A-F]+)-/i.exec(type)?.[1] ?? type;
