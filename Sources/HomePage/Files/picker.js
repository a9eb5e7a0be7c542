// Choosing: a thing of the home, one of its properties, and the values that a scene or an automation sets.

import { h, icon, name as bidi, uuid } from "./dom.js";
import { t, unjoined } from "./words.js";
import { home, identityOf, known, resolve } from "./model.js";
import { isDangerous, now, typeOf } from "./kinds.js";
import { bounds, C, canWrite, charName, choices, valueWord } from "./chars.js";
import { chooser } from "./widgets.js";
import { openSheet } from "./router.js";

/** Asks for a thing. `filter` says which can be chosen. */
export function chooseThing(title, filter) {
  return new Promise((resolve) => {
    let chosen = null, search = "";
    const sheet = openSheet({
      title: () => title,
      onclose: () => resolve(chosen),
      body: () => {
        const here = home();
        const things = here.things.filter((thing) =>
          filter(thing) && (!search || thing.name.toLocaleLowerCase().includes(search))
        );
        const rooms = [...here.rooms.map((room) => [room.id, room.name]), [here.defaultRoom, t("room.default")]];
        return [
          here.things.length > 12 &&
          h(
            "div",
            { class: "field" },
            h("label", { for: "find" }, t("find")),
            h("input", {
              id: "find",
              type: "search",
              value: "",
              oninput: (event) => {
                search = event.target.value.toLocaleLowerCase();
                sheet.paint();
              },
            }),
          ),
          things.length === 0 && h("p", { class: "empty" }, t("nothing.fits")),
          rooms.map(([id, label]) => {
            const inside = things.filter((thing) => thing.room === id);
            return inside.length > 0 &&
              h(
                "section",
                { key: id },
                h("h3", null, bidi(label)),
                h(
                  "ul",
                  { class: "list", role: "list" },
                  inside.map((thing) =>
                    h(
                      "li",
                      { key: thing.id },
                      h(
                        "button",
                        {
                          class: "row",
                          onclick: () => {
                            chosen = thing;
                            sheet.close();
                          },
                        },
                        icon(typeOf(thing).icon),
                        h(
                          "span",
                          { class: "grow" },
                          h("span", { class: "what" }, bidi(thing.name)),
                          h("span", { class: "sub" }, now(thing).word),
                        ),
                      ),
                    )
                  ),
                ),
              );
          }),
        ];
      },
    });
  });
}

/** One of several answers, each a row. */
export function chooseOne(title, options, text) {
  return new Promise((resolve) => {
    let chosen;
    const sheet = openSheet({
      title: () => title,
      onclose: () => resolve(chosen),
      body: () => [
        text && h("p", { class: "quiet" }, text),
        h(
          "ul",
          { class: "list", role: "list" },
          options.filter(Boolean).map((option) =>
            h(
              "li",
              { key: String(option.key ?? option.label) },
              h(
                "button",
                {
                  class: "row",
                  onclick: () => {
                    chosen = option.value;
                    sheet.close();
                  },
                },
                option.icon && icon(option.icon),
                h(
                  "span",
                  { class: "grow" },
                  h("span", { class: "what" }, option.label),
                  option.sub && h("span", { class: "sub" }, option.sub),
                ),
              ),
            )
          ),
        ),
      ],
    });
  });
}

/** Asks for a value of a characteristic, or more, by a form. `body(state, paint)` describes it. */
export function askForm(title, state, body, action = t("done")) {
  return new Promise((resolve) => {
    let answer = null;
    const sheet = openSheet({
      title: () => title,
      onclose: () => resolve(answer),
      body: () =>
        h(
          "form",
          {
            onsubmit: (event) => {
              event.preventDefault();
              answer = state;
              sheet.close();
            },
          },
          body(state, () => sheet.paint()),
          h("div", { class: "buttons end" }, h("button", { type: "submit", class: "button main" }, action)),
        ),
    });
  });
}

// MARK: What a scene sets

const NOT_SET = new Set(["14", C.hold, C.remote, C.filterReset, "23", "E3", "19", "1F", "EA", "DF", "13E", "36", "D6"]);

/** The characteristics that a scene can set, the main one first. */
export function settable(thing) {
  const main = [C.on, C.active, C.lockTarget, C.doorTarget, C.positionTarget, C.securityTarget, C.thermoMode];
  const rank = (each) => {
    const at = main.indexOf(each.type);
    return at < 0 ? 99 : at;
  };
  return Object.values(thing.service.chars)
    .filter((each) =>
      canWrite(each) && each.permissions.includes("pr") && !NOT_SET.has(each.type) &&
      !each.permissions.includes("hd") && !["tlv8", "data", "string"].includes(each.meta.format) &&
      (choices(each) || bounds(each))
    )
    .sort((a, b) => rank(a) - rank(b));
}

export const canBeSet = (thing) => settable(thing).length > 0;

/** The actions of a list that concern a thing. */
export function actionsOf(actions, thing) {
  return actions.filter((action) =>
    action.write?.characteristic.accessory === thing.accessory.id &&
    resolve(thing.home, action.write.characteristic)?.thing === thing
  );
}

/** What an action list does to a thing, in one line. */
export function actionsLine(actions, thing) {
  const on = actions.find((action) => [C.on, C.active].includes(action.write.characteristic.type));
  if (on && !Number(on.write.value)) return t("v.off");
  return unjoined(actions.map((action) => {
    const { characteristic } = resolve(thing.home, action.write.characteristic) ?? {};
    const type = action.write.characteristic.type;
    const word = valueWord(type, action.write.value, characteristic);
    return [C.on, C.active, C.lockTarget, C.doorTarget, C.securityTarget].includes(type)
      ? word
      : t("then.value", { what: charName(type, characteristic), v: word });
  }));
}

