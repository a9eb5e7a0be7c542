// Automations: sentences whose parts are buttons, what they would do now, when next, and why they did not.

import { h, icon, name as bidi, uuid } from "./dom.js";
import { firstWeekday, hubDate, list, minutes, moment, t, weekdayName } from "./words.js";
import { home, identityOf } from "./model.js";
import { change, dangersOf, isOpen, performHere, request, say } from "./actions.js";
import { ask, back, failureText, go, menu, nameProblem, paint, place } from "./router.js";
import {
  actionText,
  conditionText,
  DARK,
  daysText,
  eventText,
  LIGHT,
  observationText,
  outcomeText,
  sentence,
  simplified,
  timerText,
} from "./sentence.js";
import { actionList, askForm, chooseOne, chooseThing, saveActions } from "./picker.js";
import { chooser, onOff } from "./controls.js";
import { bounds, C, canRead, charName, choices } from "./chars.js";
import { isLight, typeOf } from "./kinds.js";

const asked = new Map(); // Next firings and last runs, by trigger; asked once per visit.
let askedFor = null;

function askAll(here) {
  const stamp = `${here.id} ${here.revision}`;
  if (askedFor === stamp || !isOpen()) return;
  askedFor = stamp;
  for (const trigger of here.of("trigger")) {
    Promise.all([
      request("trigger.test", { id: trigger.id }).catch(() => null),
      request("journal.list", { about: trigger.id, limit: 8 }).then(
        (page) => page.entries.find((entry) => entry.content.trigger),
        () => null,
      ),
    ]).then(([test, last]) => {
      asked.set(trigger.id, { test, last });
      paint();
    });
  }
}

export const automationsScreen = {
  view: true,
  tab: "automations",
  title: () => t("automations"),
  tools: () =>
    home()?.canEdit &&
    h("a", { class: "round", href: place("/automation/new"), "aria-label": t("auto.add") }, icon("plus")),
  body() {
    const here = home();
    if (!here) return null;
    askAll(here);
    const triggers = here.of("trigger");
    return [
      h("p", { class: "quiet" }, t("auto.text")),
      triggers.length === 0 && h("p", { class: "empty" }, icon("automation"), t("auto.none")),
      h("ul", { class: "list", role: "list" }, triggers.map((trigger) => row(here, trigger))),
      here.canEdit && suggestions(here),
    ];
  },
};

function row(here, trigger) {
  const { test, last } = asked.get(trigger.id) ?? {};
  return h(
    "li",
    { key: trigger.id, class: "row" },
    h(
      "a",
      {
        class: "grow",
        href: place(`/automation/${trigger.id}`),
        style: { color: "inherit", "text-decoration": "none" },
      },
      h("span", { class: "what" }, bidi(trigger.name)),
      h("span", { class: "sub" }, sentence(here, trigger)),
      h("span", { class: "sub" }, status(here, trigger, test, last)),
    ),
    onOff(
      t("auto.enable", { name: trigger.name }),
      trigger.isEnabled,
      !here.canEdit || !isOpen(),
      (isEnabled) => performHere("trigger.enable", { id: trigger.id, isEnabled }),
    ),
  );
}

/** When it ran last and why it did not, and when it runs next. */
function status(here, trigger, test, last) {
  const parts = [];
  if (last) {
    const { outcome, observations } = last.content.trigger;
    parts.push(
      outcome === "fired"
        ? t("auto.ran", { time: moment(hubDate(last.time)) })
        : t("auto.notRun", { time: moment(hubDate(last.time)), reason: outcomeText(here, outcome, observations) }),
    );
  }
  if (!trigger.isEnabled) parts.push(t("auto.off"));
  else if (test?.next) parts.push(t("auto.next", { time: moment(hubDate(test.next)) }));
  return parts.join(" · ");
}

