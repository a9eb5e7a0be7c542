// The simulator's page: its accessories as tiles, what a person at the accessory can do, faults, codes, and more
// accessories.

import { h, icon, name as bidi, render, toast } from "./dom.js";
import { list, loadLanguage, loadRest, t } from "./words.js";
import { home, model, receive, value, watch } from "./model.js";
import { fail, isOpen, say, useConnection, words, writeValues } from "./actions.js";
import {
  ask,
  back,
  follow,
  go,
  hasSheet,
  menu,
  openSheet,
  paint,
  place,
  setFailureText,
  startRouter,
} from "./router.js";
import { discStyle, listenToTiles, paintTiles, settleStops, tiles } from "./tiles.js";
import { kindName, now, TYPES } from "./kinds.js";
import { bounds, C, charName, choices } from "./chars.js";
import { chooser } from "./controls.js";
import { askForm } from "./picker.js";
import { symbol } from "./symbol.js";
import { SimulatorConnection } from "./simulator-connection.js";

const app = document.getElementById("app");
const HOME = "simulator";
/** What Apple's types of services are called in the control protocol; the page knows them by their numbers. */
const SERVICES = {
  Lightbulb: "43",
  Switch: "49",
  Outlet: "47",
  Fan: "40",
  Fanv2: "B7",
  Thermostat: "4A",
  HeaterCooler: "BC",
  HumidifierDehumidifier: "BD",
  AirPurifier: "BB",
  WindowCovering: "8C",
  Window: "8B",
  Door: "81",
  GarageDoorOpener: "41",
  LockMechanism: "45",
  SecuritySystem: "7E",
  Valve: "D0",
  IrrigationSystem: "CF",
  Faucet: "D7",
  Slats: "B9",
  Television: "D8",
  SmartSpeaker: "228",
  Speaker: "113",
  CameraRTPStreamManagement: "110",
  Doorbell: "121",
  StatelessProgrammableSwitch: "89",
  StatefulProgrammableSwitch: "88",
  TemperatureSensor: "8A",
  HumiditySensor: "82",
  LightSensor: "84",
  MotionSensor: "85",
  OccupancySensor: "86",
  ContactSensor: "80",
  LeakSensor: "83",
  SmokeSensor: "87",
  CarbonMonoxideSensor: "7F",
  CarbonDioxideSensor: "97",
  AirQualitySensor: "8D",
  WiFiRouter: "20A",
  WiFiSatellite: "20F",
  Battery: "96",
  FilterMaintenance: "BA",
  InputSource: "D9",
  AccessoryInformation: "3E",
  ProtocolInformation: "A2",
  ServiceLabel: "CC",
  LockManagement: "44",
};
const isUUID = (type) => /^[0-9A-F]{8}-/i.test(type);

/** The simulator's accessories by serial number, as it describes them. */
const details = new Map();
let simulator = null, isKnown = false;

// MARK: What the simulator has

async function load() {
  try {
    const { accessories } = await simulator.request("accessory.list");
    details.clear();
    for (
      const detail of await Promise.all(
        accessories.map((each) => simulator.request("accessory.show", { accessory: each.serialNumber })),
      )
    ) details.set(detail.summary.serialNumber, detail);
    isKnown = true;
    store();
  } catch (error) {
    fail(error);
  }
  paint();
}

async function reload(serialNumber) {
  try {
    details.set(serialNumber, await simulator.request("accessory.show", { accessory: serialNumber }));
  } catch {
    details.delete(serialNumber);
  }
  store();
  paint();
}

