// What plays on the hub's computer, for its own user: titles, progress, the buttons that an app takes, and where it plays.

import { h, icon, name as bidi } from "./dom.js";
import { hub, isOpen, perform } from "./actions.js";
import { paint } from "./router.js";
import { model } from "./model.js";
import { percent, t } from "./words.js";
import { routeButton } from "./route-picker.js";

/** How many pictures are kept, and their addresses by app and number. */
const KEPT = 8;
const pictures = new Map();

/** The section of the home's screen; `null` if nothing plays and no receiver is chosen. */
export function nowPlaying() {
  const { media } = model;
  if (!media || (!media.players.length && !media.routes.length)) return null;
  if (media.players.some((player) => player.isPlaying)) tick();
  return h(
    "section",
    { class: "room", key: "now-playing", "aria-labelledby": "now-playing-title" },
    h("div", { class: "head" }, h("h2", { id: "now-playing-title" }, t("playing.title"))),
    h(
      "div",
      { class: "cards" },
      media.players.map(card),
      !media.players.length &&
        h("div", { class: "card", key: "nothing" }, h("p", { class: "quiet" }, t("playing.nothing")), routeButton()),
    ),
  );
}

let timer = 0;

/** Draws the progress again while something plays. */
function tick() {
  clearTimeout(timer);
  timer = setTimeout(() => document.visibilityState !== "hidden" && paint(), 1000);
}

function card(player) {
  const title = player.title ?? player.app;
  const sub = [player.artist, player.album].filter(Boolean);
  return h(
    "div",
    { class: "card playing", key: player.id, role: "group", "aria-label": title },
    h(
      "div",
      { class: "line" },
      picture(player),
      h(
        "div",
        { class: "grow" },
        h("h3", null, bidi(title)),
        sub.length > 0 && h("p", null, sub.map((each, at) => [at > 0 && " · ", bidi(each)])),
        player.title && h("p", { class: "quiet" }, bidi(player.app)),
      ),
    ),
    progress(player),
    h("div", { class: "line controls" }, buttons(player), routeButton()),
    player.isRouted && volume(player),
  );
}

/** The picture, once it is there. */
function picture(player) {
  const symbol = icon(player.prioritizesVideo ? "film" : "music", "cover");
  if (player.artwork === undefined) return symbol;
  const key = `${player.id}/${player.artwork}`;
  const address = pictures.get(key);
  if (address) return h("img", { class: "cover", key, src: address, alt: "" });
  if (!pictures.has(key) && isOpen()) fetchPicture(player.id, key);
  return symbol;
}

function fetchPicture(player, key) {
  pictures.set(key, null);
  for (const old of [...pictures.keys()].slice(0, -KEPT)) {
    if (pictures.get(old)) URL.revokeObjectURL(pictures.get(old));
    pictures.delete(old);
  }
  hub.request("media.artwork", { player }).then(({ type, data }) => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    if (!pictures.has(key)) return;
    pictures.set(key, URL.createObjectURL(new Blob([bytes], { type })));
    paint();
  }, () => {});
}

function progress(player) {
  const { elapsed, duration } = player;
  if (elapsed === undefined) return null;
  const since = player.isPlaying ? (performance.now() - model.media.arrival) / 1000 : 0;
  const at = Math.min(elapsed + since, duration ?? Infinity);
  const text = duration ? t("playing.at", { a: clock(at), b: clock(duration) }) : clock(at);
  return h(
    "div",
    { class: "progress" },
    duration &&
      h("progress", { value: at, max: duration, "aria-label": t("playing.progress"), "aria-valuetext": text }),
    h("span", { class: "quiet" }, text),
  );
}

/** “3:05”, “1:02:03”. */
function clock(seconds) {
  const whole = Math.floor(seconds), two = (part) => String(part).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The buttons for what the app takes. */
function buttons(player) {
  const takes = (command) => player.commands.includes(command);
  const wanted = player.isPlaying ? "pause" : "play";
  const toggle = takes(wanted) ? wanted : takes("playpause") ? "playpause" : null;
  return [
    takes("previtem") && button(player, "previtem", t("playing.previous"), skip("M17 5L8 12l9 7zM6 5v14")),
    toggle &&
    button(
      player,
      toggle,
      t(player.isPlaying ? "playing.pause" : "playing.play"),
      icon(player.isPlaying ? "pause" : "play"),
    ),
    takes("nextitem") && button(player, "nextitem", t("playing.next"), skip("M7 5l9 7-9 7zM18 5v14")),
  ];
}

const button = (player, command, label, symbol) =>
  h("button", {
    class: "round",
    key: command.startsWith("p") && command !== "previtem" ? "toggle" : command,
    "aria-label": label,
    disabled: !isOpen(),
    onclick: () => perform("media.command", { player: player.id, command }),
  }, symbol);

/** Two symbols that nothing else needs. */
const skip = (path) => h("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" }, h("path", { d: path }));

function volume(player) {
  const label = t("playing.volume");
  const at = Math.round((player.volume ?? 1) * 100);
  return h(
    "div",
    { class: "slide", key: "volume" },
    h("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      value: at,
      disabled: !isOpen(),
      "aria-label": label,
      "aria-valuetext": percent(at),
      style: { "--part": `${at}%`, "--fill": "var(--accent)" },
      onchange: (event) => perform("media.setVolume", { player: player.id, volume: Number(event.target.value) / 100 }),
    }),
  );
}
