// Zones, which are several rooms, and groups of accessories.

import { h, icon, name as bidi } from "./dom.js";
import { ask, askName, menu, openSheet, place } from "./router.js";
import { list, t } from "./words.js";
import { change, performHere } from "./actions.js";
import { rename } from "./rooms.js";
import { home, storedID } from "./model.js";
import { now, typeOf } from "./kinds.js";

// MARK: Zones and groups

export const zonesScreen = {
  tab: "settings",
  parent: "/settings",
  title: () => t("zones"),
  tools: () =>
    home()?.canEdit &&
    h("button", {
      class: "round",
      "aria-label": t("zone.add"),
      onclick: () =>
        askName({
          title: t("zone.add"),
          action: t("add"),
          suggestions: t("zone.suggestions").split(", "),
          save: (name) => change("zone.add", { name }),
        }),
    }, icon("plus")),
  body() {
    const here = home();
    return [
      h("p", { class: "quiet" }, t("zones.text")),
      here.zones.length === 0 && h("p", { class: "empty" }, t("zones.none")),
      here.zones.map((zone) =>
        h(
          "section",
          { key: zone.id, class: "card", style: { "margin-block-start": "12px" } },
          h(
            "div",
            { class: "head", style: { width: "100%" } },
            h("h2", null, h("a", { href: place(`/zone/${zone.id}`) }, bidi(zone.name), icon("chevron", "small turns"))),
            h("span", { class: "spacer" }),
            here.canEdit &&
              h("button", {
                class: "round",
                "aria-label": t("more.about", { name: zone.name }),
                onclick: (event) => zoneMenu(event.currentTarget, zone),
              }, icon("more")),
          ),
          h(
            "div",
            { class: "chips", style: { margin: "0" } },
            here.rooms.map((room) => {
              const isIn = zone.rooms.includes(room.id);
              return h("button", {
                key: room.id,
                class: "chip",
                style: { background: isIn ? "" : "var(--well)" },
                "aria-pressed": String(isIn),
                disabled: !here.canEdit,
                onclick: () => performHere(isIn ? "zone.removeRoom" : "zone.addRoom", { zone: zone.id, room: room.id }),
              }, bidi(room.name));
            }),
          ),
        )
      ),
    ];
  },
};

function zoneMenu(button, zone) {
  menu(button, [{ icon: "edit", label: t("rename"), action: () => rename(zone, "zone") }, {
    icon: "bin",
    isDanger: true,
    label: t("remove"),
    action: async () => {
      if (
        await ask({ title: t("remove.title", { name: zone.name }), text: t("zone.removeText"), action: t("remove") })
      ) performHere("zone.remove", { id: zone.id });
    },
  }]);
}

export const groupsScreen = {
  tab: "settings",
  parent: "/settings",
  title: () => t("groups"),
  tools: () =>
    home()?.canEdit &&
    h("button", {
      class: "round",
      "aria-label": t("group.add"),
      onclick: () =>
        askName({ title: t("group.add"), action: t("add"), save: (name) => change("serviceGroup.add", { name }) }),
    }, icon("plus")),
  body() {
    const here = home();
    const groups = here.of("serviceGroup");
    return [
      h("p", { class: "quiet" }, t("groups.text")),
      groups.length === 0 && h("p", { class: "empty" }, t("groups.none")),
      groups.map((each) => groupCard(here, each)),
    ];
  },
};

const inGroup = (each, thing) =>
  (each.services ?? []).some((service) =>
    service.accessory === thing.accessory.id && service.service === storedID(thing.accessory, thing.service.iid)
  );

function groupCard(here, each) {
  const members = here.things.filter((thing) => inGroup(each, thing));
  return h(
    "section",
    { key: each.id, class: "card", style: { "margin-block-start": "12px" } },
    h(
      "div",
      { class: "head", style: { width: "100%" } },
      h("h2", null, bidi(each.name)),
      h("span", { class: "spacer" }),
      here.canEdit && h("button", {
        class: "round",
        "aria-label": t("more.about", { name: each.name }),
        onclick: (event) =>
          menu(event.currentTarget, [{ icon: "edit", label: t("rename"), action: () => rename(each, "serviceGroup") }, {
            icon: "bin",
            isDanger: true,
            label: t("remove"),
            action: async () => {
              if (
                await ask({
                  title: t("remove.title", { name: each.name }),
                  text: t("group.removeText"),
                  action: t("remove"),
                })
              ) performHere("serviceGroup.remove", { id: each.id });
            },
          }]),
      }, icon("more")),
    ),
    h("p", { class: "quiet" }, members.length ? list(members.map((thing) => thing.name)) : t("group.empty")),
    here.canEdit && h("button", { class: "button", onclick: () => groupMembers(each.id) }, t("group.choose")),
  );
}

function groupMembers(id) {
  openSheet({
    title: () => bidi(home()?.get(id)?.name ?? ""),
    body: () => {
      const here = home(), each = here?.get(id);
      if (!each) return null;
      return h(
        "div",
        null,
        here.things.filter((thing) => !typeOf(thing).isSensor).map((thing) =>
          h(
            "label",
            { class: "check", key: thing.id },
            h("input", {
              type: "checkbox",
              checked: inGroup(each, thing),
              onchange: (event) =>
                performHere(event.target.checked ? "serviceGroup.addService" : "serviceGroup.removeService", {
                  group: id,
                  service: { accessory: thing.accessory.id, service: storedID(thing.accessory, thing.service.iid) },
                }),
            }),
            icon(now(thing).icon),
            h(
              "span",
              null,
              bidi(thing.name),
              h("span", { class: "quiet small" }, " ", bidi(here.roomName(thing.room) ?? "")),
            ),
          )
        ),
      );
    },
  });
}
