// A simulated accessory or bridge: its code, its faults, its name, and its removal.

import { h, icon, name as bidi } from "./dom.js";
import { ask, back, menu, paint } from "./router.js";
import { list, t } from "./words.js";
import { detailOf, details, load, reload, SERVICES, simulator } from "./simulator-state.js";
import { askForm } from "./picker.js";
import { fail, isOpen } from "./actions.js";
import { symbol } from "./symbol.js";

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

export const deviceSheet = {
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
