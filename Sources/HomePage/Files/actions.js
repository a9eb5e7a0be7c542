// What a person does: requests to the hub, with what is asked first, what is said afterwards, and the way back.

import { Connection, HubFailure } from "./connection.js";
import { announce, toast } from "./dom.js";
import { ask, failureText, go, place } from "./router.js";
import { home, known, value, write } from "./model.js";
import { isDangerous, kindName, mainControl, now } from "./kinds.js";
import { C } from "./chars.js";
import { has, list, minutes, t } from "./words.js";

export let hub = null;
export function startConnection(handlers) {
  hub = new Connection(handlers);
  return hub;
}
/**
 * Another carrier of the same requests: the simulator's page acts at the accessories themselves, where nothing asks
 * first.
 */
export function useConnection(connection) {
  hub = connection;
  return hub;
}
export const isOpen = () => hub?.state === "open";

/** The words for a failure: ours for codes and troubles that we know, else the hub's own. */
export function words(error) {
  const [subject] = error?.data?.subjects ?? [];
  if (error?.code === "nameTaken" && subject && has(`taken.${subject.kind}`)) {
    return t(`taken.${subject.kind}`, { name: subject.name });
  }
  if (error?.code === "alreadyAdded" && subject?.kind === "home") return t("e.alreadyAddedTo", { name: subject.name });
  if (error?.code === "limitExceeded" && error.data?.limit !== undefined) return t("e.limit", { n: error.data.limit });
  if (error?.data?.retryAfter !== undefined) return t("e.retryAfter", { v: minutes(error.data.retryAfter) });
  if (error?.code === "wrongSetupCode" && error.data?.triesLeft !== undefined) {
    return t("e.triesLeft", { n: error.data.triesLeft });
  }
  if (error?.trouble && has(`e.${error.trouble}`)) return t(`e.${error.trouble}`);
  if (error?.code && has(`e.${error.code}`)) return t(`e.${error.code}`, error.data ?? {});
  return error?.message || t("e.hubFailure");
}

/** Carries out a change of the home. A failure is shown, and `undefined` is returned. */
export async function perform(method, parameters, { done, undo } = {}) {
  try {
    const result = await hub.perform(method, parameters);
    if (done) say(done, undo);
    return result;
  } catch (error) {
    fail(error);
    return undefined;
  }
}

/** The same as `perform`, within the home that is shown. */
export const performHere = (method, parameters, options) =>
  perform(method, { home: home().id, ...parameters }, options);

/** A change whose failure the caller shows. */
export const change = (method, parameters) => hub.perform(method, { home: home().id, ...parameters });
export const request = (method, parameters) => hub.request(method, { home: home()?.id, ...parameters });

export function say(text, undo) {
  if (undo) toast(text, { action: undo, label: t("undo"), closeLabel: t("close") });
  else announce(text);
}

export function fail(error, subject) {
  const text = failureText(error);
  toast(subject ? t("e.of", { name: subject, text }) : text, { isError: true, closeLabel: t("close") });
}

// MARK: Values

const sender = (homeID) => (writes) => hub.send("characteristic.write", { home: homeID, writes }, {});

/** Writes values of a thing and shows them as the rules of the kind allow. Returns whether all succeeded. */
export async function writeValues(thing, writes, { holds = false, isQuiet = false } = {}) {
  try {
    const { outcomes } = await write(writes, sender(thing.home.id), { holds });
    const failed = outcomes.find((outcome) => outcome.error);
    if (failed) throw new HubFailure(failed.error);
    if (!isQuiet) announce(`${thing.name}: ${now(thing).word}`);
    return true;
  } catch (error) {
    fail(error, thing.name);
    return false;
  }
}

/** Carries out a control: dangerous ones ask first, whatever button starts them. */
export async function control(thing, { writes, guard }, options) {
  const danger = guard ?? guardOf(writes);
  if (danger && !hub.isAtAccessory && !(await askFor(thing, danger))) return false;
  return writeValues(thing, writes, options);
}

