// Settings: the homes and rooms, and the way to people, zones, groups, apps and this device.

import { h, icon, name as bidi } from "./dom.js";
import { ask, askName, go, menu, openSheet, place } from "./router.js";
import { group, row } from "./rows.js";
import { hub, perform, performHere } from "./actions.js";
import { deviceGroup } from "./devices.js";
import { list, t } from "./words.js";
import { backUp, exportHome, importHome } from "./files.js";
import { addRoom } from "./home.js";
import { rename } from "./rooms.js";
import { home, homeList, model } from "./model.js";
import { typeOf } from "./kinds.js";
import { askForm } from "./picker.js";
import { openRoutePicker, routeName } from "./route-picker.js";

export const settingsScreen = {
  tab: "settings",
  title: () => t("settings"),
  body() {
    const here = home();
    return [
      h(
        "div",
        { style: { "max-width": "44rem" } },
        here && homeGroup(here),
        group(
          t("homes"),
          homeList().map((each) =>
            row({
              key: each.id,
              symbol: "home",
              what: bidi(each.name),
              sub: each.isPrimary ? t("home.main") : null,
              onclick: (event) => homeMenu(event.currentTarget, each),
              end: [each.id === model.homeID && homeList().length > 1 && icon("check", "small"), icon("more", "go")],
            })
          ),
          row({ key: "add", symbol: "plus", what: t("home.add"), onclick: addHome }),
        ),
        model.media &&
          group(
            t("playing.title"),
            row({ symbol: "speaker", what: t("route.title"), sub: routeName(), onclick: openRoutePicker, opens: true }),
          ),
        deviceGroup(),
        group(
          t("files"),
          here && row({ symbol: "leave", what: t("export"), sub: t("export.text"), onclick: exportHome }),
          here?.canEdit &&
            row({ symbol: "arrive", what: t("import"), sub: t("import.sub"), onclick: importHome, opens: true }),
          (!here || here.isOwner) &&
            row({ symbol: "shield", what: t("backup"), sub: t("backup.sub"), onclick: backUp, opens: true }),
        ),
      ),
    ];
  },
};

function homeGroup(here) {
  const place2 = here.get(here.id)?.place;
  return group(
    bidi(here.name),
    row({
      symbol: "person",
      what: t("people"),
      sub: list(here.of("user").map((user) => user.name)),
      href: place("/people"),
    }),
    here.canEdit && row({
      symbol: "door",
      what: t("rooms"),
      sub: here.rooms.length ? list(here.rooms.map((room) => room.name)) : t("none"),
      onclick: roomsSheet,
      opens: true,
    }),
    row({ symbol: "home", what: t("zones"), sub: t("zones.text"), href: place("/zones") }),
    row({ symbol: "lamps", what: t("groups"), sub: t("groups.text"), href: place("/groups") }),
    bridges(here),
    here.hiddenThings.length > 0 &&
      row({
        symbol: "close",
        what: t("hidden.title"),
        sub: list(here.hiddenThings.map((thing) => thing.name)),
        onclick: hiddenSheet,
        opens: true,
      }),
    here.canEdit &&
      row({
        symbol: "sun",
        what: t("home.place"),
        sub: place2 ? t("home.placeSet") : t("home.placeNone"),
        onclick: () => editPlace(here),
        opens: true,
      }),
    row({ symbol: "shield", what: t("apps"), sub: t("apps.text"), href: place("/apps") }),
  );
}

function bridges(here) {
  return here.accessories.filter((each) => each.isBridge).map((bridge) =>
    row({
      key: bridge.id,
      symbol: "bridge",
      what: bidi(bridge.name),
      sub: t("bridge.count", { n: here.accessories.filter((each) => each.bridge === bridge.id).length }),
      href: place(`/device/${bridge.id}`),
    })
  );
}

