// The first step of adding: the code, by camera, photo or hand, and what is near.

import { found, run, setup, unconfigured } from "./add-setup.js";
import { fail, hub, say } from "./actions.js";
import { t } from "./words.js";
import { h, icon, name as bidi, toast } from "./dom.js";
import { askForm } from "./picker.js";
import { paint } from "./router.js";
import { category } from "./kinds.js";
import { readPicture } from "./qr.js";

const FRAMES = 5; // looked at in a second

// MARK: The code

export function codeStep() {
  const devices = [...found.values()];
  const free = devices.filter((each) => !each.isPaired), taken = devices.filter((each) => each.isPaired);
  return [
    h(
      "p",
      { class: "quiet", key: "text" },
      setup.device ? t("add.codeFor", { name: setup.device.name }) : t("add.code.text"),
    ),
    setup.isScanning && h("div", { class: "view", key: "view", raw: true, ref: startCamera }),
    h(
      "form",
      {
        key: "form",
        onsubmit: (event) => {
          event.preventDefault();
          useCode(event.currentTarget.elements.code.value);
        },
      },
      h(
        "div",
        { class: "field" },
        h("label", { for: "setup-code" }, t("add.code")),
        h("input", {
          id: "setup-code",
          name: "code",
          class: "code",
          type: "text",
          inputmode: "numeric",
          autocomplete: "off",
          maxlength: "24",
          placeholder: "000-00-000",
          value: setup.code,
          "aria-describedby": "code-hint",
          "aria-invalid": setup.problem ? "true" : null,
          oninput: typing,
        }),
        h(
          "p",
          { id: "code-hint", class: setup.problem ? "hint bad" : "hint", role: setup.problem ? "alert" : null },
          setup.problem || t("add.code.where"),
        ),
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "button main", type: "submit" }, t("next")),
        navigator.mediaDevices && !setup.isScanning && h(
          "button",
          {
            class: "button",
            type: "button",
            onclick: () => {
              setup.isScanning = true;
              paint();
            },
          },
          icon("scan"),
          t("add.scan"),
        ),
        h(
          "label",
          { class: "button", style: { cursor: "pointer" } },
          icon("camera"),
          t("add.photo"),
          h("input", {
            type: "file",
            accept: "image/*",
            capture: "environment",
            class: "unseen",
            onchange: (event) => usePhoto(event.target.files[0]),
          }),
        ),
      ),
    ),
    h(
      "div",
      { key: "near" },
      h("h3", null, t("add.near")),
      devices.length === 0 && h("p", { class: "quiet", role: "status" }, t("add.looking")),
      free.length > 0 && h(
        "ul",
        { class: "list", role: "list" },
        free.map((each) =>
          deviceRow(each, () => {
            setup.device = setup.device?.id === each.id ? null : each;
            paint();
            document.getElementById("setup-code")?.focus();
          })
        ),
      ),
      setup.device && found.has(setup.device.id) &&
        h(
          "button",
          {
            class: "button",
            key: "identify",
            style: { "margin-block-start": "8px" },
            onclick: () => identify(setup.device),
          },
          icon("search"),
          t("identify"),
        ),
      taken.length > 0 &&
        h(
          "details",
          null,
          h("summary", null, t("add.taken", { n: taken.length })),
          h("ul", { class: "list", role: "list" }, taken.map((each) => deviceRow(each, null))),
          h("p", { class: "small quiet" }, t("add.takenText")),
        ),
    ),
    unconfigured.size > 0 &&
    h(
      "div",
      { key: "wireless" },
      h("h3", null, t("wifi.title")),
      h("p", { class: "quiet" }, t("wifi.text")),
      h(
        "ul",
        { class: "list", role: "list" },
        [...unconfigured.values()].map((each) =>
          h(
            "li",
            { key: each.id },
            h(
              "button",
              { class: "row", onclick: () => join(each) },
              icon("router"),
              h(
                "span",
                { class: "grow" },
                h("span", { class: "what" }, bidi(each.name)),
                h("span", { class: "sub" }, bidi([each.manufacturer, each.model].filter(Boolean).join(" "))),
              ),
              icon("chevron", "go turns"),
            ),
          )
        ),
      ),
    ),
    h(
      "details",
      { key: "help" },
      h("summary", null, t("add.help")),
      h(
        "ul",
        { class: "quiet", style: { display: "grid", gap: "8px" } },
        [1, 2, 3, 4].map((each) => h("li", { key: each }, t(`add.help${each}`))),
      ),
    ),
  ];
}

export function deviceRow(device, onclick) {
  const kind = category(device.category);
  const isChosen = setup.device?.id === device.id;
  return h(
    "li",
    { key: device.id },
    h(
      onclick ? "button" : "div",
      { class: "row", onclick, "aria-pressed": onclick ? String(isChosen) : null },
      icon(kind.icon),
      h(
        "span",
        { class: "grow" },
        h("span", { class: "what" }, bidi(device.name)),
        h(
          "span",
          { class: "sub" },
          onclick ? [kind.word, device.model && [" · ", bidi(device.model)]] : t("e.alreadyPaired"),
        ),
      ),
      isChosen && icon("check"),
    ),
  );
}

