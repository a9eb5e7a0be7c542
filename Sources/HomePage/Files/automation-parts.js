// The parts of an automation: what a person chooses behind each button of its sentence.

import { bounds, C, canRead, charName, choices } from "./chars.js";
import { h, uuid } from "./dom.js";
import { firstWeekday, minutes, t, weekdayName } from "./words.js";
import { home, identityOf } from "./model.js";
import { askForm, chooseOne, chooseThing } from "./picker.js";
import { paint } from "./router.js";
import { chooser } from "./widgets.js";

// MARK: Parts

export async function editEvent(draft, at) {
  const here = home();
  const isExisting = at < draft.events.length;
  const kind = await chooseOne(t("auto.partWhen"), [
    { key: "time", value: "time", icon: "automation", label: t("pick.time") },
    {
      key: "sun",
      value: "sun",
      icon: "sun",
      label: t("pick.sun"),
      sub: here.get(here.id)?.place ? null : t("pick.noPlace"),
    },
    { key: "thing", value: "thing", icon: "power", label: t("pick.thing") },
    { key: "number", value: "number", icon: "thermometer", label: t("pick.number") },
    { key: "people", value: "people", icon: "person", label: t("pick.people") },
    draft.events.length === 0 && { key: "timer", value: "timer", icon: "undo", label: t("pick.timer") },
    isExisting && { key: "remove", value: "remove", icon: "bin", label: t("remove") },
  ]);
  if (!kind) return;
  if (kind === "remove") {
    draft.events = draft.events.filter((_, index) => index !== at);
    return paint();
  }
  if (kind === "timer") return editTimer(draft);
  const event = await ASK[kind](here);
  if (!event) return;
  const made = { id: uuid(), ...event };
  draft.events = isExisting ? draft.events.map((each, index) => (index === at ? made : each)) : [...draft.events, made];
  paint();
}

const ASK = {
  async time() {
    const answer = await askForm(t("pick.time"), { time: "07:00" }, timeField);
    return answer && { calendar: timeOf(answer.time) };
  },
  async sun() {
    const moment = await askSun();
    return moment && { sun: moment };
  },
  async thing() {
    const found = await askState(true);
    return found && { characteristic: found };
  },
  async number() {
    const found = await askNumber();
    if (!found) return null;
    return {
      threshold: {
        characteristic: found.characteristic,
        range: found.is === "above" ? { minimum: found.value } : { maximum: found.value },
      },
    };
  },
  async people(here) {
    const found = await askPeople(here, false);
    return found && { presence: found };
  },
};

export const timeOf = (text) => ({ hour: Number(text.slice(0, 2)), minute: Number(text.slice(3, 5)) });

const timeField = (state) =>
  h(
    "div",
    { class: "field" },
    h("label", { for: "time" }, t("time")),
    h("input", {
      id: "time",
      type: "time",
      value: state.time,
      required: true,
      autofocus: true,
      oninput: (event) => {
        state.time = event.target.value;
      },
    }),
  );

async function askSun() {
  const answer = await askForm(t("pick.sun"), { event: "sunset", side: "at", offset: 30 }, (state, draw) => [
    radios("sun-event", [["sunrise", t("ev.sunrise")], ["sunset", t("ev.sunset")]], state.event, (value) => {
      state.event = value;
      draw();
    }),
    radios(
      "sun-side",
      [["before", t("sun.before")], ["at", t("sun.at")], ["after", t("sun.after")]],
      state.side,
      (value) => {
        state.side = value;
        draw();
      },
    ),
    state.side !== "at" && numberField("offset", t("sun.minutes"), state, 1, 720),
  ]);
  return answer &&
    {
      event: answer.event,
      offset: answer.side === "at" ? 0 : (answer.side === "before" ? -1 : 1) * Math.round(answer.offset),
    };
}

function radios(key, options, chosen, onchoose) {
  return h(
    "div",
    { class: "segments", role: "radiogroup", key, style: { "margin-block-start": "12px" } },
    options.map(([value, label]) =>
      h("button", {
        type: "button",
        key: value,
        role: "radio",
        "aria-checked": String(value === chosen),
        onclick: () => onchoose(value),
      }, label)
    ),
  );
}

