// The page's start: language, sign-in, the stream, and the frame around the screens.

import { h, icon, name as bidi, render } from "./dom.js";
import { clockTime, hubDate, loadLanguage, loadRest, longDate, t } from "./words.js";
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
import { listenToTiles, paintTiles, settleStops } from "./tiles.js";
import { attentionList, attentionScreen, categoryScreen, homeScreen, roomScreen, zoneScreen } from "./home.js";

const LOOK = "hearth.look";
const app = document.getElementById("app");
const ID = "([0-9A-Fa-f-]{36})";
const lazy = (file, part, options = {}) => ({
  load: async () => {
    const [module] = await Promise.all([import(file), loadRest()]);
    return module[part];
  },
  ...options,
});

const SCREENS = [
  { pattern: /^\/$/, ...homeScreen },
  { pattern: new RegExp(`^/room/${ID}$`), ...roomScreen },
  { pattern: new RegExp(`^/zone/${ID}$`), ...zoneScreen },
  { pattern: /^\/category\/(\w+)$/, ...categoryScreen },
  { pattern: /^\/attention$/, ...attentionScreen },
  { pattern: new RegExp(`^/accessory/(${ID}/\\d+)$`), isSheet: true, ...lazy("./detail.js", "thingSheet") },
  { pattern: new RegExp(`^/device/${ID}$`), isSheet: true, ...lazy("./detail.js", "deviceSheet") },
  { pattern: /^\/scenes$/, tab: "scenes", ...lazy("./scenes.js", "scenesScreen") },
  { pattern: /^\/scene\/([0-9A-Fa-f-]{36}|new)$/, isSheet: true, ...lazy("./scenes.js", "sceneSheet") },
  { pattern: /^\/automations$/, tab: "automations", ...lazy("./automations.js", "automationsScreen") },
  { pattern: /^\/automation\/([0-9A-Fa-f-]{36}|new)$/, isSheet: true, ...lazy("./automations.js", "automationSheet") },
  { pattern: /^\/activity$/, tab: "activity", ...lazy("./activity.js", "activityScreen") },
  { pattern: /^\/settings$/, tab: "settings", ...lazy("./settings.js", "settingsScreen") },
  { pattern: /^\/people$/, tab: "settings", ...lazy("./settings.js", "peopleScreen") },
  { pattern: /^\/zones$/, tab: "settings", ...lazy("./settings.js", "zonesScreen") },
  { pattern: /^\/groups$/, tab: "settings", ...lazy("./settings.js", "groupsScreen") },
  { pattern: /^\/apps$/, tab: "settings", ...lazy("./settings.js", "appsScreen") },
  { pattern: /^\/start$/, ...lazy("./add.js", "startScreen") },
  { pattern: /^\/say$/, isSheet: true, ...lazy("./say.js", "saySheet") },
  { pattern: /^\/add$/, isSheet: true, ...lazy("./add.js", "addSheet") },
  { pattern: /^\/maker\/([^/]+)$/, ...lazy("./maker.js", "makerScreen") },
];

const TABS = [["/", "home", "home"], ["/scenes", "scenes", "scenes"], ["/automations", "automation", "automations"], [
  "/activity",
  "activity",
  "activity",
], ["/settings", "settings", "settings"]];

let signIn = null; // What the sign-in screen shows, while it is shown.

// MARK: The frame

function paintPage(current) {
  if (signIn) return render(app, signInView());
  if (!model.isKnown || !current) return render(app, loadingView());
  const { screen, match } = current;
  const isWall = localStorage.getItem("hearth.wall") === "1";
  document.documentElement.classList.toggle("wall", isWall);
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
      isWall && wallSide(),
      navigation(screen),
      isWall && Date.now() - touched > DIM && !hasSheet() && dimmed(),
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

function wallSide() {
  const now = new Date();
  const rows = home() ? attentionList(home()).slice(0, 6) : [];
  return h(
    "aside",
    { class: "wall-side", key: "wall", "aria-label": t("attention") },
    h("p", { class: "wall-clock" }, clockTime(now)),
    h("p", { class: "quiet" }, longDate(now)),
    h(
      "ul",
      { class: "list", role: "list" },
      rows.map((row) =>
        h(
          "li",
          { key: row.key },
          h(
            "a",
            { class: "row", href: place(row.href) },
            icon("warn"),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, bidi(row.name)),
              h("span", { class: "sub" }, row.text),
            ),
          ),
        )
      ),
    ),
    h("a", { class: "button", href: place("/settings") }, t("settings")),
  );
}

/** A wall tablet that nobody touches shows the time and what needs a person; the first touch only wakes it. */
const DIM = 120_000;

