// What automations would do now, when they run next, and how they ran last; asked once per visit.

import { paint } from "./router.js";
import { isOpen, request } from "./actions.js";

/** By automation: what a test says, and the last entry of the journal. */
export const asked = new Map();

let askedFor = null;

export function askAll(here) {
  const stamp = `${here.id} ${here.revision}`;
  if (askedFor === stamp || !isOpen()) return;
  askedFor = stamp;
  for (const trigger of here.of("trigger")) {
    Promise.all([
      request("trigger.test", { id: trigger.id }).catch(() => null),
      request("journal.list", { about: trigger.id, limit: 8 }).then(
        (page) => page.entries.find((entry) => entry.content.trigger),
        () => null,
      ),
    ]).then(([test, last]) => {
      asked.set(trigger.id, { test, last });
      paint();
    });
  }
}

/** Forgets what the hub said, so that it is asked again. */
export function forget(id) {
  asked.delete(id);
  askedFor = null;
}
