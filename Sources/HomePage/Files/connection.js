// The connection to the hub: one stream of events, requests beside it, and the sign-in that both need.

import { uuid } from "./dom.js";

const CREDENTIAL = "hearth.credential";
/** When the newest device that this browser knows of was added. Who signs in next may be somebody else. */
export const SEEN_DEVICES = "hearth.devices.seen";
const TOKEN = "hearth.token";
const BACKOFF = [500, 1000, 2000, 4000, 8000];
/** The hub sends a comment every 15 seconds. */
const SILENCE = 35_000;
const HIDDEN = 30_000;

/** A failure that the hub reported, or `notConnected`. */
export class HubFailure extends Error {
  constructor(error, status = 0) {
    super(error?.message ?? "");
    this.code = error?.code ?? error?.data?.code ?? "hubFailure";
    this.trouble = error?.trouble ?? error?.data?.trouble;
    this.data = error?.data;
    this.status = status;
  }
}

/**
 * Reads server-sent events until they end. `receive` gets each, and nothing for what only shows that the hub is there.
 */
export async function readEvents(response, signal, receive) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) break;
    receive(null);
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const parsed = parseEvent(event);
      if (parsed) receive(parsed);
    }
  }
}

function parseEvent(text) {
  let name = "message", data = "", id = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data += line.slice(5);
    else if (line.startsWith("id:")) id = line.slice(3).trim();
  }
  return data || name !== "message" ? { name, id, value: data ? JSON.parse(data) : null } : null;
}

/**
 * A class, because it owns the stream, its timers and the token. Events and replies travel apart over HTTP; each has
 * its position in one order, and `perform` returns when the stream has reached the reply's position.
 */
export class Connection {
  state = "off"; // off, connecting, open, waiting, superseded
  stream = null;
  position = 0;
  run = null;
  /** When the last event or comment arrived, by the wall clock: the other one stops while a device sleeps. */
  heard = 0;
  #token = sessionStorage.getItem(TOKEN);
  #abort = null;
  #attempt = 0;
  #retry = 0;
  #hiding = 0;
  #watch = 0;
  #waiting = new Set();
  #renewing = null;

