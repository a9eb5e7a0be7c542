// The devices of this person: what they are, another one, and those that are removed.

import { h, icon, name as bidi } from "./dom.js";
import { hubDate, momentWithin, t } from "./words.js";
import { ask, menu, openSheet, paint } from "./router.js";
import { fail, hub, isOpen, perform, say } from "./actions.js";
import { askForm, chooseOne } from "./picker.js";
import { symbol } from "./symbol.js";
import { row } from "./rows.js";

const own = { list: null, isAsked: false };

/** Asks for the devices again. Whoever shows them is painted when they are there. */
export function loadDevices(then = paint) {
  own.isAsked = true;
  return hub.request("device.list").then((reply) => {
    own.list = reply.devices;
  }, (error) => {
    own.list ??= [];
    fail(error);
  }).finally(then);
}

/** The rows of the devices, each with a menu. `then` paints whoever shows them. */
export function deviceRows(then = paint) {
  if (!own.isAsked && isOpen()) loadDevices(then);
  return (own.list ?? []).map((device) =>
    row({
      key: device.id,
      symbol: device.kind === "agent" ? "box" : "phone",
      what: bidi(device.name),
      sub: standing(device),
      onclick: (event) => deviceMenu(event.currentTarget, device, then),
      end: icon("more", "go"),
    })
  );
}

function standing(device) {
  const added = { time: momentWithin(hubDate(device.added)), name: device.addedBy ?? "" };
  const seen = device.isSuspended
    ? t("people.suspended")
    : device.isCurrent
    ? t("devices.current")
    : device.isConnected
    ? t("devices.connected")
    : t("devices.last", { time: momentWithin(hubDate(device.lastUse ?? device.added)) });
  return [
    t(device.kind === "agent" ? "devices.computer" : "devices.browser"),
    seen,
    ["near", "away"].includes(device.way) && t(device.way === "near" ? "devices.near" : "devices.away"),
    device.addedBy ? t("devices.addedBy", added) : t("devices.added", { time: added.time }),
  ].filter(Boolean).join(" · ");
}

function deviceMenu(button, device, then) {
  menu(button, [
    { icon: "edit", label: t("rename"), action: () => renameDevice(device, then) },
    device.isSuspended && {
      icon: "check",
      label: t("people.confirm"),
      action: () => perform("device.confirm", { ids: [device.id] }).then(() => loadDevices(then)),
    },
    !device.isCurrent && {
      icon: "bin",
      isDanger: true,
      label: t("devices.remove"),
      action: () => removeDevice(device, false, then),
    },
    !device.isCurrent && {
      icon: "shield",
      isDanger: true,
      label: t("devices.stolen"),
      action: () => removeDevice(device, true, then),
    },
  ]);
}

async function renameDevice(device, then) {
  const answer = await askForm(t("rename.title", { name: device.name }), { name: device.name }, (state) =>
    h(
      "div",
      { class: "field" },
      h("label", { for: "device-name" }, t("name")),
      h("input", {
        id: "device-name",
        type: "text",
        maxlength: "64",
        required: true,
        autofocus: true,
        autocomplete: "off",
        value: device.name,
        oninput: (event) => {
          state.name = event.target.value;
        },
      }),
    ), t("save"));
  const name = answer?.name.trim();
  if (!name || name === device.name) return;
  await perform("device.rename", { id: device.id, name }, { done: t("renamed", { name }) });
  loadDevices(then);
}

async function removeDevice(device, isStolen, then) {
  const agreed = await ask({
    title: t("remove.title", { name: device.name }),
    text: t(isStolen ? "devices.stolenText" : "devices.removeText"),
    action: t("remove"),
  });
  if (!agreed) return;
  const removed = await perform("device.remove", isStolen ? { id: device.id, isStolen } : { id: device.id });
  loadDevices(then);
  if (removed && isStolen) deedsSheet(device, removed.deeds ?? []);
}

/** The ways to take back what came from a stolen device: the method and its parameters. */
const UNDOING = {
  userAdded: (deed) => ["user.remove", { home: deed.home, id: deed.id }],
  userConfirmed: (deed) => ["user.remove", { home: deed.home, id: deed.id }],
  userRoleChanged: (deed) => ["user.setRole", { home: deed.home, id: deed.id, role: "guest" }],
  deviceAdded: (deed) => ["device.remove", { id: deed.id }],
  userInvited: (deed) => ["invitation.remove", { id: deed.id }],
};
const DEEDS = {
  userAdded: "deed.userAdded",
  userRoleChanged: "deed.userRoleChanged",
  deviceAdded: "deed.deviceAdded",
  userInvited: "deed.userInvited",
};

