// The last step of adding: names and rooms.

import { has, t } from "./words.js";
import { answer, setup } from "./add-setup.js";
import { h } from "./dom.js";
import { home } from "./model.js";
import { nameProblem, paint } from "./router.js";
import { askRoom } from "./home.js";

/** The choice of a room that the home doesn't have yet. */
const NEW_ROOM = "+";

// MARK: Name and room

export function detailsStep(question) {
  const accessories = new Map();
  for (const field of question.fields) {
    const [aid, ...rest] = field.id.split(".");
    if (!accessories.has(aid)) accessories.set(aid, []);
    accessories.get(aid).push({ ...field, part: rest.at(-1), isService: rest.length > 1 });
  }
  const rooms = question.fields.find((field) => field.id.endsWith(".room"));
  const set = (id, value) => {
    setup.answers[id] = value;
    setup.problem = "";
  };
  const submit = (event) => {
    event.preventDefault();
    const bad = question.fields.find((field) =>
      field.id.endsWith(".name") && nameProblem((setup.answers[field.id] ?? "").trim())
    );
    if (bad) {
      setup.problem = nameProblem(setup.answers[bad.id].trim());
      return paint();
    }
    setup.question = null;
    setup.done = ["found", "code", "place"];
    paint();
    answer(question, { answers: setup.answers });
  };
  return h(
    "form",
    { onsubmit: submit },
    h("p", { class: "quiet" }, t("add.details")),
    accessories.size > 1 && rooms &&
      select("all-rooms", t("add.allRooms"), [{ value: "", label: t("none") }, ...roomChoices(rooms)], "", (value) => {
        if (!value) return;
        chooseRoom(value, (room) => {
          for (const field of question.fields) if (field.id.endsWith(".room")) setup.answers[field.id] = room;
        });
      }),
    [...accessories].map(([aid, fields]) =>
      h(
        "fieldset",
        { key: aid, style: { border: "0", padding: "0", margin: "16px 0 0" } },
        fields.map((field) => formField(field, set, accessories.size > 1)),
      )
    ),
    h("p", { role: "alert", style: { color: "var(--alarm)" } }, setup.problem),
    h("div", { class: "buttons end" }, h("button", { class: "button main", type: "submit" }, t("add"))),
  );
}

function formField(field, set) {
  const id = `f-${field.id}`;
  const label = field.part === "room"
    ? t("room")
    : field.part === "type"
    ? t("associate")
    : field.part === "favorite"
    ? t("favorite")
    : t("name");
  const service = field.isService && field.subject ? serviceName(field.subject) : null;
  if (field.part === "favorite") {
    const [yes, no] = ["yes", "no"].map((word) => field.choices.find((choice) => choice.value === word)?.value ?? word);
    return h(
      "label",
      { class: "check", key: id },
      h("input", {
        type: "checkbox",
        checked: setup.answers[field.id] === yes,
        onchange: (event) => {
          set(field.id, event.target.checked ? yes : no);
          paint();
        },
      }),
      h("span", null, service ? t("then.short", { name: service, v: label }) : label),
    );
  }
  if (!field.choices.length) {
    return h(
      "div",
      { class: "field", key: id },
      h("label", { for: id }, service ? t("then.short", { name: service, v: label }) : label),
      h("input", {
        id,
        type: "text",
        maxlength: "64",
        autocomplete: "off",
        value: setup.answers[field.id],
        oninput: (event) => set(field.id, event.target.value),
      }),
    );
  }
  if (field.part === "room") {
    return select(
      id,
      label,
      roomChoices(field),
      setup.answers[field.id],
      (value) => chooseRoom(value, (room) => set(field.id, room)),
    );
  }
  return select(id, label, field.choices, setup.answers[field.id], (value) => {
    set(field.id, value);
    paint();
  });
}

/** The rooms to choose from: those of the home, those that this form names, and a new one. */
function roomChoices(field) {
  const known = field.choices.map((choice) =>
    choice.value === home()?.defaultRoom ? { ...choice, label: t("room.default") } : choice
  );
  const rooms = Object.entries(setup.answers).filter(([id]) => id.endsWith(".room")).map(([, room]) => room);
  const named = [...new Set(rooms)].filter((room) => !known.some(({ value }) => value === room));
  return [
    ...known,
    ...named.map((name) => ({ value: name, label: name })),
    ...(field.acceptsNew ? [{ value: NEW_ROOM, label: `${t("room.add")} …` }] : []),
  ];
}

/** Takes a chosen room. A new one is named first; the hub adds it together with the accessory. */
function chooseRoom(value, take) {
  const choose = (room) => {
    take(room);
    paint();
  };
  if (value !== NEW_ROOM) return choose(value);
  paint();
  askRoom(choose);
}

/** The kind of a service that a form asks about, as people call it. */
const serviceName = ({ kind }) => (kind && has(`k.${kind}`) ? t(`k.${kind}`) : null);

function select(id, label, choices, value, onchange) {
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h(
      "select",
      { id, value, onchange: (event) => onchange(event.target.value) },
      choices.map((choice) => h("option", { key: choice.value, value: choice.value }, choice.label)),
    ),
  );
}
