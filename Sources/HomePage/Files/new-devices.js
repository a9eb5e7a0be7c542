// Tells a person that another device joined, also if it did so while this browser was closed.

import { SEEN_DEVICES } from "./connection.js";
import { toast } from "./dom.js";
import { model, watch } from "./model.js";
import { go, place } from "./router.js";
import { t } from "./words.js";

/** Tells of new devices now and from now on. The first time, all devices are old, and this browser is one of them. */
export function tellOfNewDevices() {
  watch("layout", ({ change, isReset } = {}) => {
    if (isReset || change?.verb === "deviceAdded") tell();
  });
  tell();
}

function tell() {
  const devices = [...model.account.records.values()].filter((each) => each.kind === "accountDevice" && !each.removed);
  const newest = Math.max(0, ...devices.map((each) => each.added));
  const stored = localStorage.getItem(SEEN_DEVICES);
  if (newest > Number(stored ?? -1)) localStorage.setItem(SEEN_DEVICES, newest);
  if (stored === null) return;
  for (const { name, added } of devices) {
    if (added <= Number(stored)) continue;
    toast(t("devices.joined", { name }), { action: () => go(place("/people")), label: t("devices.yours") });
  }
}
