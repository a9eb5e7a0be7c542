// The first steps of a new home: its name, its rooms, and the way to its first accessory.

import { askName, go, nameProblem, paint, place } from "./router.js";
import { home, homeList, model } from "./model.js";
import { change, fail, hub, isOpen, words } from "./actions.js";
import { t } from "./words.js";
import { h, icon } from "./dom.js";

const START = { step: "home", name: null, own: [], rooms: new Set(), isBusy: false, problem: "" };
let first = { ...START };

export const startScreen = {
  title: () => t("start.title"),
  parent: "/",
  body: () => (first.step === "rooms" && home() ? roomsStep() : nameStep()),
};

function nameStep() {
  return h(
    "form",
    { style: { "max-width": "30rem" }, onsubmit: makeHome },
    h("p", { class: "quiet" }, t("start.home")),
    h(
      "div",
      { class: "field" },
      h("label", { for: "home-name" }, t("name")),
      h("input", {
        id: "home-name",
        name: "name",
        type: "text",
        maxlength: "64",
        autocomplete: "off",
        value: first.name ?? (homeList().length ? "" : t("home.first")),
        "aria-invalid": first.problem ? "true" : null,
      }),
      h("p", { class: "hint bad", role: "alert" }, first.problem),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button main", type: "submit", disabled: first.isBusy || !isOpen() }, t("next")),
    ),
  );
}

async function makeHome(event) {
  event.preventDefault();
  const name = event.currentTarget.elements.name.value.trim();
  first.name = name;
  first.problem = nameProblem(name);
  if (!first.problem) {
    try {
      const { id } = await hub.perform("home.add", { name });
      model.homeID = id;
      first = { ...START, step: "rooms", rooms: new Set() };
    } catch (error) {
      first.problem = words(error);
    }
  }
  paint();
}

function roomsStep() {
  return h(
    "div",
    { style: { "max-width": "40rem" } },
    h("p", { class: "quiet" }, t("start.rooms")),
    h(
      "div",
      { class: "chips" },
      [...t("room.suggestions").split(", "), ...first.own].map(roomChip),
      h("button", { key: "own", class: "chip", onclick: addOwn }, icon("plus"), t("start.ownRoom")),
    ),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        { class: "button main", disabled: first.isBusy, onclick: () => finish("/add") },
        t("start.accessory"),
      ),
      h("button", { class: "button", disabled: first.isBusy, onclick: () => finish(null) }, t("later")),
    ),
  );
}

function roomChip(name) {
  const isChosen = first.rooms.has(name);
  const onclick = () => {
    if (isChosen) first.rooms.delete(name);
    else first.rooms.add(name);
    paint();
  };
  return h("button", { key: name, class: "chip", "aria-pressed": String(isChosen), onclick }, name);
}

function addOwn() {
  askName({
    title: t("room.add"),
    action: t("add"),
    save: (name) => {
      if (!t("room.suggestions").split(", ").includes(name) && !first.own.includes(name)) first.own.push(name);
      first.rooms.add(name);
      paint();
    },
  });
}

/** Adds the rooms; then the home is shown, and what comes next over it. */
async function finish(next) {
  first.isBusy = true;
  paint();
  try {
    for (const name of first.rooms) await change("room.add", { name });
  } catch (error) {
    fail(error);
  }
  first = { ...START, own: [], rooms: new Set() };
  await go(place("/"), { replaces: true });
  if (next) go(place(next));
}