/** What the home's accessories lend themselves to. */
function suggestions(here) {
  const taken = JSON.stringify(here.of("trigger").map((trigger) => trigger.definition));
  const sensor = here.things.find((thing) =>
    ["motion", "contact"].includes(typeOf(thing).kind) && !taken.includes(thing.accessory.id)
  );
  const light = sensor &&
    (here.things.find((thing) => isLight(thing) && thing.room === sensor.room) ?? here.things.find(isLight));
  if (!light) return null;
  const type = sensor.service.chars[C.motion] ? C.motion : C.contact;
  const preset = {
    events: [{
      id: uuid(),
      characteristic: {
        characteristic: identityOf(sensor.accessory, sensor.service.chars[type]),
        value: type === C.motion ? true : 1,
      },
    }],
    condition: DARK,
    actions: [{
      id: uuid(),
      write: { characteristic: identityOf(light.accessory, light.service.chars[C.on]), value: true },
    }],
    endEvents: [{ id: uuid(), duration: 300 }],
  };
  return h(
    "div",
    { class: "card", style: { "margin-block-start": "16px" } },
    h("h2", null, t("auto.suggestion")),
    h(
      "p",
      null,
      t("auto.for", {
        text: t("auto.if", {
          when: eventText(here, preset.events[0]),
          condition: t("if.dark"),
          then: actionText(here, preset.actions[0]),
        }),
        v: minutes(300),
      }),
    ),
    h("button", {
      class: "button",
      onclick: () => {
        offered = preset;
        go(place("/automation/new"));
      },
    }, t("auto.use")),
  );
}

let offered = null;

// MARK: The editor

export const automationSheet = {
  view(match) {
    const isNew = match[1] === "new";
    const find = () => (isNew ? null : home()?.get(match[1]));
    const draft = makeDraft(find());
    if (isNew && offered) Object.assign(draft, offered);
    offered = null;
    return {
      title: () => (isNew ? t("auto.add") : bidi(find()?.name ?? "")),
      tools: () =>
        !isNew && find() && home().canEdit &&
        h("button", {
          class: "round",
          "aria-label": t("more"),
          "aria-haspopup": "true",
          onclick: (event) => autoMenu(event.currentTarget, find()),
        }, icon("more")),
      body: () => (isNew || find() ? form(find(), draft) : null),
    };
  },
};

function makeDraft(trigger) {
  const here = home();
  const rule = trigger?.definition.event ?? {};
  const own = trigger?.actionSets.map((id) => here.get(id)).find((set) => set?.type === "triggerOwned");
  return {
    name: trigger?.name ?? "",
    timer: trigger?.definition.timer ?? null,
    events: rule.events ?? [],
    endEvents: rule.endEvents ?? [],
    condition: rule.condition ?? null,
    weekdays: rule.weekdays ?? [],
    once: rule.executesOnce ?? false,
    scenes: trigger?.actionSets.filter((id) => id !== own?.id) ?? [],
    own: own?.id ?? null,
    actions: own?.actions ?? [],
    problem: "",
    isBusy: false,
  };
}