async function identify(device) {
  try {
    await hub.request("accessory.identifyDiscovered", { id: device.id });
    say(t("identified", { name: device.name }));
  } catch (error) {
    fail(error, device.name);
  }
}

/** Brings an accessory into the person's Wi-Fi network; then it can be added like any other. */
async function join(accessory) {
  const answer = await askForm(accessory.name, { network: setup.network ?? "", passphrase: "" }, (state) => [
    h("p", { class: "quiet" }, t("wifi.warning")),
    h(
      "div",
      { class: "field", key: "network" },
      h("label", { for: "network" }, t("wifi.network")),
      h("input", {
        id: "network",
        type: "text",
        maxlength: "32",
        required: true,
        autofocus: true,
        autocomplete: "off",
        value: state.network,
        oninput: (event) => {
          state.network = event.target.value;
        },
      }),
    ),
    h(
      "div",
      { class: "field", key: "passphrase" },
      h("label", { for: "passphrase" }, t("wifi.passphrase")),
      h("input", {
        id: "passphrase",
        type: "password",
        maxlength: "64",
        autocomplete: "off",
        value: "",
        oninput: (event) => {
          state.passphrase = event.target.value;
        },
      }),
    ),
  ], t("wifi.join"));
  if (!answer || !setup) return;
  setup.problem = "";
  setup.network = answer.network;
  const close = toast(t("wifi.working", { name: accessory.name }), { closeLabel: t("close") });
  try {
    const { deviceID, name } = await hub.perform("accessory.configure", {
      id: accessory.id,
      network: answer.network,
      passphrase: answer.passphrase,
    });
    if (!setup) return;
    setup.device = [...found.values()].find((each) => each.deviceID === deviceID) ??
      (deviceID ? { id: deviceID, deviceID, name } : null);
    toast(t("wifi.done", { name }), { closeLabel: t("close") });
  } catch (error) {
    fail(error, accessory.name);
  } finally {
    close();
  }
  paint();
}

/** Dashes come by themselves, and the form is checked while typing. Whatever is no code of eight digits stays as it is. */
export function typing(event) {
  const text = event.target.value, digits = text.replace(/\D/g, "");
  if (!/[a-z]/i.test(text) && digits.length <= 8) {
    event.target.value = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter(Boolean).join("-");
  }
  setup.code = event.target.value;
  if (setup.problem) {
    setup.problem = "";
    paint();
  }
}

function useCode(text) {
  const trimmed = text.trim();
  if (/[a-z]/i.test(trimmed)) return usePayload(trimmed.toUpperCase());
  const digits = trimmed.replace(/\D/g, "");
  // Matter's codes are printed as 11 or 21 digits.
  if (digits.length === 11 || digits.length === 21) return usePayload("MT:");
  if (digits.length !== 8) {
    setup.problem = t("e.invalidSetupCode");
    return paint();
  }
  setup.code = `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
  setup.payload = null;
  const free = [...found.values()].filter((each) => !each.isPaired);
  if (!setup.device && free.length === 1) setup.device = free[0];
  if (!setup.device && free.length > 1) {
    setup.step = "choose";
    return paint();
  }
  run();
}

function usePayload(text) {
  endCamera();
  if (/^MT:/i.test(text)) {
    setup.problem = t("add.matter");
    setup.isScanning = false;
    return paint();
  }
  if (!/^X-HM:\/\//i.test(text)) {
    setup.problem = t("e.invalidSetupPayload");
    setup.isScanning = false;
    return paint();
  }
  setup.payload = text;
  setup.isScanning = false;
  run();
}

async function usePhoto(file) {
  if (!file) return;
  try {
    const picture = await createImageBitmap(file);
    const text = await readPicture(picture, picture.width, picture.height);
    picture.close();
    if (text === null) {
      setup.problem = t("add.noCode");
      return paint();
    }
    usePayload(text);
  } catch {
    setup.problem = t("add.noPicture");
    paint();
  }
}

// MARK: The camera

let camera = null;

async function startCamera(box) {
  if (camera) return;
  camera = { stream: null, timer: 0 };
  try {
    camera.stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1280 } },
    });
  } catch {
    camera = null;
    if (!setup) return;
    setup.isScanning = false;
    setup.problem = t("add.noCamera");
    return paint();
  }
  if (!setup) return endCamera();
  const video = document.createElement("video");
  Object.assign(video, { muted: true, playsInline: true, srcObject: camera.stream });
  video.setAttribute("aria-label", t("add.view"));
  box.append(video);
  await video.play().catch(() => {});
  camera.timer = setInterval(() => look(video), 1000 / FRAMES);
}

async function look(video) {
  if (!camera || camera.isBusy || !video.videoWidth) return;
  camera.isBusy = true;
  const text = await readPicture(video, video.videoWidth, video.videoHeight).catch(() => null);
  if (camera) camera.isBusy = false;
  if (text !== null && setup?.isScanning) usePayload(text);
}

export function endCamera() {
  if (!camera) return;
  clearInterval(camera.timer);
  for (const track of camera.stream?.getTracks() ?? []) track.stop();
  camera = null;
}
