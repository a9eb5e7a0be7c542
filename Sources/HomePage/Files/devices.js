// This device: look, units, language, wall mode; and the other devices of this person.

import { h, icon, name as bidi } from "./dom.js";
import {
  chooseLanguage,
  chooseUnits,
  currentLanguage,
  hubDate,
  LANGUAGES,
  loadLanguage,
  loadRest,
  momentWithin,
  t,
  usesFahrenheit,
} from "./words.js";
import { ask, go, openSheet, paint } from "./router.js";
import { fail, hub, perform, say } from "./actions.js";
import { onOff, segments } from "./widgets.js";
import { symbol } from "./symbol.js";
import { model } from "./model.js";
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

/** The devices that are signed in as this person, and a code for another one. */
function devicesSheet() {
  let devices = null, code = null;
  const load = () =>
    hub.request("device.list").then((reply) => {
      devices = reply.devices;
    }, (error) => {
      devices = [];
      fail(error);
    }).finally(() => sheet.paint());
  const sheet = openSheet({
    title: () => t("devices"),
    body: () => [
      h(
        "ul",
        { class: "list", role: "list" },
        (devices ?? []).map((device) =>
          h(
            "li",
            { key: device.id, class: "row" },
            icon("phone"),
            h(
              "span",
              { class: "grow" },
              h("span", { class: "what" }, bidi(device.name)),
              h(
                "span",
                { class: "sub" },
                device.isCurrent
                  ? t("devices.current")
                  : device.isConnected
                  ? t("devices.connected")
                  : t("devices.last", { time: momentWithin(hubDate(device.lastUse ?? device.added)) }),
              ),
            ),
            !device.isCurrent && h("button", {
              class: "link danger",
              onclick: async () => {
                if (
                  await ask({
                    title: t("devices.ask", { name: device.name }),
                    text: t("devices.askText"),
                    action: t("sign.outButton"),
                  })
                ) {
                  await perform("device.remove", { id: device.id });
                  load();
                }
              },
            }, t("sign.outButton")),
          )
        ),
      ),
      h("h3", null, t("devices.add")),
      code
        ? h(
          "div",
          { class: "card" },
          linkBox(code),
          h("p", { class: "quiet" }, t("devices.code")),
          h("p", { style: { "font-size": "1.75rem", "letter-spacing": ".12em", direction: "ltr" } }, code.code),
          (code.addresses ?? []).map((address) =>
            h("p", { class: "small", key: address }, h("bdi", { dir: "ltr" }, address))
          ),
        )
        : h("button", {
          class: "button",
          onclick: () =>
            hub.request("login.create").then((reply) => {
              code = reply;
              sheet.paint();
              setTimeout(() => {
                code = null;
                sheet.paint();
              }, (reply.expiresIn ?? 60) * 1000);
            }, fail),
        }, t("devices.make")),
    ],
  });
  load();
}

/**
 * A link to scan with another device. A link to this machine itself works nowhere else, and no code is shown for it.
 */
export function linkBox({ links }) {
  const [link] = links ?? [];
  if (!link) return null;
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(link.url);
  return [
    isLocal
      ? h(
        "p",
        { class: "small quiet", key: "local" },
        t("link.local"),
        " ",
        h("code", null, "hearth hub --http 0.0.0.0:8080"),
      )
      : link.symbol && symbol(link.symbol, t("link.symbol")),
    h("p", { class: "link-text", key: "link" }, link.url),
    navigator.clipboard &&
    h("button", {
      type: "button",
      class: "button",
      key: "copy",
      onclick: () => navigator.clipboard.writeText(link.url).then(() => say(t("link.copied")), fail),
    }, t("link.copy")),
  ];
}
