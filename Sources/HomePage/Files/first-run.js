// The first steps of a new home.

import { go, nameProblem, paint, place } from "./router.js";
import { home, homeList, model } from "./model.js";
import { change, fail, hub, isOpen, words } from "./actions.js";
import { t } from "./words.js";
import { h } from "./dom.js";

// MARK: First run

let first = { step: "home", rooms: new Set(), isBusy: false, problem: "" };

export const startScreen = {
  title: () => t("start.title"),
  parent: "/",
  body() {
    if (first.step === "rooms" && home()) return roomsStep();
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
          value: homeList().length ? "" : t("home.first"),
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
  },
};

async function makeHome(event) {
  event.preventDefault();
  const name = event.currentTarget.elements.name.value.trim();
  first.problem = nameProblem(name);
  if (!first.problem) {
    try {
      const { id } = await hub.perform("home.add", { name });
      model.homeID = id;
      first = { step: "rooms", rooms: new Set(), isBusy: false, problem: "" };
    } catch (error) {
      first.problem = words(error);
    }
  }
  paint();
}

function roomsStep() {
  const names = t("room.suggestions").split(", ");
  return h(
    "div",
    { style: { "max-width": "40rem" } },
    h("p", { class: "quiet" }, t("start.rooms")),
    h(
      "div",
      { class: "chips" },
      names.map((name) =>
        h("button", {
          key: name,
          class: "chip",
          "aria-pressed": String(first.rooms.has(name)),
          onclick: () => {
            if (first.rooms.has(name)) first.rooms.delete(name);
            else first.rooms.add(name);
            paint();
          },
        }, name)
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", {
        class: "button main",
        disabled: first.isBusy,
        onclick: async () => {
          first.isBusy = true;
          try {
            for (const name of first.rooms) await change("room.add", { name });
          } catch (error) {
            fail(error);
          }
          first = { step: "home", rooms: new Set(), isBusy: false, problem: "" };
          go(place("/add"));
        },
      }, t("start.accessory")),
      h("a", { class: "button", href: place("/") }, t("later")),
    ),
  );
}