function roomsSheet() {
  openSheet({
    title: () => t("rooms"),
    body: () => {
      const here = home();
      return h(
        "ul",
        { class: "list", role: "list" },
        here.rooms.map((room) =>
          row({
            key: room.id,
            symbol: "door",
            what: bidi(room.name),
            sub: t("room.count", { n: here.things.filter((thing) => thing.room === room.id).length }),
            onclick: (event) =>
              menu(event.currentTarget, [{ icon: "edit", label: t("rename"), action: () => rename(room, "room") }, {
                icon: "bin",
                isDanger: true,
                label: t("room.remove"),
                action: async () => {
                  if (
                    await ask({
                      title: t("remove.title", { name: room.name }),
                      text: t("room.remove.note"),
                      action: t("remove"),
                    })
                  ) performHere("room.remove", { id: room.id });
                },
              }]),
          })
        ),
        row({ key: "add", symbol: "plus", what: t("room.add"), onclick: addRoom }),
      );
    },
  });
}

function hiddenSheet() {
  const sheet = openSheet({
    title: () => t("hidden.title"),
    body: () =>
      h(
        "ul",
        { class: "list", role: "list" },
        home().hiddenThings.map((thing) =>
          row({
            key: thing.id,
            symbol: typeOf(thing).icon,
            what: bidi(thing.name),
            sub: home().roomName(thing.room),
            onclick: () => {
              sheet.close();
              go(place(`/accessory/${thing.id}`));
            },
          })
        ),
      ),
  });
}

export function addHome() {
  askName({
    title: t("home.add"),
    value: homeList().length ? "" : t("home.first"),
    action: t("add"),
    save: async (name) => {
      const { id } = await hub.perform("home.add", { name });
      model.homeID = id;
      go(`/?home=${id}`);
    },
  });
}

function homeMenu(button, each) {
  menu(button, [
    {
      icon: "home",
      label: t("home.show"),
      action: () => {
        model.homeID = each.id;
        go(place("/"));
      },
    },
    {
      icon: "edit",
      label: t("rename"),
      action: () =>
        askName({
          title: t("rename.title", { name: each.name }),
          value: each.name,
          save: (name) => hub.perform("home.rename", { home: each.id, id: each.id, name }),
        }),
    },
    !each.isPrimary &&
    { icon: "star", label: t("home.makeMain"), action: () => perform("home.setPrimary", { home: each.id }) },
    each.isOwner && { icon: "bin", isDanger: true, label: t("home.remove"), action: () => removeHome(each) },
  ]);
}

/** A home is removed by typing its name. */
function removeHome(each) {
  askName({
    title: t("remove.title", { name: each.name }),
    label: t("home.removeType", { name: each.name }),
    action: t("remove"),
    hint: t("home.removeText"),
    save: async (text) => {
      if (text !== each.name) throw Object.assign(new Error(t("home.removeWrong")), { code: "" });
      await hub.perform("home.remove", { home: each.id });
      go("/", { replaces: true });
    },
  });
}

async function editPlace(here) {
  const now = here.get(here.id)?.place ?? {};
  const answer = await askForm(
    t("home.place"),
    { latitude: now.latitude ?? "", longitude: now.longitude ?? "" },
    (state) => [
      h("p", { class: "quiet" }, t("home.placeText")),
      ["latitude", "longitude"].map((key) =>
        h(
          "div",
          { class: "field", key },
          h("label", { for: key }, t(`place.${key}`)),
          h("input", {
            id: key,
            type: "number",
            step: "any",
            min: key === "latitude" ? -90 : -180,
            max: key === "latitude" ? 90 : 180,
            required: true,
            value: state[key],
            oninput: (event) => {
              state[key] = event.target.value;
            },
          }),
        )
      ),
    ],
    t("save"),
  );
  if (answer) {
    performHere(
      "home.setPlace",
      { place: { latitude: Number(answer.latitude), longitude: Number(answer.longitude) } },
      { done: t("saved", { name: t("home.place") }) },
    );
  }
}