function form(trigger, draft) {
  const here = home();
  if (!here.canEdit) return [h("p", { class: "sentence read" }, sentence(here, trigger)), testBox(here, trigger)];
  const part = (label, act) => h("button", { type: "button", onclick: act, disabled: false }, label);
  const terms = draft.condition ? simplified(draft.condition).all ?? [simplified(draft.condition)] : [];
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        save(trigger, draft);
      },
    },
    h(
      "div",
      { key: "when" },
      h("h3", null, t("auto.partWhen")),
      draft.timer ? h("p", { class: "sentence" }, part(timerText(draft.timer), () => editTimer(draft))) : h(
        "p",
        { class: "sentence" },
        draft.events.map((
          event,
          at,
        ) => [at > 0 && ` ${t("or")} `, part(eventText(here, event), () => editEvent(draft, at))]),
        " ",
        part(
          draft.events.length ? t("auto.orWhen") : t("auto.chooseWhen"),
          () => editEvent(draft, draft.events.length),
        ),
      ),
    ),
    !draft.timer &&
      h(
        "div",
        { key: "if" },
        h("h3", null, t("auto.partIf")),
        h(
          "p",
          { class: "sentence" },
          terms.map((
            term,
            at,
          ) => [at > 0 && ` ${t("and")} `, part(conditionText(here, term), () => editCondition(draft, terms, at))]),
          " ",
          part(terms.length ? t("auto.andIf") : t("auto.always"), () => editCondition(draft, terms, terms.length)),
          " ",
          part(draft.weekdays.length ? daysText(draft.weekdays) : t("auto.everyDay"), () => editDays(draft)),
        ),
      ),
    h(
      "div",
      { key: "then" },
      h("h3", null, t("auto.partThen")),
      h(
        "div",
        { class: "chips", style: { "margin-block-end": "8px" } },
        here.scenes.filter((scene) => scene.actions.length || draft.scenes.includes(scene.id)).map((scene) =>
          h(
            "button",
            {
              type: "button",
              key: scene.id,
              class: "chip",
              "aria-pressed": String(draft.scenes.includes(scene.id)),
              onclick: () => {
                draft.scenes = draft.scenes.includes(scene.id)
                  ? draft.scenes.filter((id) => id !== scene.id)
                  : [...draft.scenes, scene.id];
                paint();
              },
            },
            icon("scenes"),
            bidi(scene.name),
          )
        ),
      ),
      actionList(draft.actions, (actions) => {
        draft.actions = actions;
        paint();
      }),
      dangerNote(here, draft),
    ),
    !draft.timer &&
      h(
        "div",
        { key: "end" },
        h("h3", null, t("auto.partEnd")),
        h(
          "p",
          { class: "sentence" },
          part(
            draft.endEvents.length
              ? draft.endEvents.map((
                event,
              ) => (event.duration
                ? t("auto.endAfter", { v: minutes(event.duration) })
                : t("auto.endWhen", { text: eventText(here, event) }))
              ).join(", ")
              : t("auto.noEnd"),
            () => editEnd(draft),
          ),
        ),
        h(
          "label",
          { class: "check" },
          h("input", {
            type: "checkbox",
            checked: draft.once,
            onchange: (event) => {
              draft.once = event.target.checked;
              paint();
            },
          }),
          h("span", null, t("auto.onlyOnce")),
        ),
      ),
    h(
      "div",
      { class: "field", key: "name" },
      h("label", { for: "auto-name" }, t("name")),
      h("input", {
        id: "auto-name",
        type: "text",
        maxlength: "64",
        autocomplete: "off",
        value: draft.name,
        oninput: (event) => {
          draft.name = event.target.value;
          draft.problem = "";
        },
      }),
    ),
    h("p", { class: "hint bad", role: "alert", style: { color: "var(--alarm)" }, key: "problem" }, draft.problem),
    h(
      "div",
      { class: "buttons end", key: "buttons" },
      h("button", {
        type: "submit",
        class: "button main",
        disabled: draft.isBusy || !(draft.events.length || draft.timer) ||
          !(draft.scenes.length || draft.actions.length),
      }, trigger ? t("save") : t("add")),
    ),
    trigger && testBox(here, trigger),
  );
}

function dangerNote(here, draft) {
  const sets = [{ actions: draft.actions }, ...draft.scenes.map((id) => here.scene(id)).filter(Boolean)];
  const names = sets.flatMap(dangersOf).map((action) => here.get(action.write.characteristic.accessory)?.name).filter(
    Boolean,
  );
  return names.length > 0 &&
    h(
      "p",
      { class: "small", style: { "margin-block-start": "8px", color: "var(--warn)" } },
      t("auto.danger", { names: list([...new Set(names)]) }),
    );
}

