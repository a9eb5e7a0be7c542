// The device behind accessories: its parts, what is wrong with it, and its removal.

import { h, icon, name as bidi } from "./dom.js";
import { ask, go, menu, openSheet, place } from "./router.js";
import { change, fail, hub, performHere, request, say, words } from "./actions.js";
import { currentLanguage, has, list, t } from "./words.js";
import { rename } from "./rooms.js";
import { home } from "./model.js";
import { category, now } from "./kinds.js";

export function about(thing, here) {
  const room = here.get(thing.room);
  const zones = here.zonesOf(thing.room).map((zone) => zone.name);
  return h(
    "div",
    { key: "about" },
    h("h3", null, t("place")),
    h(
      "ul",
      { class: "list", role: "list" },
      h(
        "li",
        null,
        h(
          here.canEdit ? "button" : "div",
          {
            class: "row",
            onclick: here.canEdit ? (event) => chooseRoom(event.currentTarget, thing.accessory) : null,
          },
          icon("home"),
          h(
            "span",
            { class: "grow" },
            h("span", { class: "what" }, room?.name ? bidi(room.name) : t("room.default")),
            zones.length > 0 && h("span", { class: "sub" }, list(zones)),
          ),
          here.canEdit && h("span", { class: "end" }, t("move")),
        ),
      ),
      !thing.isOnly &&
        h(
          "li",
          null,
          h(
            "a",
            { class: "row", href: place(`/device/${thing.accessory.id}`) },
            icon("box"),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, t("part.of", { name: thing.accessory.name })),
              h(
                "span",
                { class: "sub" },
                list(here.thingsOf(thing.accessory.id).filter((each) => each !== thing).map((each) => each.name)),
              ),
            ),
            icon("chevron", "go turns"),
          ),
        ),
    ),
  );
}

function chooseRoom(button, accessory) {
  const here = home();
  const rooms = [...here.rooms.map((room) => [room.id, room.name]), [here.defaultRoom, t("room.default")]];
  menu(
    button,
    rooms.map(([id, label]) => ({
      label,
      isName: true,
      icon: accessory.room === id ? "check" : "door",
      isCurrent: accessory.room === id,
      action: async () => {
        const former = accessory.room;
        if (id === former) return;
        try {
          await change("accessory.move", { id: accessory.id, room: id });
          say(
            t("moved", { name: accessory.name, room: label }),
            () => performHere("accessory.move", { id: accessory.id, room: former }),
          );
        } catch (error) {
          fail(error, accessory.name);
        }
      },
    })),
  );
}

/** Maker, model and firmware, folded: looked at once a year. */
export function device(accessory, here) {
  const { information = {} } = accessory;
  const bridge = accessory.bridge && here.get(accessory.bridge);
  const rows = [
    ["maker", information.manufacturer],
    ["model", information.model],
    ["serial", information.serialNumber],
    ["firmware", information.firmwareRevision],
    ["bridge", bridge?.name],
  ].filter(([, text]) => text);
  return h(
    "details",
    { key: "device", style: { "margin-block-start": "16px" } },
    h("summary", null, t("device")),
    h(
      "dl",
      { class: "facts" },
      rows.map((
        [key, text],
      ) => [h("dt", { key: `t${key}` }, t(`device.${key}`)), h("dd", { key: `d${key}` }, bidi(text))]),
    ),
  );
}

export async function identify(accessory) {
  try {
    await request("accessory.identify", { id: accessory.id });
    say(t("identified", { name: accessory.name }));
  } catch (error) {
    fail(error, accessory.name);
  }
}

/** Removing cannot be undone: what goes with it is named first. */
export async function removeAccessory(accessory) {
  const here = home();
  const behind = accessory.isBridge ? here.accessories.filter((each) => each.bridge === accessory.id) : [];
  const ids = [accessory.id, ...behind.map((each) => each.id)];
  const mentions = (part) => ids.some((id) => JSON.stringify(part ?? null).includes(id));
  const scenes = here.scenes.filter((scene) => mentions(scene.actions)).map((scene) => scene.name);
  const automations = here.of("trigger").filter((trigger) => mentions(trigger.definition)).map((trigger) =>
    trigger.name
  );
  const others = here.thingsOf(accessory.id);
  const text = [t("remove.code")];
  if (behind.length) text.push(t("remove.behind", { names: list(behind.map((each) => each.name)) }));
  else if (others.length > 1) text.push(t("remove.parts", { names: list(others.map((each) => each.name)) }));
  if (scenes.length) text.push(t("remove.scenes", { names: list(scenes) }));
  if (automations.length) text.push(t("remove.automations", { names: list(automations) }));
  if (!(await ask({ title: t("remove.title", { name: accessory.name }), text, action: t("remove") }))) return;
  if (await performHere("accessory.remove", { id: accessory.id })) go(place("/"), { replaces: true });
}

