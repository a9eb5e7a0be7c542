// Settings: the home, its people, zones and groups, the apps that may use it, and this device.

import { h, icon, name as bidi } from "./dom.js";
import {
  chooseLanguage,
  chooseUnits,
  currentLanguage,
  hubDate,
  LANGUAGES,
  list,
  loadLanguage,
  loadRest,
  moment,
  t,
  usesFahrenheit,
} from "./words.js";
import { home, homeList, model, storedID } from "./model.js";
import { now, typeOf } from "./kinds.js";
import { change, fail, hub, isOpen, perform, performHere, request, say, words } from "./actions.js";
import { ask, askName, go, menu, openSheet, paint, place } from "./router.js";
import { addRoom, rename } from "./home.js";
import { onOff, segments } from "./controls.js";
import { askForm } from "./picker.js";
import { symbol } from "./symbol.js";
import { backUp, exportHome, importHome } from "./files.js";

/** `opens` is for what opens a sheet, as an address does. */
const row = ({ key, href, onclick, symbol, what, sub, end, isDanger, opens }) =>
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
const group = (title, ...rows) =>
  h(
    "section",
    { key: title, style: { "margin-block-start": "24px" } },
    h("h2", { class: "head", style: { "font-size": "1.0625rem" } }, title),
    h("ul", { class: "list", role: "list" }, rows),
  );

export const settingsScreen = {
  view: true,
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

// MARK: This device

function deviceGroup() {
  const look = localStorage.getItem("hearth.look") ?? "";
  const isWall = localStorage.getItem("hearth.wall") === "1";
  return h(
    "section",
    { key: "device", style: { "margin-block-start": "24px" } },
    h("h2", { class: "head", style: { "font-size": "1.0625rem" } }, t("this.device")),
    segments(null, {
      key: "look",
      label: t("look"),
      chosen: look,
      options: ["", "light", "dark"].map((value) => ({ value, label: t(`look.${value || "system"}`) })),
      onchoose: (value) => {
        if (value) localStorage.setItem("hearth.look", value);
        else localStorage.removeItem("hearth.look");
        dispatchEvent(new Event("hearth-look"));
        paint();
      },
    }),
    segments(null, {
      key: "units",
      label: t("units"),
      chosen: usesFahrenheit() ? "f" : "c",
      options: [{ value: "c", label: "°C" }, { value: "f", label: "°F" }],
      onchoose: (value) => {
        chooseUnits(value);
        paint();
      },
    }),
    h(
      "div",
      { class: "field" },
      h("label", { for: "language" }, t("language")),
      h("select", {
        id: "language",
        value: currentLanguage(),
        onchange: async (event) => {
          chooseLanguage(event.target.value);
          await loadLanguage(event.target.value);
          await loadRest();
          for (const each of model.homes.values()) each.indexes = null;
          paint();
        },
      }, Object.entries(LANGUAGES).map(([key, label]) => h("option", { key, value: key, lang: key }, label))),
    ),
    h(
      "div",
      { class: "line", style: { "margin-block": "12px" } },
      h(
        "span",
        { style: { flex: "1" } },
        h("span", null, t("wall")),
        h("span", { class: "small quiet", style: { display: "block" } }, t("wall.text")),
      ),
      onOff(t("wall"), isWall, false, (on) => {
        localStorage.setItem("hearth.wall", on ? "1" : "0");
        if (on) go("/");
        else paint();
      }),
    ),
    h(
      "ul",
      { class: "list", role: "list" },
      row({ symbol: "phone", what: t("devices"), sub: t("devices.text"), onclick: devicesSheet, opens: true }),
      row({
        symbol: "leave",
        what: t("sign.outButton"),
        isDanger: true,
        onclick: async () => {
          if (await ask({ title: t("sign.outAsk"), text: t("sign.outText"), action: t("sign.outButton") })) {
            await hub.signOut();
            location.assign("/");
          }
        },
      }),
    ),
  );
}

/** The devices that are signed in as this person, and a code for another one. */
function devicesSheet() {
  let devices = null, code = null;
  const load = () =>
    hub.request("device.list").then((reply) => {
      devices = reply.devices;
    }, (error) => {
      devices = [];
      fail(error);
    }).finally(() => sheet.paint());
  const sheet = openSheet({
    title: () => t("devices"),
    body: () => [
      h(
        "ul",
        { class: "list", role: "list" },
        (devices ?? []).map((device) =>
          h(
            "li",
            { key: device.id, class: "row" },
            icon("phone"),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, bidi(device.name)),
              h(
                "span",
                { class: "sub" },
                device.isCurrent
                  ? t("devices.current")
                  : device.isConnected
                  ? t("devices.connected")
                  : t("devices.last", { time: moment(hubDate(device.lastUse ?? device.added)) }),
              ),
            ),
            !device.isCurrent && h("button", {
              class: "link danger",
              onclick: async () => {
                if (
                  await ask({
                    title: t("devices.ask", { name: device.name }),
                    text: t("devices.askText"),
                    action: t("sign.outButton"),
                  })
                ) {
                  await perform("device.remove", { id: device.id });
                  load();
                }
              },
            }, t("sign.outButton")),
          )
        ),
      ),
      h("h3", null, t("devices.add")),
      code
        ? h(
          "div",
          { class: "card" },
          linkBox(code),
          h("p", { class: "quiet" }, t("devices.code")),
          h("p", { style: { "font-size": "1.75rem", "letter-spacing": ".12em", direction: "ltr" } }, code.code),
          (code.addresses ?? []).map((address) =>
            h("p", { class: "small", key: address }, h("bdi", { dir: "ltr" }, address))
          ),
        )
        : h("button", {
          class: "button",
          onclick: () =>
            hub.request("login.create").then((reply) => {
              code = reply;
              sheet.paint();
              setTimeout(() => {
                code = null;
                sheet.paint();
              }, (reply.expiresIn ?? 60) * 1000);
            }, fail),
        }, t("devices.make")),
    ],
  });
  load();
}