/** What would happen now, and why. */
function testBox(here, trigger) {
  const { test } = asked.get(trigger.id) ?? {};
  if (!test) askAll(here);
  return h(
    "div",
    { key: "test" },
    h("h3", null, t("auto.test")),
    !test ? h("p", { class: "quiet", role: "status" }, t("loading")) : [
      h(
        "p",
        null,
        test.wouldRun
          ? t("auto.would")
          : t("auto.wouldNot", { reason: outcomeText(here, test.obstacle, test.observations) }),
      ),
      test.observations.length > 0 && h(
        "ul",
        { class: "steps", role: "list" },
        test.observations.map((each, at) =>
          h(
            "li",
            { key: at, class: each.isTrue ? "done" : "" },
            icon(each.isTrue ? "check" : "close"),
            h(
              "span",
              null,
              h("span", { class: "unseen" }, `${t(each.isTrue ? "true" : "false")}: `),
              observationText(here, each),
            ),
          )
        ),
      ),
      test.next && h("p", { class: "quiet" }, t("auto.next", { time: moment(hubDate(test.next)) })),
    ],
    h("button", {
      type: "button",
      class: "button",
      onclick: () => {
        asked.delete(trigger.id);
        askedFor = null;
        paint();
      },
    }, t("auto.testAgain")),
  );
}

// MARK: Parts