/** The value that a thing has now, or a sensible first one. */
function firstValue(characteristic) {
  const now = known(characteristic);
  if (now !== undefined && now !== null) return now;
  return choices(characteristic)?.[0] ?? bounds(characteristic)?.min ?? 0;
}

const newAction = (thing, characteristic, value) => ({
  id: uuid(),
  write: { characteristic: identityOf(thing.accessory, characteristic), value },
});

/** The actions that make a thing as it is now. */
export function captured(thing) {
  const list = settable(thing);
  const main = list[0];
  const isOff = [C.on, C.active].includes(main.type) && !Number(firstValue(main));
  return (isOff ? [main] : list.filter((each) => known(each) !== undefined)).map((each) =>
    newAction(thing, each, firstValue(each))
  );
}

/** Edits the actions for one thing; `onchange` receives the whole list. */
export function editThing(thing, actions, onchange) {
  let current = actions;
  const update = (next) => {
    current = next;
    onchange(next);
    sheet.paint();
  };
  const sheet = openSheet({
    title: () => bidi(thing.name),
    body: () => {
      const mine = actionsOf(current, thing);
      return [
        settable(thing).map((characteristic) => {
          const action = mine.find((each) => each.write.characteristic.type === characteristic.type);
          const danger = action && isDangerous(characteristic.type, Number(action.write.value));
          return h(
            "div",
            { key: characteristic.key, style: { "margin-block-start": "12px" } },
            h(
              "label",
              { class: "check" },
              h("input", {
                type: "checkbox",
                checked: Boolean(action),
                onchange: (event) =>
                  update(
                    event.target.checked
                      ? [...current, newAction(thing, characteristic, firstValue(characteristic))]
                      : current.filter((each) => each !== action),
                  ),
              }),
              h("span", null, charName(characteristic.type, characteristic)),
            ),
            action &&
              chooser(
                characteristic,
                action.write.value,
                (value) =>
                  update(
                    current.map((each) => (each === action ? { ...action, write: { ...action.write, value } } : each)),
                  ),
              ),
            danger && h("p", { class: "small quiet" }, t("scene.dangerous")),
          );
        }),
        h(
          "div",
          { class: "buttons" },
          h("button", {
            class: "button",
            onclick: () => update([...current.filter((each) => !mine.includes(each)), ...captured(thing)]),
          }, t("as.now")),
          h("button", {
            class: "button danger",
            onclick: () => {
              update(current.filter((each) => !mine.includes(each)));
              sheet.close();
            },
          }, t("remove")),
          h("button", { class: "button main", onclick: () => sheet.close() }, t("done")),
        ),
      ];
    },
  });
}

/** The list of what is set, with a way to add more. */
export function actionList(actions, onchange) {
  const here = home();
  const things = here.things.filter((thing) => actionsOf(actions, thing).length);
  const lost = actions.filter((action) => !things.some((thing) => actionsOf(actions, thing).includes(action)));
  return [
    h(
      "ul",
      { class: "list", role: "list" },
      things.map((thing) =>
        h(
          "li",
          { key: thing.id },
          h(
            "button",
            {
              type: "button",
              class: "row",
              onclick: () => editThing(thing, actions, onchange),
            },
            icon(typeOf(thing).icon),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, bidi(thing.name)),
              h("span", { class: "sub" }, actionsLine(actionsOf(actions, thing), thing)),
            ),
            h("span", { class: "end small" }, bidi(here.roomName(thing.room) ?? "")),
            icon("chevron", "go turns"),
          ),
        )
      ),
      lost.map((action) =>
        h(
          "li",
          { key: action.id },
          h(
            "div",
            { class: "row" },
            icon("warn"),
            h("span", { class: "grow" }, t("gone.thing")),
            h(
              "button",
              { class: "link danger", onclick: () => onchange(actions.filter((each) => each !== action)) },
              t("remove"),
            ),
          ),
        )
      ),
      h(
        "li",
        { key: "add" },
        h(
          "button",
          {
            type: "button",
            class: "row",
            onclick: async () => {
              const thing = await chooseThing(t("scene.addThing"), (each) => canBeSet(each) && !things.includes(each));
              if (!thing) return;
              const first = settable(thing)[0];
              const next = [
                ...actions,
                ...(known(first) === undefined ? [newAction(thing, first, firstValue(first))] : captured(thing)),
              ];
              onchange(next);
              editThing(thing, next, onchange);
            },
          },
          icon("plus"),
          h("span", { class: "grow what" }, t("scene.addThing")),
        ),
      ),
    ),
  ];
}

/** Brings the actions of a stored scene to those that were chosen. */
export async function saveActions(change, id, before, after) {
  for (const action of before) {
    if (!after.some((each) => each.id === action.id)) await change("action.remove", { actionSet: id, id: action.id });
  }
  for (const action of after) {
    const old = before.find((each) => each.id === action.id);
    if (!old) {
      await change("action.add", {
        actionSet: id,
        id: action.id,
        characteristic: action.write.characteristic,
        value: action.write.value,
      });
    } else if (old.write?.value !== action.write?.value) {
      await change("action.setValue", { actionSet: id, id: action.id, value: action.write.value });
    }
  }
}