const idOf = (serialNumber) =>
  [...new TextEncoder().encode(serialNumber)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const detailOf = (id) => [...details.values()].find((each) => idOf(each.summary.serialNumber) === id);
/** The accessory that has the pairing: a bridge, for what is behind it. */
const serverOf = (summary) => details.get(summary.bridge)?.summary ?? summary;

/** The accessories as a home: each server is a room, so that the same tiles show them. */
function store() {
  const records = [], values = [];
  for (const { summary, services } of details.values()) {
    const id = idOf(summary.serialNumber);
    const room = idOf(serverOf(summary).serialNumber);
    if (room === id) records.push({ kind: "room", id, name: summary.name });
    records.push({ kind: "accessory", id: `a${id}`, name: summary.name, room, shape: `s${id}` });
    const iids = new Map(services.map((service) => [service.key, service.iid]));
    records.push({
      kind: "shape",
      id: `s${id}`,
      services: services.map((service) => ({
        ...service,
        type: SERVICES[service.type] ?? (isUUID(service.type) ? service.type : "-"),
        linked: service.linked.map((each) => iids.get(each) ?? each),
        reportedName: service.characteristics.find((each) => each.type === "23")?.value,
      })),
    });
    values.push({
      accessory: `a${id}`,
      values: Object.fromEntries(
        services.flatMap((service) => service.characteristics.map((each) => [each.iid, each.value ?? null])),
      ),
    });
  }
  receive("reset", {
    account: { records: [{ kind: "accountHome", id: HOME, name: t("sim.title"), isPrimary: true, order: 0 }] },
    homes: { [HOME]: { records } },
    values,
  }, simulator.position);
}

/** How the control protocol names a characteristic of the model. */
function locate({ accessory, iid }) {
  const detail = detailOf(accessory.slice(1));
  const service = detail?.services.find((each) => each.characteristics.some((one) => one.iid === iid));
  return {
    accessory: detail?.summary.serialNumber,
    service: service?.key,
    characteristic: service?.characteristics.find((one) => one.iid === iid)?.name,
  };
}

const EVENTS = {
  value({ serialNumber, service, characteristic, value: changed }, position) {
    const found = details.get(serialNumber)?.services.find((each) => each.key === service)?.characteristics.find((
      each,
    ) => each.name === characteristic || each.type === characteristic);
    if (!found) return;
    found.value = changed;
    receive(
      "values",
      { values: [{ accessory: `a${idOf(serialNumber)}`, values: { [found.iid]: changed ?? null } }] },
      position,
    );
  },
  identify({ accessory }) {
    toast(t("identified", { name: accessory ?? "" }), { closeLabel: t("close") });
  },
  removed({ serialNumber }) {
    details.delete(serialNumber);
    load();
  },
  edited({ serialNumber }) {
    reload(serialNumber);
  },
  pairing: () => load(),
  added: () => load(),
  missed: () => load(),
};

// MARK: The page

const serverRooms = () => home()?.rooms ?? [];

const homeScreen = {
  view: true,
  title: () => t("sim.title"),
  tools: () =>
    h(
      "button",
      { class: "round", "aria-label": t("sim.add"), disabled: !isOpen(), onclick: addAccessory },
      icon("plus"),
    ),
  body() {
    const rooms = serverRooms();
    return [
      h("p", { class: "quiet" }, t("sim.text")),
      rooms.length === 0 &&
      h(
        "p",
        { class: "empty" },
        icon("box"),
        t("sim.none"),
        h("button", { class: "button main", onclick: addAccessory }, t("sim.add")),
      ),
      h("div", { class: "servers" }, rooms.map((room) => server(room))),
    ];
  },
};

function server(room) {
  const { summary } = detailOf(room.id);
  const things = home().things.filter((thing) => thing.room === room.id);
  return h(
    "section",
    { key: room.id, class: "room", "aria-labelledby": `room-${room.id}` },
    h(
      "div",
      { class: "head" },
      h("h2", { id: `room-${room.id}` }, bidi(room.name)),
      h("span", { class: "spacer" }),
      summary.isPaired ? h("span", { class: "quiet" }, t("sim.paired")) : h(
        "button",
        {
          class: "link",
          "aria-label": t("sim.codeOf", { name: room.name }),
          onclick: () => go(place(`/device/${room.id}`)),
        },
        icon("qr", "small"),
        h("bdi", { dir: "ltr" }, summary.setupCode),
      ),
      h("button", {
        class: "round",
        "aria-label": t("more.about", { name: room.name }),
        onclick: () => go(place(`/device/${room.id}`)),
      }, icon("more")),
    ),
    things.length > 0 ? tiles(things, { label: room.name }) : h("p", { class: "quiet" }, t("sim.noServices")),
  );
}

// MARK: A service and its values

const HIDDEN = new Set(["14", "23", C.remote, "E6", "37"]);

const thingSheet = {
  view: (match) => {
    const find = () => home()?.thing(match[1]);
    return {
      title: () => {
        const thing = find();
        return thing ? bidi(thing.name) : t("gone");
      },
      tools: () => {
        const thing = find();
        return thing &&
          h("button", {
            class: "round",
            "aria-label": t("sim.device"),
            onclick: () => go(place(`/device/${thing.room}`), { replaces: true }),
          }, icon("settings"));
      },
      body: () => {
        const thing = find();
        return thing ? thingBody(thing) : null;
      },
    };
  },
};

function thingBody(thing) {
  const state = now(thing);
  const parts = thing.parts.filter((part) => !["3E", "A2", "CC"].includes(part.type));
  return [
    h(
      "div",
      { class: "headline", key: "headline" },
      h("span", { class: `disc d-${state.disc} ${state.isOn ? "on" : ""}`, style: discStyle(state) }, icon(state.icon)),
      h("div", null, h("p", { class: "large" }, state.lead ?? state.word), h("p", { class: "since" }, kindName(thing))),
    ),
    [thing.service, ...parts].map((service) =>
      h("div", { key: service.iid }, inOrder(service).map((characteristic) => editor(thing, service, characteristic)))
    ),
  ];
}

/** What a tap switches first, then as the accessory has them. */
const inOrder = ({ type, chars }) =>
  Object.values(chars).sort((a, b) => (b.type === TYPES[type]?.main) - (a.type === TYPES[type]?.main) || a.iid - b.iid);

/** A person at the accessory can change all that it has, also what apps can only read. */
function editor(thing, service, characteristic) {
  const { type, meta, permissions } = characteristic;
  if (HIDDEN.has(type) || ["tlv8", "data"].includes(meta.format)) return null;
  const label = charName(type, characteristic) === t("c.other")
    ? nameOf(characteristic)
    : charName(type, characteristic);
  if (type === C.press) return presses(thing, service, characteristic);
  if (!permissions.includes("pr")) return null;
  const change = (next) => writeValues(thing, [{ characteristic, value: next }], { holds: true, isQuiet: true });
  if (meta.format === "string") {
    return h(
      "div",
      { class: "field", key: characteristic.iid },
      h("label", { for: `c-${characteristic.iid}` }, label),
      h("input", {
        id: `c-${characteristic.iid}`,
        type: "text",
        value: value(characteristic) ?? "",
        onchange: (event) => change(event.target.value),
      }),
    );
  }
  const few = choices(characteristic);
  if (!few && !bounds(characteristic)) return null;
  return h(
    "div",
    { key: characteristic.iid },
    few && h("h3", null, label),
    chooser(characteristic, value(characteristic), change),
  );
}

const nameOf = (characteristic) =>
  locate({ accessory: characteristic.accessory, iid: characteristic.iid }).characteristic ?? t("c.other");

function presses(thing, service, characteristic) {
  const { accessory, service: key } = locate(characteristic);
  const kinds = (choices(characteristic) ?? [0, 1, 2]).map((each) => ["single", "double", "long"][each]);
  return h(
    "div",
    { key: characteristic.iid },
    h("h3", null, bidi(service.name)),
    h(
      "div",
      { class: "buttons" },
      kinds.map((press) =>
        h("button", {
          class: "button",
          key: press,
          disabled: !isOpen(),
          onclick: () =>
            simulator.request("button.press", { accessory, service: key, press }).then(
              () => say(t(`v.${press}`)),
              fail,
            ),
        }, t(`sim.press.${press}`))
      ),
    ),
  );
}

// MARK: An accessory or a bridge

/** Faults that people ask for most; any other is written as a line. */
const FAULTS = {
  slow: "latency 2s",
  silent: "no-answer",
  unplugged: "refuse",
  rejects: "status -70402 write",
  unannounced: "mdns-silent",
  restarts: "restart 5s",
  battery: "battery-low",
  forgets: "pairing-forgotten",
};
const asked = new Map(); // Codes and faults of the open sheet.

const deviceSheet = {
  view(match) {
    asked.clear();
    const find = () => detailOf(match[1]);
    return { title: () => bidi(find()?.summary.name ?? t("gone")), body: () => (find() ? deviceBody(find()) : null) };
  },
};

function once(key, job) {
  if (!asked.has(key)) {
    asked.set(key, null);
    job().then((result) => asked.set(key, result), (error) => {
      asked.set(key, undefined);
      fail(error);
    }).finally(paint);
  }
  return asked.get(key);
}

function deviceBody({ summary }) {
  const { serialNumber } = summary;
  const behind = [...details.values()].filter((each) => each.summary.bridge === serialNumber).map((each) =>
    each.summary.name
  );
  return [
    codeBox(summary),
    behind.length > 0 &&
    h("div", { key: "behind" }, h("h3", null, t("bridge.behind")), h("p", { class: "quiet" }, list(behind))),
    faults(serialNumber),
    h(
      "div",
      { key: "edit" },
      h("h3", null, t("device")),
      h(
        "ul",
        { class: "list", role: "list" },
        row("edit", t("sim.edit"), () => edit(summary)),
        row("arrive", t("sim.export"), () => save(serialNumber)),
        summary.isPaired && row("link-off", t("sim.unpair"), () => confirm("unpair", summary)),
        row("undo", t("sim.reset"), () => confirm("reset", summary)),
        row("bin", t("sim.remove"), () => confirm("remove", summary), true),
      ),
    ),
  ];
}

const row = (symbolName, text, onclick, isDanger = false) =>
  h(
    "li",
    { key: text },
    h(
      "button",
      { class: `row ${isDanger ? "danger" : ""}`, disabled: !isOpen(), onclick },
      icon(symbolName),
      h("span", { class: "grow what" }, text),
    ),
  );

function codeBox(summary) {
  if (summary.isPaired) return h("p", { key: "code", class: "quiet" }, t("sim.paired"));
  const code = once(
    `code ${summary.setupCode}`,
    () => simulator.request("accessory.code", { accessory: summary.serialNumber }),
  );
  return h(
    "div",
    { key: "code", class: "card" },
    h("p", { class: "quiet" }, t("sim.codeText")),
    code?.symbol && symbol(code.symbol, t("sim.codeOf", { name: summary.name })),
    h("p", { class: "code-text" }, h("bdi", { dir: "ltr" }, summary.setupCode)),
  );
}

function faults(serialNumber) {
  const active =
    once(`faults ${serialNumber}`, () => simulator.request("fault.list", { accessory: serialNumber }))?.faults ?? [];
  const refresh = () => {
    asked.delete(`faults ${serialNumber}`);
    paint();
  };
  const inject = async (fault) => {
    try {
      await simulator.request("fault.inject", { accessory: serialNumber, fault });
    } catch (error) {
      fail(error);
    }
    refresh();
  };
  return h(
    "div",
    { key: "faults" },
    h("h3", null, t("sim.faults")),
    h(
      "ul",
      { class: "list", role: "list" },
      active.map((each) =>
        h(
          "li",
          { key: each.id, class: "row" },
          icon("warn"),
          h(
            "span",
            { class: "grow" },
            h(
              "span",
              { class: "what" },
              Object.entries(FAULTS).some(([, line]) => line === each.fault)
                ? t(`sim.f.${Object.keys(FAULTS).find((key) => FAULTS[key] === each.fault)}`)
                : h("bdi", { lang: "en", dir: "ltr" }, each.fault),
            ),
            each.characteristic && h("span", { class: "sub" }, each.characteristic),
          ),
          h("button", {
            class: "link",
            onclick: () => simulator.request("fault.clear", { id: each.id }).then(refresh, fail),
          }, t("sim.fault.clear")),
        )
      ),
      h(
        "li",
        { key: "add" },
        h(
          "button",
          {
            class: "row",
            "aria-haspopup": "true",
            disabled: !isOpen(),
            onclick: (event) =>
              menu(event.currentTarget, [
                ...Object.entries(FAULTS).map(([key, line]) => ({
                  icon: "warn",
                  label: t(`sim.f.${key}`),
                  action: () => inject(line),
                })),
                {
                  icon: "edit",
                  label: t("sim.fault.own"),
                  action: () => ownFault(inject),
                },
              ]),
          },
          icon("plus"),
          h("span", { class: "grow what" }, t("sim.fault.add")),
        ),
      ),
    ),
  );
}

async function ownFault(inject) {
  const answer = await askForm(
    t("sim.fault.own"),
    { line: "" },
    (state) =>
      h(
        "div",
        { class: "field" },
        h("label", { for: "fault" }, t("sim.fault.line")),
        h("input", {
          id: "fault",
          type: "text",
          maxlength: "200",
          required: true,
          autofocus: true,
          autocomplete: "off",
          value: "",
          placeholder: "latency 200ms jitter 50ms for 10s",
          oninput: (event) => {
            state.line = event.target.value;
          },
        }),
      ),
    t("sim.fault.add"),
  );
  if (answer) inject(answer.line.trim());
}

async function edit(summary) {
  const information =
    details.get(summary.serialNumber).services.find((each) => SERVICES[each.type] === "3E")?.characteristics ?? [];
  const read = (name) => String(information.find((each) => each.name === name)?.value ?? "");
  const before = {
    name: summary.name,
    manufacturer: read("Manufacturer"),
    model: read("Model"),
    firmwareRevision: read("FirmwareRevision"),
  };
  const labels = {
    name: t("name"),
    manufacturer: t("device.maker"),
    model: t("device.model"),
    firmwareRevision: t("device.firmware"),
  };
  const answer = await askForm(
    t("sim.edit"),
    { ...before },
    (state) =>
      Object.keys(before).map((key) =>
        h(
          "div",
          { class: "field", key },
          h("label", { for: `e-${key}` }, labels[key]),
          h("input", {
            id: `e-${key}`,
            type: "text",
            maxlength: "64",
            required: true,
            value: before[key],
            oninput: (event) => {
              state[key] = event.target.value;
            },
          }),
        )
      ),
    t("save"),
  );
  if (!answer) return;
  const changed = Object.fromEntries(Object.entries(answer).filter(([key, text]) => text !== before[key]));
  if (!Object.keys(changed).length) return;
  try {
    await simulator.request("accessory.edit", { accessory: summary.serialNumber, ...changed });
    await reload(summary.serialNumber);
  } catch (error) {
    fail(error, summary.name);
  }
}

async function save(serialNumber) {
  try {
    const { file } = await simulator.request("accessory.export", { accessory: serialNumber });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file], { type: "application/json" }));
    link.download = `${serialNumber}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    fail(error);
  }
}

async function confirm(action, summary) {
  if (
    !(await ask({
      title: t(`sim.${action}.ask`, { name: summary.name }),
      text: t(`sim.${action}.text`),
      action: t(`sim.${action}`),
    }))
  ) return;
  try {
    await simulator.request(`accessory.${action}`, { accessory: summary.serialNumber });
    asked.clear();
    if (action === "remove") back("/");
    await load();
  } catch (error) {
    fail(error, summary.name);
  }
}

// MARK: More accessories

/** Built-in accessories, or a file. Two accessories cannot have one serial number. */
function addAccessory() {
  let library = null, problem = "";
  const add = async (file) => {
    try {
      const serials = new Set(details.keys());
      let serialNumber = file.serialNumber;
      for (let at = 2; serials.has(serialNumber); at++) serialNumber = `${file.serialNumber}-${at}`;
      const isSecond = serialNumber !== file.serialNumber;
      const count = [...serials].filter((each) => each.startsWith(`${file.serialNumber}-`)).length + 2;
      await simulator.request("accessory.add", {
        accessory: { ...file, serialNumber, ...(isSecond ? { name: `${file.name} ${count}` } : {}) },
      });
      sheet.close();
      await load();
    } catch (error) {
      problem = words(error);
      sheet.paint();
    }
  };
  const addFile = async (blob) => {
    try {
      await add(JSON.parse(await blob.text()));
    } catch {
      problem = t("sim.badFile");
      sheet.paint();
    }
  };
  const sheet = openSheet({
    title: () => t("sim.add"),
    body: () => [
      h("p", { class: "hint bad", role: "alert", key: "problem" }, problem),
      h(
        "div",
        { class: "buttons", key: "file" },
        h(
          "label",
          { class: "button", style: { cursor: "pointer" } },
          icon("box"),
          t("sim.file"),
          h("input", {
            type: "file",
            accept: ".json",
            class: "unseen",
            onchange: (event) => event.target.files[0] && addFile(event.target.files[0]),
          }),
        ),
      ),
      h("h3", { key: "title" }, t("sim.library")),
      !library && h("p", { class: "quiet", role: "status", key: "wait" }, t("loading")),
      library && h(
        "ul",
        { class: "list", role: "list", key: "list" },
        library.map((each) =>
          h(
            "li",
            { key: each.name },
            h(
              "button",
              {
                class: "row",
                onclick: () =>
                  simulator.request("library.show", { name: each.name }).then(
                    ({ file }) => add(JSON.parse(file)),
                    fail,
                  ),
              },
              icon("plus"),
              h("span", { class: "grow" }, h("span", { class: "what" }, bidi(each.title))),
            ),
          )
        ),
      ),
    ],
  });
  simulator.request("library.list").then((reply) => {
    library = reply.accessories;
  }, (error) => {
    library = [];
    problem = words(error);
  }).finally(() => sheet.paint());
}

// MARK: Start

const SCREENS = [
  { pattern: /^\/$/, ...homeScreen },
  { pattern: /^\/accessory\/(a[0-9a-f]+\/\d+)$/, isSheet: true, ...thingSheet },
  { pattern: /^\/device\/([0-9a-f]+)$/, isSheet: true, ...deviceSheet },
];

function paintPage(current) {
  if (simulator.state === "signedOut") return render(app, message(t("sim.token")));
  if (!isKnown || !current) {
    return render(app, message(t(simulator.state === "connecting" ? "net.connecting" : "sim.title")));
  }
  const { screen, match } = current;
  document.title = screen.title(match);
  render(
    app,
    h(
      "div",
      { class: "frame plain-frame", key: "frame" },
      h(
        "header",
        { class: "bar" },
        h("h1", { key: "title" }, screen.title(match)),
        h("div", { key: "tools", class: "tools line" }, screen.tools?.(match)),
      ),
      h(
        "main",
        { id: "rooms", tabindex: "-1" },
        !isOpen() &&
          h("div", { class: "strip", role: "status", key: "strip" }, icon("link-off"), h("span", null, t("sim.lost"))),
        h("div", { key: current.path }, screen.body(match)),
      ),
    ),
  );
  settleStops(app);
}

const message = (text) =>
  h(
    "main",
    { class: "solo", key: "message" },
    h(
      "div",
      null,
      icon("box", "mark"),
      h("h1", null, t("sim.title")),
      h("p", { class: "quiet", role: "status" }, text),
    ),
  );

async function start() {
  const look = localStorage.getItem("hearth.look");
  if (look) document.documentElement.dataset.look = look;
  simulator = useConnection(
    new SimulatorConnection({
      state: paint,
      locate,
      opened: (isNew) => (isNew ? load() : paint()),
      event: (name, event, position) => EVENTS[name]?.(event, position),
    }),
  );
  await loadLanguage();
  await loadRest();
  setFailureText(words);
  startRouter(SCREENS, paintPage);
  listenToTiles(document.body);
  watch("layout", () => follow());
  const due = new Set();
  watch("things", (accessories) => {
    for (const each of accessories) due.add(each);
    accessories.clear();
    if (due.size) {
      requestAnimationFrame(() => {
        const all = [...due];
        due.clear();
        if (all.length) paintTiles(all);
        if (hasSheet()) paint();
      });
    }
  });
  paint();
  simulator.start();
}

start();