function guardOf(writes) {
  const write = writes.find((each) => isDangerous(each.characteristic.type, each.value));
  if (!write) return null;
  return { [C.lockTarget]: "unlock", [C.doorTarget]: "open", [C.securityTarget]: "disarm" }[write.characteristic.type];
}

function askFor(thing, danger) {
  const room = thing.home.roomName(thing.room);
  return ask({
    title: t(`guard.${danger}`, { name: thing.name }),
    text: room ? t("guard.where", { room, kind: kindName(thing) }) : kindName(thing),
    action: t(`guard.${danger}.do`),
  });
}

/** What a tap on a tile does. */
export async function press(thing) {
  if (!isOpen()) return;
  const main = mainControl(thing);
  if (!main) return go(place(`/accessory/${thing.id}`));
  await control(thing, main);
}

/** Switches several things at once and says what failed. The former values can be brought back. */
export async function switchAll(things, on, title) {
  const writes = [], former = [];
  for (const thing of things) {
    const characteristic = thing.service.chars[C.on];
    if (now(thing).trouble || Boolean(value(characteristic)) === on) continue;
    former.push({ characteristic, value: known(characteristic) });
    writes.push({ characteristic, value: on });
  }
  if (!writes.length) return;
  try {
    const { outcomes } = await write(writes, sender(things[0].home.id));
    const failed = outcomes.filter((outcome) => outcome.error).map((outcome) =>
      things.find((thing) => thing.accessory.id === outcome.characteristic.accessory)?.name
    );
    const restore = () =>
      write(former.filter((each) => each.value !== undefined), sender(things[0].home.id)).catch(fail);
    if (failed.length) toast(t("all.failed", { names: list(failed) }), { isError: true, closeLabel: t("close") });
    else say(t(on ? "all.on" : "all.off", { name: title }), restore);
  } catch (error) {
    fail(error);
  }
}

// MARK: Scenes

/** The actions of a scene that make the home less safe. */
export function dangersOf(scene) {
  return scene.actions.filter((action) =>
    action.write && isDangerous(action.write.characteristic.type, Number(action.write.value))
  );
}

/** Runs a scene. What it changed can be brought back, except locks, doors and the security system. */
export async function runScene(scene, resolved) {
  const here = home();
  const dangers = dangersOf(scene).map((action) => here.get(action.write.characteristic.accessory)?.name).filter(
    Boolean,
  );
  if (
    dangers.length &&
    !(await ask({
      title: t("scene.ask", { name: scene.name }),
      text: t("scene.danger", { names: list(dangers) }),
      action: t("run"),
    }))
  ) return;
  const former = [];
  for (const each of resolved) {
    const safe = ![C.lockTarget, C.doorTarget, C.securityTarget, C.positionTarget].includes(each.characteristic.type);
    const before = known(each.characteristic);
    if (safe && before !== undefined && before !== each.value && each.characteristic.permissions.includes("pw")) {
      former.push({ characteristic: each.characteristic, value: before });
    }
  }
  try {
    const result = await hub.request("actionSet.run", { home: here.id, id: scene.id });
    const failures = result.failures ?? [];
    if (failures.length) {
      const names = [...new Set(failures.map((failure) => here.get(failure.accessory)?.name).filter(Boolean))];
      toast(
        t("scene.partly", {
          name: scene.name,
          done: result.actions - failures.length,
          all: result.actions,
          names: list(names),
        }),
        { isError: true, closeLabel: t("close") },
      );
    } else {
      const restore = former.length ? () => write(former, sender(here.id)).catch(fail) : null;
      if (restore) say(t("scene.ran", { name: scene.name }), restore);
      else toast(t("scene.ran", { name: scene.name }), { closeLabel: t("close") });
    }
  } catch (error) {
    fail(error, scene.name);
  }
}
