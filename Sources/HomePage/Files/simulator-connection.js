// The connection to a simulator: its control methods and its events. It looks to the rest of the page like one to a
// hub.

import { HubFailure, readEvents } from "./connection.js";

const TOKEN = "hearth.simulator";
const RETRY = 1000;
const SILENCE = 35_000;

/** A class, because it owns the stream and the token. */
export class SimulatorConnection {
  state = "off"; // off, connecting, open, signedOut
  /** At the accessory itself, a person is not asked. */
  isAtAccessory = true;
  #next = null;
  #abort = null;
  #heard = 0;

  /** `handlers`: `state()`, `opened(isNew)`, `event(name, value, position)`, `locate(characteristic)`. */
  constructor(handlers) {
    this.handlers = handlers;
    const token = /[#&]token=([\w-]+)/.exec(location.hash)?.[1];
    if (token) sessionStorage.setItem(TOKEN, token);
    // The token of the link is gone from the address before anything else runs.
    if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
    addEventListener("online", () => this.#abort?.abort());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "hidden" && Date.now() - this.#heard > SILENCE / 2) this.#abort?.abort();
    });
    setInterval(() => {
      if (Date.now() - this.#heard > SILENCE) this.#abort?.abort();
    }, 5000);
  }

  get position() {
    return this.#next ?? 0;
  }

  async start() {
    while (this.state !== "signedOut") {
      this.#abort = new AbortController();
      this.#heard = Date.now();
      this.#set(this.state === "open" ? "open" : "connecting");
      try {
        const response = await this.#post(
          "/api/events",
          this.#next === null ? {} : { after: this.#next },
          this.#abort.signal,
        );
        await readEvents(response, this.#abort.signal, (event) => {
          this.#heard = Date.now();
          if (event) this.#receive(event);
        });
      } catch (error) {
        if (error.status === 401) return this.#set("signedOut");
      }
      this.#set("connecting");
      await new Promise((resume) => setTimeout(resume, RETRY));
    }
  }

  #receive({ name, value, id }) {
    if (name === "hello") {
      // A simulator that was started again counts from the beginning.
      const isNew = this.#next === null || value.next < this.#next;
      this.#next = isNew ? value.next : this.#next;
      this.#set("open");
      return this.handlers.opened(isNew, value);
    }
    this.#next = Number(id) || this.#next;
    this.handlers.event(name, value, this.#next);
  }

  #set(state) {
    if (this.state === state) return;
    this.state = state;
    this.handlers.state();
  }

  async #post(path, body, signal) {
    let response;
    try {
      response = await fetch(path, {
        method: "POST",
        headers: { Authorization: `Bearer ${sessionStorage.getItem(TOKEN)}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        cache: "no-store",
        signal,
      });
    } catch {
      throw new HubFailure({ code: "notConnected" });
    }
    if (response.ok) return response;
    throw new HubFailure((await response.json().catch(() => ({}))).error, response.status);
  }

  /** Calls a control method. */
  async request(method, parameters = {}) {
    return (await (await this.#post(`/api/${method}`, parameters)).json()).result ?? {};
  }

  /** Sets values as a person at the accessory would; the model calls it as it calls a hub. */
  async send(method, { writes }) {
    const outcomes = await Promise.all(writes.map(async ({ characteristic, value }) => {
      try {
        const reply = await this.request("value.set", { ...this.handlers.locate(characteristic), value });
        return { characteristic, value: reply.value ?? value };
      } catch (error) {
        return { characteristic, error: { code: error.code, message: error.message } };
      }
    }));
    return { result: { outcomes }, after: this.position };
  }
}