/** What came from a stolen device, and the way to take each back. */
function deedsSheet(device, deeds) {
  const done = new Set();
  const sheet = openSheet({
    title: () => t("deeds.title", { name: device.name }),
    body: () => [
      deeds.length === 0 && h("p", { class: "quiet" }, t("deeds.none")),
      h(
        "ul",
        { class: "list", role: "list" },
        deeds.map((deed, at) =>
          h(
            "li",
            { key: at, class: "row" },
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, t(DEEDS[deed.verb] ?? "deed.other", { name: deed.name })),
              h("span", { class: "sub" }, momentWithin(hubDate(deed.time))),
            ),
            deed.id && UNDOING[deed.verb] && (done.has(at) ? t("done") : h("button", {
              class: "link danger",
              onclick: () =>
                hub.perform(...UNDOING[deed.verb](deed)).then(() => {
                  done.add(at);
                  sheet.paint();
                }, fail),
            }, t("deed.undo"))),
          )
        ),
      ),
      h(
        "div",
        { class: "buttons end" },
        h("button", { class: "button main", onclick: () => sheet.close() }, t("done")),
      ),
    ],
  });
}

// MARK: Another device

/** Asks what kind of device joins, and shows its code or link. */
export async function addDevice(then = paint) {
  const kind = await chooseOne(t("devices.addOne"), [
    { key: "browser", value: "browser", icon: "phone", label: t("devices.addBrowser") },
    { key: "code", value: "code", icon: "box", label: t("devices.addNear") },
    { key: "link", value: "link", icon: "qr", label: t("devices.addFar") },
  ]);
  if (!kind) return;
  let reply = null, failure = null;
  const sheet = openSheet({
    title: () => t("devices.addOne"),
    onclose: () => loadDevices(then),
    body: () => [
      failure && h("p", { role: "alert" }, failure),
      !reply && !failure && h("p", { class: "quiet", role: "status" }, t("loading")),
      reply && h("div", { class: "card" }, kind === "browser" ? loginBox(reply) : invitationBox(reply)),
      h(
        "div",
        { class: "buttons end" },
        h("button", { class: "button main", onclick: () => sheet.close() }, t("done")),
      ),
    ],
  });
  try {
    reply = kind === "browser" ? await hub.request("login.create") : await hub.perform("device.add", { kind });
  } catch (error) {
    sheet.close();
    return fail(error);
  }
  sheet.paint();
}

/** A code with which a browser signs in. */
const loginBox = (reply) => [
  linkBox(reply),
  h("p", { class: "quiet", key: "text" }, t("devices.code")),
  bigCode(reply.code),
  (reply.addresses ?? []).map((address) => h("p", { class: "small", key: address }, h("bdi", { dir: "ltr" }, address))),
];

/** A code or link with which a computer joins. */
function invitationBox(reply) {
  const time = momentWithin(hubDate(reply.expires));
  if (reply.link) return [h("p", { class: "quiet", key: "text" }, t("join.link", { time })), joinBox(reply.link)];
  return [
    h("p", { class: "quiet", key: "text" }, t("join.code", { time })),
    h("p", { key: "command" }, h("code", { dir: "ltr" }, `hearth join ${reply.code}`)),
    bigCode(reply.code),
  ];
}

const bigCode = (code) =>
  h("p", { key: "code", style: { "font-size": "1.75rem", "letter-spacing": ".12em", direction: "ltr" } }, code);

/** A link for `hearth join`. */
function joinBox(link) {
  const command = `hearth join '${link.url}'`;
  return [
    link.symbol && symbol(link.symbol, t("link.symbol")),
    h("p", { key: "join-command" }, h("code", { dir: "ltr", style: { "overflow-wrap": "anywhere" } }, command)),
    navigator.clipboard &&
    h("button", {
      type: "button",
      class: "button",
      key: "join-copy",
      onclick: () => navigator.clipboard.writeText(command).then(() => say(t("link.copied")), fail),
    }, t("join.copy")),
  ];
}

/** The devices of this person, and a code for another one. */
export function devicesSheet() {
  let code = null;
  const draw = () => sheet.paint();
  const sheet = openSheet({
    title: () => t("devices"),
    onclose: () => {
      own.isAsked = false;
    },
    body: () => [
      h("ul", { class: "list", role: "list" }, deviceRows(draw)),
      h("h3", null, t("devices.add")),
      code ? h("div", { class: "card" }, loginBox(code)) : h("button", {
        class: "button",
        onclick: () =>
          hub.request("login.create").then((reply) => {
            code = reply;
            draw();
            setTimeout(() => {
              code = null;
              draw();
            }, (reply.expiresIn ?? 60) * 1000);
          }, fail),
      }, t("devices.make")),
    ],
  });
  loadDevices(draw);
}

/**
 * A link to scan with another device. A link to this machine itself works nowhere else, and no code is shown for it.
 */
export function linkBox({ links, joinLink }) {
  const [link] = links ?? [];
  if (!link) return joinLink && joinBox(joinLink);
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
    joinLink &&
    h("details", { key: "join" }, h("summary", null, t("join.computer")), h("div", null, joinBox(joinLink))),
  ];
}
