// The screen that asks for a code. Most devices stay signed in and never load it.

import { hub, words } from "./actions.js";
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { paint } from "./router.js";

/** What the screen shows, while it is shown. */
let form = null;

export const isShown = () => form !== null;

/** Asks for a code. `error` is why the hub no longer knows this device, if it did. */
export function askForCode(error) {
  const reason = error && (error.message && error.code !== "signedOut" ? words(error) : t("sign.out"));
  form = { reason, code: "", isBusy: false };
  paint();
}

const DEVICES = { iPad: "iPad", iPhone: "iPhone", Android: "Android", Mac: "Mac", Windows: "Windows" };
const BROWSERS = { Firefox: "Firefox", Edg: "Edge", Chrom: "Chrome" };

/** What a person calls this device, until they say otherwise. */
function deviceName() {
  const named = (names, other) => names[Object.keys(names).find((each) => navigator.userAgent.includes(each))] ?? other;
  return `${named(BROWSERS, "Safari")}, ${named(DEVICES, "Linux")}`;
}

export function view() {
  const submit = async (event) => {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const code = elements.code.value.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
    if (code.length < 8) {
      form.reason = t("sign.short");
      return paint();
    }
    await trySignIn(code, elements.device.value.trim() || deviceName(), elements.stay.checked);
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
            value: form.code,
            "aria-describedby": "reason",
            "aria-invalid": form.reason ? "true" : null,
          }),
          h("p", { id: "reason", class: "hint bad", role: "alert" }, form.reason ?? ""),
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
        h("button", { class: "button main wide", type: "submit", disabled: form.isBusy }, t("sign.in")),
      ),
    ),
  );
}

/** Signs in with a code, and shows what is wrong with it. */
export async function trySignIn(code, device = deviceName(), stay = true) {
  form ??= {};
  form.isBusy = true;
  form.reason = "";
  paint();
  try {
    await hub.signIn(code, device, stay);
    form = null;
    hub.start();
  } catch (error) {
    form.isBusy = false;
    form.reason = error.data?.retryAfter !== undefined
      ? words(error)
      : error.status === 429
      ? t("sign.wait")
      : error.status === 401
      ? t("sign.wrong")
      : words(error);
  }
  paint();
}
