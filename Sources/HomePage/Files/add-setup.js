// A set-up: what it knows, what is found nearby, and what the hub asks and tells.

import { fail, hub, words } from "./actions.js";
import { home, watch } from "./model.js";
import { uuid } from "./dom.js";
import { paint } from "./router.js";

/** What a set-up has found out; one runs at a time in a page. */
export let setup = null;

/** Begins a set-up, in a room if one is known. */
export function begin(room) {
  setup = {
    step: "code",
    code: "",
    payload: null,
    device: null,
    room,
    problem: "",
    question: null,
    ids: [],
    answers: {},
    usedCode: false,
    isScanning: false,
    done: [],
  };
}

/** Ends what is open: the question is declined, so that the hub does not wait for it. */
export function end() {
  if (setup?.question) hub.request("question.decline", { id: setup.question.id }).catch(() => {});
  setup = null;
  hub.request("accessory.stopBrowsing").catch(() => {});
  hub.request("accessory.stopBrowsingUnconfigured").catch(() => {});
}

export const found = new Map();

/** Accessories that are not in a network yet. */
export const unconfigured = new Map();

watch("discovery", ({ found: one, lost, unconfigured: other, unconfiguredLost }) => {
  if (one) found.set(one.id, one);
  else if (other) unconfigured.set(other.id, other);
  else found.delete(lost) || unconfigured.delete(unconfiguredLost);
  paint();
});

/** Older hubs tell no progress; the questions then say how far it is. */
export const STEPS = ["looking", "connecting", "pairing", "reading", "placing", "saving"];

watch("setup", ({ reference, step, accessory }) => {
  if (!setup || reference !== setup.reference) return;
  setup.progress = { step, accessory };
  paint();
});

watch("questions", ({ asked, closed }) => {
  if (!setup) return;
  if (asked) ask(asked);
  else if (setup.question?.id === closed) {
    setup.question = null;
    paint();
  }
});

/** Looks for accessories nearby, and for questions that are open. */
export async function browse() {
  found.clear();
  unconfigured.clear();
  try {
    await hub.request("accessory.startBrowsing");
    await hub.request("accessory.startBrowsingUnconfigured").catch(() => {});
    await hub.request("question.list");
  } catch (error) {
    fail(error);
  }
}

/** Lets the hub set the accessory up. */
export async function run() {
  const mine = setup;
  Object.assign(mine, {
    step: "work",
    problem: "",
    failure: null,
    question: null,
    usedCode: false,
    done: [],
    progress: null,
    started: Date.now(),
  });
  const slow = setTimeout(paint, 5100);
  paint();
  try {
    mine.reference = uuid();
    const result = await hub.perform("accessory.setUp", {
      home: home().id,
      reference: mine.reference,
      ...(mine.payload ? { payload: mine.payload } : {}),
      ...(mine.device ? { deviceID: mine.device.deviceID } : {}),
      ...(mine.room ? { room: mine.room } : {}),
    });
    if (setup !== mine) return;
    Object.assign(mine, { step: "done", ids: result.ids, question: null });
  } catch (error) {
    if (setup !== mine) return;
    mine.failure = error;
    mine.question = null;
  }
  clearTimeout(slow);
  paint();
}

/** A question of the hub: what the person has said already answers it. */
function ask(question) {
  if (
    setup.step !== "work" ||
    !["setupCode", "accessory", "uncertifiedAccessory", "accessoryDetails", "home"].includes(question.kind)
  ) return;
  if (
    question.reference !== undefined
      ? question.reference !== setup.reference
      : question.home && question.home !== home()?.id
  ) return;
  setup.problem = "";
  if (question.kind === "setupCode" && setup.code && !setup.usedCode) {
    setup.usedCode = true;
    setup.question = null;
    setup.done = ["found"];
    return answer(question, { answer: setup.code });
  }
  if (question.kind === "setupCode" && setup.usedCode) {
    setup.problem = words({ code: "wrongSetupCode", data: question });
  }
  if (question.kind === "accessoryDetails") {
    setup.done = ["found", "code"];
    setup.answers = Object.fromEntries(question.fields.map((field) => [field.id, field.suggestion ?? ""]));
  }
  setup.question = question;
  paint();
}

/** While a person sees a question, its time starts again. */
setInterval(() => {
  if (setup?.question && document.visibilityState !== "hidden") {
    hub.request("question.renew", { id: setup.question.id }).catch(() => {});
  }
}, 30_000);

export async function answer(question, body) {
  try {
    await hub.request("question.answer", { id: question.id, ...body });
  } catch (error) {
    if (!setup) return;
    setup.question = question;
    setup.problem = words(error);
  }
  paint();
}
