// The page's start: language, sign-in, the stream, and the frame around the screens.

import {
  back,
  currentScreen,
  follow,
  go,
  hasSheet,
  menu,
  paint,
  place,
  setFailureText,
  startRouter,
} from "./router.js";
import {
  cursors,
  home,
  homeList,
  model,
  receive,
  restartPositions,
  storeOutcomes,
  storeTimes,
  watch,
} from "./model.js";
import { hub, startConnection, words } from "./actions.js";
import { h, icon, loadStyles, name as bidi, render } from "./dom.js";
import { listenToTiles, paintTiles, settleStops } from "./tiles.js";
import { attentionList, homeScreen } from "./home.js";
import { clockTime, hubDate, loadLanguage, loadRest, t } from "./words.js";

const LOOK = "hearth.look";

const app = document.getElementById("app");

const ID = "([0-9A-Fa-f-]{36})";

/** The texts and styles that the first page does without. */
const loadMore = () => Promise.all([loadRest(), loadStyles()]);
/** A screen whose module is loaded when somebody goes there. */
const lazy = (file, part, options = {}) => ({
  load: async () => {
    const [module] = await Promise.all([import(file), loadMore()]);
    return module[part];
  },
  ...options,
});

const SCREENS = [
  { pattern: /^\/$/, ...homeScreen },
  { pattern: new RegExp(`^/room/${ID}$`), ...lazy("./rooms.js", "roomScreen") },
  { pattern: new RegExp(`^/zone/${ID}$`), ...lazy("./rooms.js", "zoneScreen") },
  { pattern: /^\/category\/(\w+)$/, ...lazy("./rooms.js", "categoryScreen") },
  { pattern: /^\/attention$/, ...lazy("./rooms.js", "attentionScreen") },
  { pattern: new RegExp(`^/accessory/(${ID}/\\d+)$`), isSheet: true, ...lazy("./detail.js", "thingSheet") },
  { pattern: new RegExp(`^/device/${ID}$`), isSheet: true, ...lazy("./device.js", "deviceSheet") },
  { pattern: /^\/scenes$/, tab: "scenes", ...lazy("./scenes.js", "scenesScreen") },
  { pattern: /^\/scene\/([0-9A-Fa-f-]{36}|new)$/, isSheet: true, ...lazy("./scenes.js", "sceneSheet") },
  { pattern: /^\/automations$/, tab: "automations", ...lazy("./automations.js", "automationsScreen") },
  { pattern: /^\/automation\/([0-9A-Fa-f-]{36}|new)$/, isSheet: true, ...lazy("./automation.js", "automationSheet") },
  { pattern: /^\/activity$/, tab: "activity", ...lazy("./activity.js", "activityScreen") },
  { pattern: /^\/settings$/, tab: "settings", ...lazy("./settings.js", "settingsScreen") },
  { pattern: /^\/people$/, tab: "settings", ...lazy("./people.js", "peopleScreen") },
  { pattern: /^\/zones$/, tab: "settings", ...lazy("./zones.js", "zonesScreen") },
  { pattern: /^\/groups$/, tab: "settings", ...lazy("./zones.js", "groupsScreen") },
  { pattern: /^\/apps$/, tab: "settings", ...lazy("./apps.js", "appsScreen") },
  { pattern: /^\/start$/, ...lazy("./first-run.js", "startScreen") },
  { pattern: /^\/say$/, isSheet: true, ...lazy("./say.js", "saySheet") },
  { pattern: /^\/add$/, isSheet: true, ...lazy("./add.js", "addSheet") },
  { pattern: /^\/maker\/([^/]+)$/, ...lazy("./maker.js", "makerScreen") },
];

/** The address, the symbol and the text of each tab. */
const TABS = [
  ["/", "home", "home"],
  ["/scenes", "scenes", "scenes"],
  ["/automations", "automation", "automations"],
  ["/activity", "activity", "activity"],
  ["/settings", "settings", "settings"],
];

/** The modules of the sign-in screen and of the wall tablet, once they were needed. */
let signIn = null, wall = null;

// MARK: The frame

function paintPage(current) {
  if (signIn?.isShown()) return render(app, signIn.view());
  if (!model.isKnown || !current) return render(app, loadingView());
  const { screen, match } = current;
  const isWall = localStorage.getItem("hearth.wall") === "1";
  document.documentElement.classList.toggle("wall", isWall);
  if (isWall && !wall) loadWall();
  const title = screen.title(match);
  document.title = title;
  render(
    app,
    h(
      "div",
      { class: "frame", key: "frame" },
      h("a", {
        class: "skip",
        href: "#rooms",
        onclick: (event) => {
          event.preventDefault();
          event.stopPropagation();
          document.querySelector("main").focus();
        },
      }, t("skip")),
      h(
        "header",
        { class: "bar" },
        screen.parent && h("button", {
          class: "round back",
          key: "back",
          "aria-label": t("back"),
          onclick: () => back(screen.parent),
        }, icon("back", "turns")),
        h("h1", { key: "title" }, screen.isHome && homeList().length > 1 ? homeButton(title) : bidi(title)),
        h("div", { key: "tools", class: "tools line" }, screen.tools?.(match)),
      ),
      h(
        "main",
        { id: "rooms", tabindex: "-1" },
        h(
          "div",
          { class: "strip-place", key: "strip" },
          strip(),
          questionStrip && [...questions.values()].map((each) => questionStrip(each, () => questions.get(each.id))),
        ),
        h("div", { key: current.path }, screen.body(match)),
      ),
      isWall && wall?.side(),
      navigation(screen),
      isWall && wall?.isDim(touched) && !hasSheet() && wall.dimmed(wake),
    ),
  );
  settleStops(app);
}

