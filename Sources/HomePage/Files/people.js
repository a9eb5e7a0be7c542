// The people of a home: roles, presence and invitations; and this person's devices.

import { h, icon, name as bidi } from "./dom.js";
import { ask, menu, openSheet, paint } from "./router.js";
import { hub, isOpen, perform, performHere, request, words } from "./actions.js";
import { hubDate, momentWithin, t } from "./words.js";
import { segments } from "./widgets.js";
import { home } from "./model.js";
import { askForm } from "./picker.js";
import { addDevice, deviceRows, linkBox } from "./own-devices.js";
import { row } from "./rows.js";

// MARK: People

const presence = { stamp: null, users: new Map() };

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
      h(
        "section",
        { key: "devices", style: { "margin-block-start": "24px", "max-width": "44rem" } },
        h("h2", { class: "head", style: { "font-size": "1.0625rem" } }, t("devices.yours")),
        h(
          "ul",
          { class: "list", role: "list" },
          deviceRows(),
          row({ symbol: "plus", what: t("devices.addOne"), onclick: () => addDevice(), opens: true }),
        ),
      ),
    ];
  },
};

/** Whether this person may invite another one: administrators are invited by the owner. */
const mayInvite = (here, user) => here.isOwner || (here.canEdit && user.role === "guest");

function personRow(here, user) {
  const where = presence.users.get(user.id);
  const isMe = user.id === here.user;
  const sub = [
    t(`role.${user.role}`),
    isMe && t("people.you"),
    user.isSuspended && t("people.suspended"),
    invitations.list.some((each) => each.user === user.id) && t("people.invited"),
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
    mayInvite(here, user) && !isMe && user.role !== "owner" && !user.isSuspended &&
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
      reply && reply.links.length === 0 && h("p", { class: "quiet" }, t("join.links")),
      reply && h("p", { class: "quiet" }, t("invite.text", { time: momentWithin(hubDate(reply.invitation.expires)) })),
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

const invitations = { stamp: null, list: [] };

function askInvitations(here) {
  const stamp = `${here.id} ${here.revision}`;
  if (!here.canEdit || invitations.stamp === stamp || !isOpen()) return;
  invitations.stamp = stamp;
  request("invitation.list").then((reply) => {
    invitations.list = reply.invitations;
    paint();
  }, () => {
    invitations.list = [];
  });
}

function invitationRows(here) {
  const open = here.canEdit ? invitations.list.filter((each) => each.home === here.id && here.get(each.user)) : [];
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
              h("span", { class: "sub" }, t("invite.until", { time: momentWithin(hubDate(each.expires)) })),
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
    const here = home(), name = answer.name.trim();
    const added = await performHere("user.add", { name, role: answer.role });
    // Without an invitation, nobody but this person's own devices could use the home.
    if (added?.id && mayInvite(here, answer)) invite(here, { id: added.id, name });
  }
}