  /**
   * `handlers`: `event(name, data, position)`, `state()`, `signedOut(reason)`, `hello()`, `cursors()`, `assets(hash)`.
   */
  constructor(handlers) {
    this.handlers = handlers;
    document.addEventListener("visibilitychange", () => this.#visibility());
    addEventListener("online", () => this.#wake(true));
    addEventListener("pageshow", (event) => event.persisted && this.#wake(true));
    addEventListener("focus", () => this.#wake(Date.now() - this.heard > SILENCE));
    setInterval(() => this.#checkSilence(), 5000);
  }

  get canSignIn() {
    return Boolean(this.#token || localStorage.getItem(CREDENTIAL));
  }

  /** Exchanges a code of `hearth login` for a session. */
  async signIn(code, device, stay) {
    const reply = await this.#post("/login", { code, name: device, staySignedIn: stay });
    this.#keep(reply);
    return reply;
  }

  async signOut() {
    try {
      await this.#post("/logout", {}, { Authorization: `Bearer ${this.#token}` });
    } catch { /* The device forgets its keys even if the hub is away. */ }
    this.forget();
    this.stop();
  }

  forget() {
    this.#token = null;
    sessionStorage.removeItem(TOKEN);
    localStorage.removeItem(CREDENTIAL);
    localStorage.removeItem(SEEN_DEVICES);
  }

  #keep(reply) {
    this.#token = reply.token;
    sessionStorage.setItem(TOKEN, reply.token);
    if (reply.credential) localStorage.setItem(CREDENTIAL, reply.credential);
  }

  async #post(path, body, headers = {}) {
    let response;
    try {
      response = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
        cache: "no-store",
      });
    } catch {
      throw new HubFailure({ code: "notConnected" });
    }
    const reply = await response.json().catch(() => ({}));
    if (!response.ok) throw new HubFailure(reply.error, response.status);
    return reply;
  }

  /**
   * Renews the session with the device's credential. Another tab may have renewed it meanwhile: the stored one is used.
   */
  #renew() {
    return (this.#renewing ??= (async () => {
      const credential = localStorage.getItem(CREDENTIAL);
      if (!credential) throw new HubFailure({ code: "signedOut" }, 401);
      this.#keep(await this.#post("/renew", { credential }));
    })().finally(() => (this.#renewing = null)));
  }

  // MARK: The stream

  start() {
    this.#connect();
  }

  stop() {
    this.#set("off");
    clearTimeout(this.#retry);
    this.#abort?.abort();
    this.#abort = null;
  }

  /** Connects at once, in place of what there is. */
  reconnect() {
    this.#attempt = 0;
    this.#connect();
  }

  async #connect() {
    clearTimeout(this.#retry);
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#set("connecting");
    this.heard = Date.now();
    try {
      if (!this.#token) await this.#renew();
      const response = await this.#open(abort.signal);
      await this.#read(response, abort);
    } catch (error) {
      if (abort.signal.aborted) return;
      if (error.status === 401) return this.#signedOut(error);
    }
    if (!abort.signal.aborted && this.state !== "superseded") this.#retryLater();
  }

  async #open(signal, isSecond = false) {
    const headers = { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" };
    if (this.stream) headers["Hearth-Stream"] = this.stream;
    if (this.stream && this.lastID) headers["Last-Event-ID"] = this.lastID;
    const response = await fetch("/api/events", {
      method: "POST",
      headers,
      body: JSON.stringify(this.handlers.hello()),
      signal,
      cache: "no-store",
    });
    if (response.status === 401 && !isSecond) {
      await this.#renew();
      return this.#open(signal, true);
    }
    if (!response.ok) {
      const reply = await response.json().catch(() => ({}));
      throw new HubFailure(reply.error, response.status);
    }
    return response;
  }

  async #read(response, abort) {
    await readEvents(response, abort.signal, (event) => {
      this.heard = Date.now();
      if (event) this.#receive(event);
    });
  }

  #receive({ name, value, id }) {
    if (name === "hello") return this.#greeted(value);
    if (name === "superseded") return this.#superseded();
    // The hub says why it ends a stream; what follows is decided by the end itself, or by the 401 of the next one.
    if (name === "ended") return;
    this.lastID = id || this.lastID;
    const position = Number(id.slice(id.lastIndexOf(".") + 1)) || this.position;
    this.handlers.event(name, value, position);
    this.position = position;
    this.#reach();
  }

  #greeted(hello) {
    const isNew = !hello.resumed || hello.stream !== this.stream;
    this.stream = hello.stream;
    if (isNew) {
      this.position = 0;
      this.lastID = null;
    }
    this.run = hello.run;
    this.client = hello.client;
    this.#attempt = 0;
    this.#set("open");
    this.handlers.greeted(hello, isNew);
  }

  #superseded() {
    this.#set("superseded");
    this.#abort?.abort();
  }

  #retryLater() {
    this.#set("waiting");
    this.#reach(true);
    const wait = (BACKOFF[this.#attempt] ?? 15_000) * (0.8 + Math.random() * 0.4);
    this.#attempt += 1;
    if (document.visibilityState !== "hidden" || this.#attempt < 3) {
      this.#retry = setTimeout(() => this.#connect(), wait);
    }
  }

  #signedOut(error) {
    this.forget();
    this.stop();
    this.handlers.signedOut(error);
  }

