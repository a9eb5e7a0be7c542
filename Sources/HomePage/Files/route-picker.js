// The route picker: the receiver to which the apps of the hub's computer play, for all of them at once. Its states are those of
// Apple's: none, found and playing. Receivers are looked for only while the picker is open.

import { announce, h, icon, name as bidi } from "./dom.js";
import { openSheet, paint } from "./router.js";
import { hub, isOpen, perform } from "./actions.js";
import { askForm } from "./picker.js";
import { model } from "./model.js";
import { t } from "./words.js";

/** How long one looks before one says that there is nothing, in milliseconds. */
const PATIENCE = 4000;

/** The stream on which receivers are looked for. */
let browsing = null;
let since = 0;

/** The names or IDs of the receivers to which apps play, in step if there are several. */
const routes = () => model.media?.routes ?? [];
const receivers = () => model.media?.receivers ?? [];
const isNamed = (route, receiver) => route === receiver.name || route.toLowerCase() === receiver.id.toLowerCase();
const isRoute = (receiver) => routes().some((route) => isNamed(route, receiver));

/** What the picker shows: `none` without receivers, `found` with some, `playing` if an app plays to the chosen one. */
export function routeState() {
  if (routes().length && model.media.players.some((player) => player.isRouted && player.isPlaying)) return "playing";
  return receivers().length ? "found" : "none";
}

/** The name of where apps play. */
export const routeName = () => routes().join(", ") || t("route.here");

/** The receivers in the order of the list: by name, and those with video first where an app asks for it. */
export function orderedReceivers(list, isVideoFirst) {
  return isVideoFirst ? [...list].sort((a, b) => Number(b.playsVideo) - Number(a.playsVideo)) : list;
}

/** The button that opens the picker, with the name of where apps play. */
export function routeButton() {
  return h(
    "button",
    {
      class: "button route",
      key: "route",
      "aria-haspopup": "dialog",
      "aria-label": t("route.button", { name: routeName() }),
      "data-state": routeState(),
      disabled: !isOpen(),
      onclick: openRoutePicker,
    },
    icon("speaker"),
    h("span", null, bidi(routeName())),
  );
}

/** Opens the picker. */
export function openRoutePicker() {
  since = performance.now();
  setTimeout(paint, PATIENCE + 100);
  openSheet({
    title: () => t("route.title"),
    body,
    onend: () => {
      browsing = null;
      if (isOpen()) hub.request("media.stopBrowsing").catch(() => {});
    },
  });
}

/** Looks for receivers, again on each new stream. */
function browse() {
  if (!isOpen() || browsing === hub.stream) return;
  const stream = browsing = hub.stream;
  hub.request("media.startBrowsing").catch(() => {
    if (browsing === stream) browsing = null;
  });
}

function body() {
  browse();
  const isVideoFirst = (model.media?.players ?? []).some((player) => player.prioritizesVideo);
  const list = orderedReceivers(receivers(), isVideoFirst);
  const state = routeState();
  const lost = routes().filter((route) => !list.some((receiver) => isNamed(route, receiver)));
  return [
    h("p", { class: "quiet", key: "text" }, t("route.text")),
    h(
      "ul",
      { class: "list", role: "list", key: "list", "data-state": state },
      choice({
        key: "here",
        symbol: "home",
        what: t("route.here"),
        isCurrent: !routes().length,
        onclick: () => choose(null),
      }),
      lost.map((route) =>
        choice({ key: `lost ${route}`, symbol: "speaker", what: bidi(route), sub: t("route.lost"), isCurrent: true })
      ),
      list.map((receiver) =>
        choice({
          key: receiver.id,
          symbol: receiver.playsVideo ? "tv" : "speaker",
          what: bidi(receiver.name),
          sub: [receiver.playsVideo && t("route.video"), receiver.needsPassword && t("route.needsPassword")]
            .filter(Boolean).join(" · "),
          isCurrent: isRoute(receiver),
          onclick: () => choose(receiver),
        })
      ),
    ),
    h("p", { class: "quiet", role: "status", key: "state" }, statusText(list)),
  ];
}

function statusText(list) {
  if (list.length) return "";
  return t(performance.now() - since < PATIENCE ? "route.looking" : "route.none");
}

function choice({ key, symbol, what, sub, isCurrent, onclick }) {
  return h(
    "li",
    { key },
    h(
      "button",
      { class: "row", "aria-pressed": String(Boolean(isCurrent)), disabled: !isOpen(), onclick },
      icon(symbol),
      h("span", { class: "grow" }, h("span", { class: "what" }, what), sub && h("span", { class: "sub" }, sub)),
      isCurrent && icon("check", "small"),
    ),
  );
}

async function choose(receiver) {
  if (receiver ? isRoute(receiver) && routes().length === 1 : !routes().length) return;
  const parameters = {};
  if (receiver) {
    const isOnly = receivers().filter((each) => each.name === receiver.name).length === 1;
    parameters.receiver = isOnly ? receiver.name : receiver.id;
  }
  if (receiver?.needsPassword) {
    const answer = await askPassword(receiver);
    if (!answer) return;
    parameters.password = answer.password;
  }
  if (await perform("media.choose", parameters)) {
    announce(t("route.chosen", { name: receiver?.name ?? t("route.here") }));
  }
}

const askPassword = (receiver) =>
  askForm(t("route.passwordOf", { name: receiver.name }), { password: "" }, (state) => [
    h(
      "div",
      { class: "field", key: "password" },
      h("label", { for: "route-password" }, t("route.password")),
      h("input", {
        id: "route-password",
        type: "password",
        autocomplete: "off",
        maxlength: "255",
        required: true,
        autofocus: true,
        value: state.password,
        oninput: (event) => {
          state.password = event.target.value;
        },
      }),
    ),
  ]);