function navigation(screen) {
  const here = home();
  const rooms = here ? here.rooms : [];
  return h(
    "nav",
    { class: "nav", "aria-label": t("navigation") },
    h(
      "ul",
      { role: "list" },
      TABS.map(([href, symbol, key]) => [
        h(
          "li",
          { key },
          h(
            "a",
            { href: place(href), "aria-current": (screen.tab ?? "home") === key ? "page" : null },
            icon(symbol),
            h("span", null, t(key)),
          ),
        ),
        key === "home" && rooms.map((room) =>
          h(
            "li",
            { key: room.id, class: "side-only" },
            h("a", {
              href: place(`/room/${room.id}`),
              "aria-current": currentScreen().match[1] === room.id ? "page" : null,
            }, h("span", null, bidi(room.name))),
          )
        ),
      ]),
    ),
  );
}

function homeButton(title) {
  return h(
    "button",
    {
      "aria-haspopup": "true",
      onclick: (event) =>
        menu(
          event.currentTarget,
          homeList().map((each) => ({
            icon: "home",
            label: each.name,
            isName: true,
            isCurrent: each.id === model.homeID,
            hasDot: attentionList(each).some((row) => row.level < 2),
            action: () => {
              model.homeID = each.id;
              go(place("/"));
            },
          })),
        ),
    },
    bidi(title),
    icon("down"),
  );
}

function loadingView() {
  return h(
    "div",
    { class: "solo", key: "loading" },
    h(
      "div",
      null,
      icon("home", "mark"),
      h("p", { class: "quiet", role: "status" }, hub.state === "waiting" ? t("net.cannot") : t("net.connecting")),
    ),
  );
}

// MARK: The connection's state

let lostAt = 0, lostTimer = 0;

function connectionChanged(state) {
  if (state === "open") {
    lostAt = 0;
    clearInterval(lostTimer);
  } else if (!lostAt) {
    lostAt = Date.now();
    // Less than two seconds of loss show nothing.
    clearInterval(lostTimer);
    lostTimer = setInterval(paint, 2000);
  }
  paint();
}

function strip() {
  if (hub.state === "superseded") {
    return stripBox(
      "info",
      t("net.superseded"),
      h("button", { class: "button", onclick: () => hub.reconnect() }, t("net.here")),
    );
  }
  if (!lostAt || Date.now() - lostAt < 2000) return null;
  if (Date.now() - lostAt < 10_000) return stripBox("link-off", t("net.connecting"));
  return stripBox(
    "link-off",
    t("net.lost", { time: clockTime(new Date(hub.lostAt ?? lostAt)) }),
    h("button", { class: "button", onclick: () => hub.reconnect() }, t("net.try")),
  );
}

/**
 * Questions of the hub that no page's own set-up or conversation asks. They are rare: what shows them is fetched with
 * the first.
 */
const questions = new Map();

let questionStrip = null;

function addQuestion(question) {
  // A voice satellite can't ask on a screen, so every page does; who wrote a sentence sees its question beside it.
  const isSpoken = question.kind === "voice" && question.app === "hearth.wyoming";
  if (!isSpoken && (question.reference !== undefined || question.kind === "voice")) return;
  questions.set(question.id, question);
  Promise.all([import("./questions.js"), loadRest()]).then(([module]) => {
    questionStrip = module.questionStrip;
    paint();
  }, () => {});
}

/** The questions that events have told of since the hub was asked for the list; `null` if no list is on its way. */
let told = null;

watch("questions", ({ asked, closed }) => {
  told?.add(asked?.id ?? closed);
  if (asked) addQuestion(asked);
  else if (questions.delete(closed)) paint();
});

/** The stream on which the hub tells of questions. */
let questionStream = null;

/**
 * Asks for the open questions, once for each stream. What events tell meanwhile is newer than the list, which may arrive
 * after them.
 */
function followQuestions() {
  if (questionStream === hub.stream) return;
  questionStream = hub.stream;
  const mine = (told = new Set());
  hub.request("question.list").then((reply) => {
    if (told !== mine) return;
    told = null;
    for (const id of questions.keys()) if (!mine.has(id)) questions.delete(id);
    for (const each of reply.questions ?? []) if (!mine.has(each.id)) addQuestion(each);
    paint();
  }, () => {
    if (told !== mine) return;
    // The next change of a home asks again.
    told = questionStream = null;
  });
}