/**
 * A link to scan with another device. A link to this machine itself works nowhere else, and no code is shown for it.
 */
function linkBox({ links }) {
  const [link] = links ?? [];
  if (!link) return null;
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(link.url);
  return [
    isLocal
      ? h(
        "p",
        { class: "small quiet", key: "local" },
        t("link.local"),
        " ",
        h("code", null, "hearth hub --http 0.0.0.0:8080"),
      )
      : link.symbol && symbol(link.symbol, t("link.symbol")),
    h("p", { class: "link-text", key: "link" }, link.url),
    navigator.clipboard &&
    h("button", {
      type: "button",
      class: "button",
      key: "copy",
      onclick: () => navigator.clipboard.writeText(link.url).then(() => say(t("link.copied")), fail),
    }, t("link.copy")),
  ];
}

// MARK: People

let presence = { stamp: null, users: new Map() };

function askPresence(here) {
  const stamp = `${here.id} ${here.revision}`;
  if (presence.stamp === stamp || !isOpen()) return;
  presence.stamp = stamp;
  request("presence.list").then((reply) => {
    presence.users = new Map(reply.users.map((each) => [each.user, each]));
    paint();
  }, () => {});
}

export const peopleScreen = {
  view: true,
  tab: "settings",
  parent: "/settings",
  title: () => t("people"),
  tools: () =>
    home()?.canEdit &&
    h("button", { class: "round", "aria-label": t("people.add"), onclick: () => addPerson() }, icon("plus")),
  body() {
    const here = home();
    askPresence(here);
    askInvitations(here);
    const users = here.of("user");
    return [
      users.length === 1 && h("p", { class: "quiet" }, t("people.alone")),
      h(
        "ul",
        { class: "list", role: "list", style: { "max-width": "44rem" } },
        users.map((user) => personRow(here, user)),
      ),
      invitationRows(here),
    ];
  },
};

function personRow(here, user) {
  const where = presence.users.get(user.id);
  const isMe = user.id === here.user;
  const sub = [
    t(`role.${user.role}`),
    isMe && t("people.you"),
    user.isSuspended && t("people.suspended"),
    where?.isHome === true ? t("people.isHome") : where?.isHome === false ? t("people.isAway") : null,
  ].filter(Boolean).join(" · ");
  const canAct = here.canEdit || isMe;
  return row({
    key: user.id,
    symbol: "person",
    what: bidi(user.name),
    sub,
    onclick: canAct ? (event) => personMenu(event.currentTarget, here, user, isMe, where) : null,
    end: canAct && icon("more", "go"),
  });
}

function personMenu(button, here, user, isMe, where) {
  const setPresence = (isHome) =>
    performHere("presence.set", { ...(isMe ? {} : { user: user.id }), isHome }).then(() => {
      presence.stamp = null;
      paint();
    });
  menu(button, [
    {
      icon: where?.isHome ? "leave" : "arrive",
      label: t(where?.isHome ? "people.setAway" : "people.setHome"),
      action: () => setPresence(!where?.isHome),
    },
    here.canEdit && !isMe && user.role !== "owner" &&
    {
      icon: "edit",
      label: t(user.role === "guest" ? "people.makeAdmin" : "people.makeGuest"),
      action: () =>
        performHere("user.setRole", { id: user.id, role: user.role === "guest" ? "administrator" : "guest" }),
    },
    here.isOwner && !isMe && user.role !== "owner" && !user.isSuspended &&
    { icon: "qr", label: t("invite.make"), action: () => invite(here, user) },
    here.isOwner && user.isSuspended &&
    { icon: "check", label: t("people.confirm"), action: () => performHere("user.confirm", { id: user.id }) },
    user.role !== "owner" && (here.canEdit || isMe) &&
    {
      icon: "bin",
      isDanger: true,
      label: t(isMe ? "people.leave" : "people.remove"),
      action: async () => {
        if (
          await ask({
            title: t("remove.title", { name: user.name }),
            text: t("people.removeText"),
            action: t("remove"),
          })
        ) performHere("user.remove", { id: user.id });
      },
    },
  ]);
}

