// The simulator's page: its accessories as tiles, what a person at the accessory can do, faults, codes, and more
// accessories.

import { h, icon, name as bidi, render } from "./dom.js";
import { loadLanguage, loadRest, t } from "./words.js";
import { follow, go, hasSheet, paint, place, setFailureText, startRouter } from "./router.js";
import { isOpen, useConnection, words } from "./actions.js";
import { listenToTiles, paintTiles, settleStops, tiles } from "./tiles.js";
import { addAccessory } from "./simulator-add.js";
import { connect, detailOf, EVENTS, isKnown, load, locate, simulator } from "./simulator-state.js";
import { SimulatorConnection } from "./simulator-connection.js";
import { thingSheet } from "./simulator-thing.js";
import { home, watch } from "./model.js";
import { deviceSheet } from "./simulator-device.js";

const app = document.getElementById("app");

// MARK: The page

const serverRooms = () => home()?.rooms ?? [];

const homeScreen = {
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
  connect(useConnection(
    new SimulatorConnection({
      state: paint,
      locate,
      opened: (isNew) => (isNew ? load() : paint()),
      event: (name, event, position) => EVENTS[name]?.(event, position),
    }),
  ));
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