function stripBox(symbol, text, action) {
  return h("div", { class: "strip", role: "status" }, icon(symbol), h("span", null, text), action);
}

function greeted(hello, isNew) {
  if (isNew) restartPositions();
  newest = hello.assets ?? ASSETS;
}

/** The first touch of a dimmed wall tablet. */
function wake() {
  touched = Date.now();
  paint();
}

/** The name of the set of files that this page is of. */
const ASSETS = /\/assets\/([^/]+)\//.exec(import.meta.url)?.[1];

let newest = ASSETS;
/** When somebody last touched the page. */
let touched = Date.now();

const RELOADED = "hearth.reloadedFor";

/** A page older than the hub loads anew at a harmless moment; once, in case that does not help. */
function reloadIfOld(idle) {
  if (newest === ASSETS || hasSheet() || sessionStorage.getItem(RELOADED) === newest) return;
  if (document.visibilityState !== "hidden" && idle < 30_000) return;
  sessionStorage.setItem(RELOADED, newest);
  location.reload();
}

setInterval(() => {
  const idle = Date.now() - touched;
  reloadIfOld(idle);
  if (new Date().getHours() === 4 && idle > 3_600_000 && performance.now() > 7_200_000) location.reload();
}, 10_000);

for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, (event) => {
    if (!event.target.closest?.(".dim")) touched = Date.now();
  }, { passive: true, capture: true });
}

const subscribed = new Set();

let subscribedStream = null;

/** Asks for the values of every home that is seen, once per stream. */
function subscribe() {
  followQuestions();
  if (subscribedStream !== hub.stream) {
    subscribed.clear();
    subscribedStream = hub.stream;
    // The hub tells only its own user what plays.
    hub.request("media.follow").catch(() => (model.media = null));
  }
  for (const each of model.homes.values()) {
    if (subscribed.has(each.id)) continue;
    subscribed.add(each.id);
    hub.send("characteristic.notify", { home: each.id, enabled: true }, {}).then((reply) =>
      storeOutcomes(reply.result?.outcomes, reply.after ?? 0)
    ).catch(() => subscribed.delete(each.id));
    hub.send("characteristic.since", { home: each.id }, {}).then((reply) => {
      for (const { accessory, since } of reply.result?.accessories ?? []) {
        storeTimes(
          accessory,
          Object.fromEntries(Object.entries(since).map(([iid, time]) => [iid, hubDate(time).getTime()])),
        );
      }
    }).catch(() => {});
  }
}

// MARK: Modules for some devices only

async function loadSignIn() {
  const [module] = await Promise.all([import("./sign-in.js"), loadMore()]);
  return (signIn = module);
}

async function askForCode(error) {
  (await loadSignIn()).askForCode(error);
}

function loadWall() {
  Promise.all([import("./wall.js"), loadMore()]).then(([module]) => {
    wall = module;
    paint();
  }, () => {});
}

// MARK: Start

function applyLook() {
  const look = localStorage.getItem(LOOK);
  if (look) document.documentElement.dataset.look = look;
  else delete document.documentElement.dataset.look;
}

async function start() {
  // The code of the link is gone from the address before anything else runs.
  const code = /[#&]code=([A-Za-z0-9-]+)/.exec(location.hash)?.[1];
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  applyLook();
  addEventListener("hearth-look", applyLook);
  await loadLanguage();
  setFailureText(words);
  startConnection({
    event: receive,
    state: connectionChanged,
    greeted,
    hello: () => ({
      version: 7,
      app: "browser",
      purpose: "Shows the home in a browser.",
      seen: cursors(),
      former: hub.run && hub.client ? { run: hub.run, client: hub.client } : undefined,
    }),
    signedOut: askForCode,
  });
  startRouter(SCREENS, paintPage);
  listenToTiles(document.body);
  watch("layout", (event) => {
    if (event?.isReset || event?.home === undefined || event?.change) subscribe();
    if (!currentScreen()) follow();
    else paint();
  });
  let due = new Set(), slow = 0;
  watch("things", (accessories) => {
    for (const each of accessories) due.add(each);
    accessories.clear();
    frame();
  });
  const frame = () => {
    if (frame.isDue) return;
    frame.isDue = true;
    requestAnimationFrame(() => {
      frame.isDue = false;
      const now = due;
      due = new Set();
      paintTiles(now);
      // Summaries and sheets follow at most four times a second; a sheet at once.
      if (hasSheet()) paint();
      else if (!slow) {
        slow = setTimeout(() => {
          slow = 0;
          paint();
        }, 250);
      }
    });
  };
  setInterval(() => {
    if (document.visibilityState !== "hidden") paint();
  }, 20_000);
  // What failures are called, and the rest of the texts, once the first page stands.
  const whenKnown = watch("layout", () => {
    whenKnown();
    setTimeout(() => {
      Promise.all([import("./new-devices.js"), loadMore()]).then(([module]) => module.tellOfNewDevices(), () => {});
    }, 1000);
  });
  if (code) return (await loadSignIn()).trySignIn(code);
  if (hub.canSignIn) hub.start();
  else askForCode();
  paint();
}

start();