function dimmed() {
  const rows = home() ? attentionList(home()).slice(0, 3) : [];
  return h(
    "button",
    {
      class: "dim",
      key: "dim",
      "aria-label": t("wall.touch"),
      onclick: () => {
        touched = Date.now();
        paint();
      },
    },
    h("span", { class: "wall-clock" }, clockTime(new Date())),
    rows.map((row) => h("span", { key: row.key }, bidi(row.name), ": ", row.text)),
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
  if (question.reference !== undefined || question.kind === "voice") return;
  questions.set(question.id, question);
  Promise.all([import("./questions.js"), loadRest()]).then(([module]) => {
    questionStrip = module.questionStrip;
    paint();
  }, () => {});
}

watch("questions", ({ asked, closed }) => {
  if (asked) addQuestion(asked);
  else if (questions.delete(closed)) paint();
});

function followQuestions() {
  hub.request("question.list").then((reply) => {
    questions.clear();
    reply.questions?.forEach(addQuestion);
    paint();
  }, () => {});
}

function stripBox(symbol, text, action) {
  return h("div", { class: "strip", role: "status" }, icon(symbol), h("span", null, text), action);
}

function greeted(hello, isNew) {
  if (isNew) restartPositions();
  newest = hello.assets ?? ASSETS;
}

/** The name of the set of files that this page is of. */
const ASSETS = /\/assets\/([^/]+)\//.exec(import.meta.url)?.[1];
let newest = ASSETS, touched = Date.now();
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
async function subscribe() {
  if (subscribedStream !== hub.stream) {
    subscribed.clear();
    subscribedStream = hub.stream;
    followQuestions();
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

// MARK: Sign in

function showSignIn(reason) {
  signIn = { reason, code: "", isBusy: false };
  paint();
}

function deviceName() {
  const agent = navigator.userAgent;
  const device = /iPad/.test(agent)
    ? "iPad"
    : /iPhone/.test(agent)
    ? "iPhone"
    : /Android/.test(agent)
    ? "Android"
    : /Mac/.test(agent)
    ? "Mac"
    : /Windows/.test(agent)
    ? "Windows"
    : "Linux";
  const browser = /Firefox/.test(agent)
    ? "Firefox"
    : /Edg/.test(agent)
    ? "Edge"
    : /Chrom/.test(agent)
    ? "Chrome"
    : "Safari";
  return `${browser}, ${device}`;
}

function signInView() {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const code = form.elements.code.value.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
    if (code.length < 8) {
      signIn.reason = t("sign.short");
      return paint();
    }
    await trySignIn(code, form.elements.device.value.trim() || deviceName(), form.elements.stay.checked);
  };
  return h(
    "main",
    { class: "solo", key: "sign-in" },
    h(
      "div",
      null,
      icon("home", "mark"),
      h("h1", null, t("sign.title")),
      h("p", { class: "quiet" }, t("sign.text")),
      h("code", { class: "command" }, "hearth login"),
      h(
        "form",
        { onsubmit: submit },
        h(
          "div",
          { class: "field" },
          h("label", { for: "code" }, t("sign.code")),
          h("input", {
            id: "code",
            name: "code",
            class: "code",
            type: "text",
            maxlength: "24",
            autocomplete: "one-time-code",
            autocapitalize: "characters",
            spellcheck: "false",
            value: signIn.code,
            "aria-describedby": "reason",
            "aria-invalid": signIn.reason ? "true" : null,
          }),
          h("p", { id: "reason", class: "hint bad", role: "alert" }, signIn.reason ?? ""),
        ),
        h(
          "div",
          { class: "field" },
          h("label", { for: "device" }, t("sign.device")),
          h("input", {
            id: "device",
            name: "device",
            type: "text",
            maxlength: "64",
            autocomplete: "off",
            value: deviceName(),
          }),
        ),
        h(
          "label",
          { class: "check", style: { "margin-block": "12px" } },
          h("input", { type: "checkbox", name: "stay", checked: true }),
          h("span", null, t("sign.stay")),
        ),
        h("button", { class: "button main wide", type: "submit", disabled: signIn.isBusy }, t("sign.in")),
      ),
    ),
  );
}

async function trySignIn(code, device, stay) {
  signIn ??= {};
  signIn.isBusy = true;
  signIn.reason = "";
  paint();
  try {
    await hub.signIn(code, device, stay);
    signIn = null;
    hub.start();
  } catch (error) {
    signIn.isBusy = false;
    signIn.reason = error.data?.retryAfter !== undefined
      ? words(error)
      : error.status === 429
      ? t("sign.wait")
      : error.status === 401
      ? t("sign.wrong")
      : words(error);
  }
  paint();
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
      version: 6,
      app: "browser",
      purpose: "Shows the home in a browser.",
      seen: cursors(),
      former: hub.run && hub.client ? { run: hub.run, client: hub.client } : undefined,
    }),
    signedOut: (error) => showSignIn(error.message && error.code !== "signedOut" ? words(error) : t("sign.out")),
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
    setTimeout(() => loadRest().catch(() => {}), 1000);
  });
  if (code) return trySignIn(code, deviceName(), true);
  if (hub.canSignIn) hub.start();
  else showSignIn();
  paint();
}

start();