/** A link with which another person signs in on a device of their own: told once, valid for a day. */
async function invite(here, user) {
  let reply = null, failure = null;
  const sheet = openSheet({
    title: () => t("invite.title", { name: user.name }),
    body: () => [
      failure && h("p", { role: "alert" }, words(failure)),
      !reply && !failure && h("p", { class: "quiet", role: "status" }, t("loading")),
      reply && h("div", { class: "card" }, linkBox(reply)),
      reply && h("p", { class: "quiet" }, t("invite.text", { time: moment(hubDate(reply.invitation.expires)) })),
      h(
        "div",
        { class: "buttons end" },
        h("button", { class: "button main", onclick: () => sheet.close() }, t("done")),
      ),
    ],
  });
  try {
    reply = await hub.perform("invitation.create", { user: { home: here.id, id: user.id } });
  } catch (error) {
    failure = error;
  }
  invitations.stamp = null;
  sheet.paint();
  paint();
}

let invitations = { stamp: null, list: [] };

function askInvitations(here) {
  const stamp = `${here.id} ${here.revision}`;
  if (!here.isOwner || invitations.stamp === stamp || !isOpen()) return;
  invitations.stamp = stamp;
  request("invitation.list").then((reply) => {
    invitations.list = reply.invitations;
    paint();
  }, () => {
    invitations.list = [];
  });
}

function invitationRows(here) {
  const open = here.isOwner ? invitations.list.filter((each) => each.home === here.id && here.get(each.user)) : [];
  return open.length > 0 &&
    h(
      "section",
      { key: "invitations", style: { "margin-block-start": "24px", "max-width": "44rem" } },
      h("h2", { class: "head", style: { "font-size": "1.0625rem" } }, t("invite.open")),
      h(
        "ul",
        { class: "list", role: "list" },
        open.map((each) =>
          h(
            "li",
            { key: each.id, class: "row" },
            icon("qr"),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, bidi(here.get(each.user).name)),
              h("span", { class: "sub" }, t("invite.until", { time: moment(hubDate(each.expires)) })),
            ),
            h("button", {
              class: "link danger",
              onclick: async () => {
                await perform("invitation.remove", { id: each.id });
                invitations.stamp = null;
                paint();
              },
            }, t("invite.remove")),
          )
        ),
      ),
    );
}

async function addPerson() {
  const answer = await askForm(t("people.add"), { name: "", role: "guest" }, (state, draw) => [
    h(
      "div",
      { class: "field", key: "name" },
      h("label", { for: "person" }, t("name")),
      h("input", {
        id: "person",
        type: "text",
        maxlength: "64",
        required: true,
        autofocus: true,
        autocomplete: "off",
        value: "",
        oninput: (event) => {
          state.name = event.target.value;
        },
      }),
    ),
    segments(null, {
      key: "role",
      label: t("people.role"),
      chosen: state.role,
      options: ["guest", "administrator"].map((value) => ({ value, label: t(`role.${value}`) })),
      onchoose: (value) => {
        state.role = value;
        draw();
      },
    }),
  ], t("add"));
  if (answer?.name.trim()) {
    performHere("user.add", { name: answer.name.trim(), role: answer.role }, {
      done: t("saved", { name: answer.name }),
    });
  }
}

// MARK: Zones and groups

export const zonesScreen = {
  view: true,
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
  view: true,
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

// MARK: Apps

let apps = null;

export const appsScreen = {
  view: true,
  tab: "settings",
  parent: "/settings",
  title: () => t("apps"),
  body() {
    if (!apps && isOpen()) {
      apps = [];
      hub.request("app.list").then((reply) => {
        apps = reply.apps;
        paint();
      }, (error) => {
        fail(error);
      });
    }
    const act = (method, id) =>
      perform(method, { id }).then(() => {
        apps = null;
        paint();
      });
    return [
      h("p", { class: "quiet" }, t("apps.text")),
      (apps ?? []).length === 0 && h("p", { class: "empty" }, t("apps.none")),
      h(
        "ul",
        { class: "list", role: "list" },
        (apps ?? []).map((app) =>
          row({
            key: app.id,
            symbol: "box",
            what: h("bdi", { dir: "ltr" }, app.id),
            sub: [t(app.isAllowed === false ? "apps.denied" : "apps.allowed"), app.purpose].filter(Boolean).join(" · "),
            onclick: (event) =>
              menu(event.currentTarget, [
                {
                  icon: "check",
                  label: t("apps.allow"),
                  action: () => act("app.allow", app.id),
                },
                { icon: "close", label: t("apps.deny"), action: () => act("app.deny", app.id) },
                { icon: "bin", label: t("apps.forget"), action: () => act("app.forget", app.id) },
              ]),
          })
        ),
      ),
    ];
  },
};