async function editEvent(draft, at) {
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
  async thing(here) {
    const found = await askState(here, true);
    return found && { characteristic: found };
  },
  async number(here) {
    const found = await askNumber(here);
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

const timeOf = (text) => ({ hour: Number(text.slice(0, 2)), minute: Number(text.slice(3, 5)) });
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
async function askState(here, isEvent) {
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
async function askNumber(here) {
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

async function askPeople(here, isCondition) {
  const kinds = isCondition ? ["firstEntry", "lastExit"] : ["firstEntry", "lastExit"];
  const users = here.of("user").filter((user) => !user.isSuspended);
  return chooseOne(t("pick.people"), [
    ...kinds.map((kind) => ({
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

async function editCondition(draft, terms, at) {
  const here = home();
  const isExisting = at < terms.length;
  const kind = await chooseOne(t("auto.partIf"), [
    { key: "dark", value: "dark", icon: "moon", label: t("if.dark") },
    { key: "light", value: "light", icon: "sun", label: t("if.light") },
    { key: "between", value: "between", icon: "automation", label: t("pick.between") },
    { key: "people", value: "people", icon: "person", label: t("pick.home") },
    { key: "thing", value: "thing", icon: "power", label: t("pick.state") },
    { key: "number", value: "number", icon: "thermometer", label: t("pick.numberIs") },
    isExisting && { key: "remove", value: "remove", icon: "bin", label: t("remove") },
  ]);
  if (!kind) return;
  let term = null;
  if (kind === "dark") term = DARK;
  else if (kind === "light") term = LIGHT;
  else if (kind === "people") {
    const presence = await askPeople(here, true);
    term = presence && { presence };
  } else if (kind === "thing") {
    const found = await askState(here, false);
    term = found && { characteristic: { characteristic: found.characteristic, is: "equal", value: found.value } };
  } else if (kind === "number") {
    const found = await askNumber(here);
    term = found &&
      {
        characteristic: {
          characteristic: found.characteristic,
          is: found.is === "above" ? "greater" : "less",
          value: found.value,
        },
      };
  } else if (kind === "between") {
    const answer = await askForm(
      t("pick.between"),
      { from: "22:00", to: "06:00" },
      (state) =>
        ["from", "to"].map((key) =>
          h(
            "div",
            { class: "field", key },
            h("label", { for: `time-${key}` }, t(`time.${key}`)),
            h("input", {
              id: `time-${key}`,
              type: "time",
              value: state[key],
              required: true,
              oninput: (event) => {
                state[key] = event.target.value;
              },
            }),
          )
        ),
    );
    term = answer && { betweenCalendar: { from: timeOf(answer.from), to: timeOf(answer.to) } };
  }
  if (!term && kind !== "remove") return;
  const next = isExisting ? terms.map((each, index) => (index === at ? term : each)).filter(Boolean) : [...terms, term];
  draft.condition = next.length === 0 ? null : next.length === 1 ? next[0] : { all: next };
  paint();
}

async function editDays(draft) {
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

async function editEnd(draft) {
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

async function editTimer(draft) {
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

// MARK: Saving

function definition(draft) {
  if (draft.timer) return { timer: draft.timer };
  const rule = { events: draft.events };
  if (draft.endEvents.length) rule.endEvents = draft.endEvents;
  if (draft.condition) rule.condition = draft.condition;
  if (draft.weekdays.length) rule.weekdays = draft.weekdays;
  if (draft.once) rule.executesOnce = true;
  return { event: rule };
}

async function save(trigger, draft) {
  const here = home();
  const name = draft.name.trim() || freeName(here);
  draft.problem = nameProblem(name);
  if (draft.problem) return paint();
  draft.isBusy = true;
  paint();
  try {
    if (trigger) await saveChanges(trigger, draft, name);
    else await saveNew(draft, name);
    say(t("saved", { name }));
    back("/automations");
  } catch (error) {
    draft.problem = failureText(error);
  }
  draft.isBusy = false;
  askedFor = null;
  paint();
}

function freeName(here) {
  const taken = new Set(here.of("trigger").map((each) => each.name));
  for (let at = 1;; at++) if (!taken.has(t("auto.named", { n: at }))) return t("auto.named", { n: at });
}

/** A new one is enabled once it is whole. */
async function saveNew(draft, name) {
  const { id } = await change("trigger.add", {
    id: uuid(),
    name,
    definition: definition(draft),
    actionSets: draft.scenes,
  });
  if (draft.actions.length) {
    const own = await change("actionSet.addOwned", { trigger: id, id: uuid() });
    await saveActions(change, own.id, [], draft.actions);
  }
  await change("trigger.enable", { id, isEnabled: true });
}

async function saveChanges(trigger, draft, name) {
  const { id } = trigger;
  const here = home();
  const before = makeDraft(trigger);
  const own = draft.own && here.get(draft.own);
  const mustPause = trigger.isEnabled && !draft.own && draft.actions.length > 0;
  if (name !== trigger.name) await change("trigger.rename", { id, name });
  const edit = (part) => change("trigger.edit", { id, edit: part });
  const differs = (key) => JSON.stringify(before[key]) !== JSON.stringify(draft[key]);
  if (draft.timer) {
    if (differs("timer")) {
      await edit({ fireDate: draft.timer.fireDate });
      await edit({ recurrence: draft.timer.recurrence ?? null });
    }
  } else {
    if (differs("events")) await edit({ events: draft.events });
    if (differs("endEvents")) await edit({ endEvents: draft.endEvents });
    if (differs("condition")) await edit({ condition: draft.condition });
    if (differs("weekdays")) await edit({ weekdays: draft.weekdays });
    if (differs("once")) await edit({ executesOnce: draft.once });
  }
  if (mustPause) await change("trigger.enable", { id, isEnabled: false });
  for (const scene of draft.scenes) {
    if (!before.scenes.includes(scene)) await change("trigger.addActionSet", { trigger: id, actionSet: scene });
  }
  if (own) await saveActions(change, own.id, own.actions, draft.actions);
  else if (draft.actions.length) {
    const made = await change("actionSet.addOwned", { trigger: id, id: uuid() });
    await saveActions(change, made.id, [], draft.actions);
  }
  for (const scene of before.scenes) {
    if (!draft.scenes.includes(scene)) await change("trigger.removeActionSet", { trigger: id, actionSet: scene });
  }
  if (mustPause) await change("trigger.enable", { id, isEnabled: true });
}

function autoMenu(button, trigger) {
  menu(button, [{
    icon: "bin",
    isDanger: true,
    label: t("auto.remove"),
    action: async () => {
      if (
        !(await ask({
          title: t("remove.title", { name: trigger.name }),
          text: sentence(home(), trigger),
          action: t("remove"),
        }))
      ) return;
      if (await performHere("trigger.remove", { id: trigger.id })) go(place("/automations"), { replaces: true });
    },
  }]);
}