function numberField(id, label, state, min, max) {
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h("input", {
      id,
      type: "number",
      min,
      max,
      value: state[id],
      required: true,
      oninput: (event) => {
        state[id] = Number(event.target.value);
      },
    }),
  );
}

/** A thing, one of its states, and the value that it gets. */
export async function askState(isEvent) {
  const states = (thing) =>
    Object.values(thing.service.chars).filter((each) =>
      canRead(each) && (isEvent ? each.permissions.includes("ev") : true) && choices(each)?.length &&
      !["36", "14", "7C"].includes(each.type)
    );
  const thing = await chooseThing(t("pick.which"), (each) => states(each).length > 0);
  if (!thing) return null;
  const list = states(thing);
  const rank = [
    C.motion,
    C.contact,
    C.lockNow,
    C.doorNow,
    C.securityNow,
    C.press,
    C.on,
    C.active,
    C.presence,
    C.leak,
    C.smoke,
  ];
  list.sort((a, b) => (rank.indexOf(a.type) + 99) % 99 - ((rank.indexOf(b.type) + 99) % 99));
  const characteristic = list.length === 1 ? list[0] : await chooseOne(
    thing.name,
    list.map((each) => ({ key: each.key, value: each, label: charName(each.type, each) })),
  );
  if (!characteristic) return null;
  const answer = await askForm(
    thing.name,
    { value: choices(characteristic)[0] },
    (state, draw) =>
      chooser(characteristic, state.value, (value) => {
        state.value = value;
        draw();
      }),
  );
  return answer && { characteristic: identityOf(thing.accessory, characteristic), value: answer.value };
}

/** A thing that measures, and a bound. */
export async function askNumber() {
  const numbers = (thing) =>
    Object.values(thing.service.chars).filter((each) =>
      canRead(each) && each.permissions.includes("ev") && !choices(each) &&
      ["float", "int", "uint8", "uint16", "uint32"].includes(each.meta.format)
    );
  const thing = await chooseThing(t("pick.which"), (each) => numbers(each).length > 0);
  if (!thing) return null;
  const options = numbers(thing);
  const characteristic = options.length === 1 ? options[0] : await chooseOne(
    thing.name,
    options.map((each) => ({ key: each.key, value: each, label: charName(each.type, each) })),
  );
  if (!characteristic) return null;
  const limits = bounds(characteristic) ?? { min: 0, max: 1000, step: 1 };
  const narrow = characteristic.type === C.temperature
    ? { ...characteristic, meta: { ...characteristic.meta, minValue: -20, maxValue: 50, stepValue: 0.5 } }
    : characteristic;
  const answer = await askForm(thing.name, {
    is: "above",
    value: characteristic.type === C.temperature ? 25 : Math.round((limits.min + limits.max) / 2),
  }, (state, draw) => [
    radios("is", [["above", t("pick.above")], ["below", t("pick.below")]], state.is, (value) => {
      state.is = value;
      draw();
    }),
    chooser(narrow, state.value, (value) => {
      state.value = value;
      draw();
    }),
  ]);
  return answer && { characteristic: identityOf(thing.accessory, characteristic), is: answer.is, value: answer.value };
}

export function askPeople(here, isCondition) {
  const users = here.of("user").filter((user) => !user.isSuspended);
  return chooseOne(t("pick.people"), [
    ...["firstEntry", "lastExit"].map((kind) => ({
      key: kind,
      value: { kind, people: "everyone" },
      icon: kind === "firstEntry" ? "arrive" : "leave",
      label: t(isCondition ? (kind === "firstEntry" ? "if.someone" : "if.nobody") : `ev.${kind}`),
    })),
    ...users.flatMap((user) => [
      {
        key: `${user.id}+`,
        value: { kind: isCondition ? "firstEntry" : "everyEntry", people: [user.id] },
        icon: "arrive",
        label: t(isCondition ? "if.isHome" : "ev.arrives", { names: user.name }),
      },
      {
        key: `${user.id}-`,
        value: { kind: isCondition ? "lastExit" : "everyExit", people: [user.id] },
        icon: "leave",
        label: t(isCondition ? "if.isAway" : "ev.leaves", { names: user.name }),
      },
    ]),
  ]);
}

