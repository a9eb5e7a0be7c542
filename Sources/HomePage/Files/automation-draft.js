// An automation while it is edited, and how it is saved.

import { saveActions } from "./picker.js";
import { back, failureText, nameProblem, paint } from "./router.js";
import { forget } from "./forecast.js";
import { t } from "./words.js";
import { home } from "./model.js";
import { uuid } from "./dom.js";
import { change, say } from "./actions.js";

/** What the list suggests, for the editor that it opens. */
let offered = null;

export function offer(preset) {
  offered = preset;
}

/** The parts that were suggested, once. */
export function takeOffer() {
  const preset = offered;
  offered = null;
  return preset;
}

export function makeDraft(trigger) {
  const here = home();
  const rule = trigger?.definition.event ?? {};
  const own = trigger?.actionSets.map((id) => here.get(id)).find((set) => set?.type === "triggerOwned");
  return {
    name: trigger?.name ?? "",
    timer: trigger?.definition.timer ?? null,
    events: rule.events ?? [],
    endEvents: rule.endEvents ?? [],
    condition: rule.condition ?? null,
    weekdays: rule.weekdays ?? [],
    once: rule.executesOnce ?? false,
    scenes: trigger?.actionSets.filter((id) => id !== own?.id) ?? [],
    own: own?.id ?? null,
    actions: own?.actions ?? [],
    problem: "",
    isBusy: false,
  };
}

// MARK: Saving

function definition(draft) {
  if (draft.timer) return { timer: draft.timer };
  const rule = { events: draft.events };
  if (draft.endEvents.length) rule.endEvents = draft.endEvents;
  if (draft.condition) rule.condition = draft.condition;
  if (draft.weekdays.length) rule.weekdays = draft.weekdays;
  if (draft.once) rule.executesOnce = true;
  return { event: rule };
}

export async function save(trigger, draft) {
  const here = home();
  const name = draft.name.trim() || freeName(here);
  draft.problem = nameProblem(name);
  if (draft.problem) return paint();
  draft.isBusy = true;
  paint();
  try {
    if (trigger) await saveChanges(trigger, draft, name);
    else await saveNew(draft, name);
    say(t("saved", { name }));
    back("/automations");
  } catch (error) {
    draft.problem = failureText(error);
  }
  draft.isBusy = false;
  forget(trigger?.id);
  paint();
}

function freeName(here) {
  const taken = new Set(here.of("trigger").map((each) => each.name));
  for (let at = 1;; at++) if (!taken.has(t("auto.named", { n: at }))) return t("auto.named", { n: at });
}

/** A new one is enabled once it is whole. */
async function saveNew(draft, name) {
  const { id } = await change("trigger.add", {
    id: uuid(),
    name,
    definition: definition(draft),
    actionSets: draft.scenes,
  });
  if (draft.actions.length) {
    const own = await change("actionSet.addOwned", { trigger: id, id: uuid() });
    await saveActions(change, own.id, [], draft.actions);
  }
  await change("trigger.enable", { id, isEnabled: true });
}

async function saveChanges(trigger, draft, name) {
  const { id } = trigger;
  const here = home();
  const before = makeDraft(trigger);
  const own = draft.own && here.get(draft.own);
  const mustPause = trigger.isEnabled && !draft.own && draft.actions.length > 0;
  if (name !== trigger.name) await change("trigger.rename", { id, name });
  const edit = (part) => change("trigger.edit", { id, edit: part });
  const differs = (key) => JSON.stringify(before[key]) !== JSON.stringify(draft[key]);
  if (draft.timer) {
    if (differs("timer")) {
      await edit({ fireDate: draft.timer.fireDate });
      await edit({ recurrence: draft.timer.recurrence ?? null });
    }
  } else {
    if (differs("events")) await edit({ events: draft.events });
    if (differs("endEvents")) await edit({ endEvents: draft.endEvents });
    if (differs("condition")) await edit({ condition: draft.condition });
    if (differs("weekdays")) await edit({ weekdays: draft.weekdays });
    if (differs("once")) await edit({ executesOnce: draft.once });
  }
  if (mustPause) await change("trigger.enable", { id, isEnabled: false });
  for (const scene of draft.scenes) {
    if (!before.scenes.includes(scene)) await change("trigger.addActionSet", { trigger: id, actionSet: scene });
  }
  if (own) await saveActions(change, own.id, own.actions, draft.actions);
  else if (draft.actions.length) {
    const made = await change("actionSet.addOwned", { trigger: id, id: uuid() });
    await saveActions(change, made.id, [], draft.actions);
  }
  for (const scene of before.scenes) {
    if (!draft.scenes.includes(scene)) await change("trigger.removeActionSet", { trigger: id, actionSet: scene });
  }
  if (mustPause) await change("trigger.enable", { id, isEnabled: true });
}