  #set(state) {
    if (this.state === state) return;
    if (this.state === "open") this.lostAt = Date.now();
    this.state = state;
    this.handlers.state(state);
  }

  #visibility() {
    clearTimeout(this.#hiding);
    if (document.visibilityState === "hidden") {
      this.#hiding = setTimeout(() => {
        if (this.state === "open" || this.state === "connecting") {
          this.#abort?.abort();
          this.#set("waiting");
          this.#reach(true);
        }
      }, HIDDEN);
    } else {
      this.#wake(this.state !== "open" || Date.now() - this.heard > SILENCE / 2);
    }
  }

  /** A stream that slept looks open: what may be dead is replaced. */
  #wake(mustConnect) {
    if (mustConnect && this.state !== "off" && this.state !== "superseded") this.reconnect();
  }

  #checkSilence() {
    const isLive = this.state === "open" || this.state === "connecting";
    if (isLive && document.visibilityState !== "hidden" && Date.now() - this.heard > SILENCE) this.reconnect();
  }

  // MARK: Files

  /** Fetches a file that the hub makes, such as a backup. */
  async download(path, parameters) {
    const response = await this.#file(path, "application/json", JSON.stringify(parameters));
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "hearth";
    return { blob: await response.blob(), name };
  }

  /** Sends a file and returns the hub's result. */
  async upload(path, type, file) {
    return (await (await this.#file(path, type, file)).json()).result;
  }

  async #file(path, type, body, isSecond = false) {
    if (!this.#token) await this.#renew();
    let response;
    try {
      response = await fetch(path, {
        method: "POST",
        headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": type },
        body,
        cache: "no-store",
      });
    } catch {
      throw new HubFailure({ code: "notConnected" });
    }
    if (response.status === 401 && !isSecond) {
      await this.#renew();
      return this.#file(path, type, body, true);
    }
    if (!response.ok) throw new HubFailure((await response.json().catch(() => ({}))).error, response.status);
    return response;
  }

  // MARK: Requests

  #reach(all = false) {
    for (const waiting of this.#waiting) {
      if (all || waiting.position <= this.position) {
        this.#waiting.delete(waiting);
        waiting.resume();
      }
    }
  }

  /** Waits until the stream has told what came before a reply; a lost stream keeps nobody waiting. */
  #reached(position) {
    if (!position || position <= this.position || this.state !== "open") return undefined;
    return new Promise((resume) => this.#waiting.add({ position, resume }));
  }

  /** Sends a request that changes something: it carries a key, so that after a loss it can be asked again. */
  perform(method, parameters) {
    return this.request(method, parameters, { key: uuid() });
  }

  /** Sends a request and returns its result once all that happened before it is known. */
  async request(method, parameters = {}, { key } = {}) {
    const reply = await this.send(method, parameters, { key });
    await this.#reached(reply.after);
    return reply.result ?? {};
  }

  /** Sends a request and returns `{result, after}` at once. */
  async send(method, parameters, { key } = {}) {
    for (let attempt = 0;; attempt++) {
      try {
        return await this.#sendOnce(method, parameters, key, attempt);
      } catch (error) {
        const isLost = error.code === "notConnected" || error.code === "streamEnded";
        const mayRepeat = isLost && attempt < 2 && (key || isRead(method) || error.code === "streamEnded");
        if (error.code === "streamEnded" && this.state === "open") this.reconnect();
        if (error.status === 401 && attempt < 2) {
          try {
            await this.#renew();
          } catch (failure) {
            if (failure.status === 401) this.#signedOut(failure);
            throw failure;
          }
        } else if (mayRepeat) await this.#opened();
        else throw error;
      }
    }
  }

  async #sendOnce(method, parameters, key) {
    if (this.state !== "open") await this.#opened();
    const headers = { Authorization: `Bearer ${this.#token}`, "Hearth-Stream": this.stream };
    if (key) headers["Hearth-Key"] = key;
    return this.#post(`/api/${method}`, parameters, headers);
  }

  /** Waits for an open stream, at most ten seconds. */
  async #opened() {
    const end = performance.now() + 10_000;
    while (this.state !== "open") {
      if (performance.now() > end || this.state === "off" || this.state === "superseded") {
        throw new HubFailure({ code: "notConnected" });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function isRead(method) {
  return /\.(list|get|read|since|explain|samples|test|examples|notify|follow)$/.test(method);
}