// MARK: Diagnosis

/** Asks the hub what is the matter and shows each step. */
export function diagnose(accessory) {
  let result = null, failure = null;
  const sheet = openSheet({
    title: () => t("diagnose.title", { name: accessory.name }),
    body: () => {
      if (failure) return h("p", null, words(failure));
      if (!result) return h("p", { role: "status", class: "quiet" }, t("diagnose.wait"));
      const bad = result.steps.flatMap((step) => step.findings ?? []);
      return [
        h("p", null, bad.length ? t("diagnose.found", { n: bad.length }) : t("diagnose.fine")),
        bad.map((finding) =>
          h(
            "div",
            { class: "card", style: { "margin-block-start": "12px" } },
            currentLanguage() !== "en" && has(`e.${finding.trouble}`) ? h("p", null, t(`e.${finding.trouble}`)) : [
              h("p", { lang: "en" }, finding.text),
              h("p", { class: "quiet", lang: "en" }, finding.advice),
            ],
          )
        ),
        h(
          "details",
          null,
          h("summary", null, t("diagnose.steps")),
          h(
            "ul",
            { class: "steps", role: "list" },
            result.steps.map((step) =>
              h(
                "li",
                { class: step.outcome === "passed" ? "done" : "" },
                icon(
                  step.outcome === "passed"
                    ? "check"
                    : step.outcome === "failed"
                    ? "close"
                    : step.outcome === "warning"
                    ? "warn"
                    : "minus",
                ),
                h(
                  "span",
                  null,
                  h("span", { lang: "en" }, step.name),
                  " ",
                  h("span", { class: "quiet small", lang: "en" }, step.detail ?? ""),
                ),
              )
            ),
          ),
        ),
      ];
    },
  });
  hub.request("accessory.diagnose", { home: home().id, id: accessory.id }).then((reply) => {
    result = reply;
  }, (error) => {
    failure = error;
  }).finally(() => sheet.paint());
}

// MARK: The device behind things

export const deviceSheet = {
  view(match) {
    const id = match[1];
    return {
      title: () => bidi(home()?.get(id)?.name ?? ""),
      tools: () =>
        home()?.canEdit && home().get(id) &&
        h("button", {
          class: "round",
          "aria-label": t("more"),
          "aria-haspopup": "true",
          onclick: (event) => deviceMenu(event.currentTarget, home().get(id)),
        }, icon("more")),
      body: () => {
        const accessory = home()?.get(id);
        return accessory ? deviceBody(accessory) : null;
      },
    };
  },
};

function deviceMenu(button, accessory) {
  menu(button, [
    { icon: "search", label: t("identify"), action: () => identify(accessory) },
    { icon: "edit", label: t("rename"), action: () => rename(accessory, "accessory") },
    { icon: "help", label: t("diagnose"), action: () => diagnose(accessory) },
    {
      icon: accessory.isBlocked ? "check" : "link-off",
      label: t(accessory.isBlocked ? "unblock" : "block"),
      action: () => performHere(accessory.isBlocked ? "accessory.unblock" : "accessory.block", { id: accessory.id }),
    },
    !accessory.bridge &&
    { icon: "bin", isDanger: true, label: t("accessory.remove"), action: () => removeAccessory(accessory) },
  ]);
}

function deviceBody(accessory) {
  const here = home();
  const things = accessory.isBridge
    ? here.accessories.filter((each) => each.bridge === accessory.id || each.id === accessory.id).flatMap((each) =>
      here.thingsOf(each.id)
    )
    : here.thingsOf(accessory.id);
  return [
    h(
      "div",
      { class: "headline" },
      h("span", { class: "disc" }, icon(category(accessory.category).icon)),
      h("div", null, h("p", { class: "since" }, category(accessory.category).word)),
    ),
    things.length > 0 &&
    h(
      "div",
      null,
      h("h3", null, t(accessory.isBridge ? "bridge.behind" : "device.parts")),
      h(
        "ul",
        { class: "list", role: "list" },
        things.map((thing) =>
          h(
            "li",
            { key: thing.id },
            h(
              "a",
              { class: "row", href: place(`/accessory/${thing.id}`) },
              icon(now(thing).icon),
              h(
                "span",
                { class: "grow" },
                h("span", { class: "what" }, bidi(thing.name)),
                h(
                  "span",
                  { class: "sub" },
                  now(thing).word,
                  here.roomName(thing.room) && [" · ", bidi(here.roomName(thing.room))],
                ),
              ),
              icon("chevron", "go turns"),
            ),
          )
        ),
      ),
    ),
    about({ accessory, room: accessory.room, isOnly: true, service: {} }, here),
    device(accessory, here),
  ];
}
