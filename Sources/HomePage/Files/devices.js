// This device: look, units, language, wall mode, and signing out.

import { h } from "./dom.js";
import {
  chooseLanguage,
  chooseUnits,
  currentLanguage,
  LANGUAGES,
  loadLanguage,
  loadRest,
  t,
  usesFahrenheit,
} from "./words.js";
import { ask, go, paint } from "./router.js";
import { hub } from "./actions.js";
import { onOff, segments } from "./widgets.js";
import { model } from "./model.js";
import { devicesSheet } from "./own-devices.js";
import { row } from "./rows.js";

// MARK: This device

export function deviceGroup() {
  const look = localStorage.getItem("hearth.look") ?? "";
  const isWall = localStorage.getItem("hearth.wall") === "1";
  return h(
    "section",
    { key: "device", style: { "margin-block-start": "24px" } },
    h("h2", { class: "head", style: { "font-size": "1.0625rem" } }, t("this.device")),
    segments(null, {
      key: "look",
      label: t("look"),
      chosen: look,
      options: ["", "light", "dark"].map((value) => ({ value, label: t(`look.${value || "system"}`) })),
      onchoose: (value) => {
        if (value) localStorage.setItem("hearth.look", value);
        else localStorage.removeItem("hearth.look");
        dispatchEvent(new Event("hearth-look"));
        paint();
      },
    }),
    segments(null, {
      key: "units",
      label: t("units"),
      chosen: usesFahrenheit() ? "f" : "c",
      options: [{ value: "c", label: "°C" }, { value: "f", label: "°F" }],
      onchoose: (value) => {
        chooseUnits(value);
        paint();
      },
    }),
    h(
      "div",
      { class: "field" },
      h("label", { for: "language" }, t("language")),
      h("select", {
        id: "language",
        value: currentLanguage(),
        onchange: async (event) => {
          chooseLanguage(event.target.value);
          await loadLanguage(event.target.value);
          await loadRest();
          for (const each of model.homes.values()) each.indexes = null;
          paint();
        },
      }, Object.entries(LANGUAGES).map(([key, label]) => h("option", { key, value: key, lang: key }, label))),
    ),
    h(
      "div",
      { class: "line", style: { "margin-block": "12px" } },
      h(
        "span",
        { style: { flex: "1" } },
        h("span", null, t("wall")),
        h("span", { class: "small quiet", style: { display: "block" } }, t("wall.text")),
      ),
      onOff(t("wall"), isWall, false, (on) => {
        localStorage.setItem("hearth.wall", on ? "1" : "0");
        if (on) go("/");
        else paint();
      }),
    ),
    h(
      "ul",
      { class: "list", role: "list" },
      row({ symbol: "phone", what: t("devices"), sub: t("devices.text"), onclick: devicesSheet, opens: true }),
      row({
        symbol: "leave",
        what: t("sign.outButton"),
        isDanger: true,
        onclick: async () => {
          if (await ask({ title: t("sign.outAsk"), text: t("sign.outText"), action: t("sign.outButton") })) {
            await hub.signOut();
            location.assign("/");
          }
        },
      }),
    ),
  );
}