export async function editDays(draft) {
  const order = Array.from({ length: 7 }, (_, at) => ((firstWeekday() - 1 + at) % 7) + 1);
  const answer = await askForm(
    t("auto.days.title"),
    { days: new Set(draft.weekdays.length ? draft.weekdays : order) },
    (state, draw) =>
      h(
        "div",
        null,
        order.map((day) =>
          h(
            "label",
            { class: "check", key: day },
            h("input", {
              type: "checkbox",
              checked: state.days.has(day),
              onchange: (event) => {
                if (event.target.checked) state.days.add(day);
                else state.days.delete(day);
                draw();
              },
            }),
            h("span", null, weekdayName(day)),
          )
        ),
      ),
  );
  if (!answer) return;
  draft.weekdays = answer.days.size === 7 ? [] : [...answer.days].sort();
  paint();
}

export async function editEnd(draft) {
  const here = home();
  const kind = await chooseOne(t("auto.partEnd"), [
    { key: "none", value: "none", icon: "close", label: t("auto.noEnd") },
    { key: "after", value: "after", icon: "automation", label: t("pick.after") },
    { key: "until", value: "until", icon: "power", label: t("pick.untilThing") },
    { key: "sun", value: "sun", icon: "sun", label: t("pick.untilSun") },
    { key: "time", value: "time", icon: "automation", label: t("pick.untilTime") },
  ], t("auto.endText"));
  if (!kind) return;
  if (kind === "none") draft.endEvents = [];
  if (kind === "after") {
    const answer = await askForm(
      t("pick.after"),
      { minutes: 10 },
      (state) => numberField("minutes", t("sun.minutes"), state, 1, 1440),
    );
    if (answer) draft.endEvents = [{ id: uuid(), duration: Math.round(answer.minutes * 60) }];
  } else if (kind !== "none") {
    const event = await ASK[{ until: "thing", sun: "sun", time: "time" }[kind]](here);
    if (event) draft.endEvents = [{ id: uuid(), ...event }];
  }
  paint();
}

const INTERVALS = [
  { minutes: 5 },
  { minutes: 15 },
  { minutes: 30 },
  { hours: 1 },
  { hours: 2 },
  { hours: 6 },
  { hours: 12 },
  { days: 1 },
  { days: 2 },
  { weeks: 1 },
  { weeks: 2 },
];

const length = ({ weeks = 0, days = 0, hours = 0, minutes: each = 0 }) =>
  ((weeks * 7 + days) * 24 + hours) * 3600 + each * 60;

export async function editTimer(draft) {
  const start = draft.timer ? new Date(draft.timer.fireDate) : new Date(Date.now() + 3_600_000);
  const pad = (value) => String(value).padStart(2, "0");
  const initial = {
    date: `${start.getFullYear()}-${pad(start.getMonth() + 1)}-${pad(start.getDate())}`,
    time: `${pad(start.getHours())}:${pad(start.getMinutes())}`,
    every: draft.timer?.recurrence
      ? String(INTERVALS.findIndex((each) => length(each) === length(draft.timer.recurrence)))
      : "7",
  };
  const answer = await askForm(t("pick.timer"), initial, (state) => [
    h(
      "div",
      { class: "field", key: "date" },
      h("label", { for: "date" }, t("timer.start")),
      h("input", {
        id: "date",
        type: "date",
        value: state.date,
        required: true,
        oninput: (event) => {
          state.date = event.target.value;
        },
      }),
    ),
    timeField(state),
    h(
      "div",
      { class: "field", key: "every" },
      h("label", { for: "every" }, t("timer.repeats")),
      h(
        "select",
        {
          id: "every",
          value: state.every,
          onchange: (event) => {
            state.every = event.target.value;
          },
        },
        h("option", { value: "-1" }, t("timer.never")),
        INTERVALS.map((each, at) =>
          h("option", { key: at, value: String(at) }, t("timer.each", { v: minutes(length(each)) }))
        ),
      ),
    ),
  ]);
  if (!answer) return;
  draft.timer = {
    fireDate: new Date(`${answer.date}T${answer.time}:00`).getTime(),
    recurrence: INTERVALS[Number(answer.every)],
  };
  if (!draft.timer.recurrence) delete draft.timer.recurrence;
  draft.events = [];
  paint();
}
