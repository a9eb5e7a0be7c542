// What the page knows of homes: records, values, reachability, and what a person asked for and is not confirmed yet.

import { isTile, kindName, TYPES } from "./kinds.js";

/** How long the steps of a lamp's fade are kept from the slider after the last reply. */
const HOLD = 2000;

export const model = {
  homes: new Map(),
  account: { records: new Map(), lineage: null, revision: 0 },
  reach: new Map(),
  runs: new Map(),
  /** What plays on the hub's computer; the hub tells it its own user only. */
  media: null,
  /** Whether a first snapshot has arrived. */
  isKnown: false,
  homeID: null,
};

const cells = new Map();
const watchers = {
  layout: new Set(),
  things: new Set(),
  journal: new Set(),
  media: new Set(),
  questions: new Set(),
  discovery: new Set(),
  setup: new Set(),
};

export function watch(what, job) {
  watchers[what].add(job);
  return () => watchers[what].delete(job);
}

export function tell(what, value) {
  for (const job of watchers[what]) job(value);
}

// MARK: Homes

/** A class, because its indexes are made once per change and shared by all that shows the home. */
class Home {
  constructor(id) {
    this.id = id;
    this.records = new Map();
    this.lineage = null;
    this.revision = 0;
    this.user = null;
    this.indexes = null;
  }

  of(kind) {
    return this.index().kinds.get(kind) ?? [];
  }
  get(id) {
    return this.records.get(id);
  }
  get name() {
    return model.account.records.get(this.id)?.name ?? "";
  }
  get isPrimary() {
    return model.account.records.get(this.id)?.isPrimary ?? false;
  }
  get me() {
    return this.records.get(this.user);
  }
  get canEdit() {
    return this.me ? this.me.role !== "guest" : false;
  }
  get isOwner() {
    return this.me?.role === "owner";
  }
  get rooms() {
    return ordered(this.of("room"), this.records.get(`order/${this.id}`)?.rooms, (room) => room.id);
  }
  get zones() {
    return this.of("zone");
  }
  get accessories() {
    return this.of("accessory");
  }
  get defaultRoom() {
    return this.get(this.id)?.defaultRoom ?? this.id;
  }
  /** What people see; hidden things are found in the detail of their device. */
  get things() {
    return this.index().things;
  }
  get hiddenThings() {
    return [...this.index().byThing.values()].filter((thing) => thing.isHidden);
  }
  thing(id) {
    return this.index().byThing.get(id);
  }
  thingsOf(accessory) {
    return this.index().byAccessory.get(accessory) ?? [];
  }

  /** The things of a room in the order that people gave them; the others follow as `otherwise` has them. */
  inOrder(room, things) {
    const order = this.records.get(`order/${room}`)?.services?.map(({ accessory, service }) =>
      `${accessory}/${service}`
    );
    return ordered(things, order, (thing) => `${thing.accessory.id}/${storedID(thing.accessory, thing.service.iid)}`);
  }

  /** What this person wants at hand: things and scenes. */
  get favorites() {
    const list = model.account.records.get(`accountFavorites/${this.id}`)?.favorites ?? [];
    return list.map((
      favorite,
    ) => (favorite.actionSet
      ? { favorite, scene: this.scene(favorite.actionSet) }
      : { favorite, thing: this.things.find((thing) => isFavored(thing, favorite)) })
    ).filter((each) => each.scene || each.thing);
  }

  get scenes() {
    const stored = this.of("actionSet");
    const builtIn = BUILT_IN.map(([type, name]) => {
      const id = uuidV5(this.id, type);
      return this.records.get(id) ?? { id, kind: "actionSet", type, name, actions: [] };
    });
    const ids = new Set(builtIn.map((scene) => scene.id));
    return [...builtIn, ...stored.filter((scene) => scene.type !== "triggerOwned" && !ids.has(scene.id))];
  }

  scene(id) {
    return this.records.get(id) ?? this.scenes.find((scene) => scene.id === id);
  }

  roomName(id) {
    return id === this.defaultRoom ? null : this.records.get(id)?.name ?? null;
  }
  zonesOf(room) {
    return this.zones.filter((zone) => zone.rooms.includes(room));
  }

  index() {
    if (this.indexes) return this.indexes;
    const kinds = new Map();
    for (const record of this.records.values()) {
      if (!kinds.has(record.kind)) kinds.set(record.kind, []);
      kinds.get(record.kind).push(record);
    }
    const index = (this.indexes = { kinds, things: [], byThing: new Map(), byAccessory: new Map() });
    for (const accessory of kinds.get("accessory") ?? []) {
      const things = thingsOf(this, accessory, this.records.get(accessory.shape));
      index.byAccessory.set(accessory.id, things);
      for (const thing of things) {
        index.byThing.set(thing.id, thing);
        if (!thing.isHidden) index.things.push(thing);
      }
    }
    return index;
  }
}

const BUILT_IN = [["wakeUp", "Good Morning"], ["homeArrival", "Arrive Home"], ["homeDeparture", "Leave Home"], [
  "sleep",
  "Good Night",
]];

function ordered(list, order, key) {
  if (!order?.length) return list;
  const place = new Map(order.map((id, at) => [id, at]));
  return [...list].sort((a, b) => (place.get(key(a)) ?? 1e6) - (place.get(key(b)) ?? 1e6));
}

const isFavored = (thing, { accessory, service }) =>
  thing.accessory.id === accessory && storedID(thing.accessory, thing.service.iid) === service;

/** What lists of the hub call a thing. */
export const serviceIdentity = (thing) => ({
  accessory: thing.accessory.id,
  service: storedID(thing.accessory, thing.service.iid),
});

/**
 * The services of an accessory that people use. Linked services and those that say something of the whole are parts.
 */
function thingsOf(home, accessory, shape) {
  if (!shape) return [];
  const services = shape.services.map((service) => serviceOf(accessory, service));
  const linked = new Set(services.filter((each) => isTile(each.type)).flatMap((each) => each.linked));
  let tiles = services.filter((each) =>
    !each.isHidden && isTile(each.type) && !(linked.has(each.iid) && TYPES[each.type]?.folds)
  );
  // A camera has a stream for each viewer, and is one thing.
  tiles = tiles.filter((each, at) =>
    !TYPES[each.type]?.isOnce || tiles.findIndex((other) => other.type === each.type) === at
  );
  const hasMain = tiles.some((each) => !TYPES[each.type]?.isSecondary);
  if (hasMain) tiles = tiles.filter((each) => !TYPES[each.type]?.isSecondary);
  const common = services.filter((each) => !isTile(each.type) || !tiles.includes(each));
  const things = tiles.map((service) => {
    const own = service.linked.map((iid) => services.find((each) => each.iid === iid)).filter(Boolean);
    const parts = own.length
      ? [...own, ...common.filter((each) => !own.includes(each) && !ownedByOther(each, service, tiles))]
      : common.filter((each) => !ownedByOther(each, service, tiles));
    return {
      id: `${accessory.id}/${service.iid}`,
      home,
      accessory,
      service,
      parts,
      type: accessory.associatedTypes?.[service.iid] ? String(accessory.associatedTypes[service.iid]) : service.type,
      room: accessory.room,
      isOnly: tiles.length === 1,
      isHidden: accessory.hiddenServices?.includes(service.iid) ?? false,
      name: tiles.length === 1 ? accessory.serviceNames?.[service.iid] ?? accessory.name : service.name,
    };
  });
  // Parts that a maker called alike are told apart by what they are.
  const count = (name) => things.filter((thing) => thing.service.name === name).length;
  for (const thing of things) {
    if (count(thing.service.name) > 1 && !accessory.serviceNames?.[thing.service.iid]) thing.name = kindName(thing);
  }
  return things;
}

function ownedByOther(part, service, tiles) {
  return tiles.some((tile) => tile !== service && tile.linked.includes(part.iid));
}

function serviceOf(accessory, service) {
  const chars = {};
  for (const each of service.characteristics) {
    chars[each.type] ??= {
      ...each,
      accessory: accessory.id,
      key: `${accessory.id}/${each.iid}`,
      meta: each.metadata ?? {},
    };
  }
  return {
    iid: service.iid,
    type: service.type,
    isHidden: service.isHidden,
    isPrimary: service.isPrimary,
    linked: service.linked ?? [],
    chars,
    name: accessory.serviceNames?.[service.iid] || service.reportedName || accessory.name,
  };
}

/** All services of an accessory, with those that are no tiles. */
export function servicesOf(home, accessory) {
  return (home.get(accessory.shape)?.services ?? []).map((service) => serviceOf(accessory, service));
}

/** A characteristic of a thing, or of its parts. */
export function charOf(thing, type) {
  const own = thing.service.chars[type];
  if (own) return own;
  for (const part of thing.parts) if (part.chars[type]) return part.chars[type];
  return undefined;
}

export function home() {
  return model.homes.get(model.homeID);
}

/** The homes in the order of the person's own list. */
export function homeList() {
  return [...model.account.records.values()].filter((record) =>
    record.kind === "accountHome" && model.homes.has(record.id)
  )
    .sort((a, b) => a.order - b.order).map((record) => model.homes.get(record.id));
}

// MARK: Events of the stream

export function cursors() {
  if (!model.isKnown) return undefined;
  const homes = {};
  for (const each of model.homes.values()) homes[each.id] = { lineage: each.lineage, revision: each.revision };
  return { account: { lineage: model.account.lineage, revision: model.account.revision }, homes };
}

export function receive(name, data, position) {
  const handler = EVENTS[name];
  if (handler) handler(data, position);
}

const EVENTS = {
  reset(data, position) {
    model.account = {
      records: byID(data.account.records),
      lineage: data.account.lineage,
      revision: data.account.revision,
    };
    const former = model.homes;
    model.homes = new Map();
    for (const [id, log] of Object.entries(data.homes)) setHome(id, log);
    model.reach.clear();
    model.runs.clear();
    const isFirst = !model.isKnown;
    model.isKnown = true;
    if (!isFirst) {
      for (const cell of cells.values()) {
        if (!cell.flights) {
          cell.known = undefined;
          cell.at = 0;
        }
      }
    }
    live(data, position);
    choosePrimary(former);
    tell("layout", { isReset: true });
  },
  resumed(data, position) {
    live(data, position);
    tell("layout", { isReset: true });
  },
  change({ home: id, lineage, revision, change, user, isMine }) {
    const log = id ? model.homes.get(id) ?? setHome(id, { records: [], lineage, revision, user }) : model.account;
    log.lineage = lineage;
    log.revision = revision;
    if (user) log.user = user;
    for (const effect of change.effects ?? []) {
      if (effect.put) log.records.set(keyOf(effect.put), effect.put);
      else if (effect.remove) log.records.delete(keyOf(effect.remove));
    }
    log.indexes = null;
    choosePrimary();
    tell("layout", { change, home: id, isMine });
  },
  homeGone({ id }) {
    model.homes.delete(id);
    choosePrimary();
    tell("layout", {});
  },
  values({ values }, position) {
    storeValues(values, position, true);
  },
  reachability({ reachability }) {
    storeReachability(reachability);
  },
  runs({ runs }) {
    for (const run of runs ?? []) model.runs.set(run.id, run);
    tell("layout", { runs });
  },
  media(state) {
    model.media = { ...state, arrival: performance.now() };
    tell("media");
  },
  journal(entry) {
    tell("journal", entry);
  },
  asked(question) {
    tell("questions", { asked: question });
  },
  questionClosed({ id }) {
    tell("questions", { closed: id });
  },
  discovered(found) {
    tell("discovery", { found });
  },
  discoveryLost({ id }) {
    tell("discovery", { lost: id });
  },
  unconfigured(found) {
    tell("discovery", { unconfigured: found });
  },
  unconfiguredLost({ id }) {
    tell("discovery", { unconfiguredLost: id });
  },
  setupProgress(progress) {
    tell("setup", progress);
  },
};

/** Kinds whose IDs are their own; others, such as the order of a home's rooms, borrow the ID of what they are about. */
const OWN_IDS = new Set([
  "home",
  "user",
  "room",
  "zone",
  "shape",
  "accessory",
  "serviceGroup",
  "actionSet",
  "trigger",
  "accountHome",
  "accountApp",
]);
const keyOf = ({ kind, id }) => (OWN_IDS.has(kind) ? id : `${kind}/${id}`);

function byID(records) {
  return new Map(records.map((record) => [keyOf(record), record]));
}

function setHome(id, log) {
  const each = new Home(id);
  each.records = byID(log.records);
  each.lineage = log.lineage;
  each.revision = log.revision;
  each.user = log.user ?? null;
  model.homes.set(id, each);
  return each;
}

function live(data, position) {
  storeValues(data.values ?? [], position);
  storeReachability(data.reachability ?? []);
  for (const run of data.runs ?? []) model.runs.set(run.id, run);
}

/** The home that the page shows: the address names it, else it is the person's main one. */
function choosePrimary() {
  if (model.homes.has(model.homeID)) return;
  model.homeID = (homeList().find((each) => each.isPrimary) ?? homeList()[0])?.id ?? null;
}

function storeValues(groups, position, isNews = false) {
  for (const { accessory, values } of groups) {
    for (const iid in values) arrive(`${accessory}/${iid}`, values[iid], position, isNews);
    dirty(accessory);
  }
}

function storeReachability(updates) {
  for (const update of updates) {
    model.reach.set(update.accessory, update);
    dirty(update.accessory);
  }
}

const dirtyAccessories = new Set();
function dirty(accessory) {
  dirtyAccessories.add(accessory);
  tell("things", dirtyAccessories);
}

export function reachOf(accessory) {
  return model.reach.get(accessory);
}

// MARK: Values

function cellOf(key) {
  let cell = cells.get(key);
  if (!cell) cells.set(key, cell = { known: undefined, at: 0, since: 0, flights: 0 });
  return cell;
}

/**
 * A value that the stream tells. While a write is out, it is kept and not shown; what is older than the reply is
 * dropped.
 */
function arrive(key, value, position, isNews = false) {
  const cell = cellOf(key);
  if (isNews) cell.heardAt = Date.now();
  if (value === null) value = undefined;
  if (position < cell.at) return;
  cell.at = position;
  if (cell.known !== value) {
    if (cell.known !== undefined) cell.since = Date.now();
    cell.known = value;
  }
  if (!cell.flights && cell.holds && (value === cell.target || Date.now() >= cell.until)) release(cell);
}

function release(cell) {
  clearTimeout(cell.timer);
  cell.holds = false;
  cell.target = undefined;
}

/** The value that is known. */
export function known(characteristic) {
  return characteristic ? cells.get(characteristic.key)?.known : undefined;
}

/** The value that is shown: what a person asked for, while it is on its way, else what is known. */
export function value(characteristic) {
  if (!characteristic) return undefined;
  const cell = cells.get(characteristic.key);
  if (!cell) return undefined;
  return cell.flights || cell.holds || cell.next !== undefined ? cell.target : cell.known;
}

export function isSending(characteristic) {
  return characteristic ? (cells.get(characteristic.key)?.flights ?? 0) > 0 : false;
}
export function sentAt(characteristic) {
  return cells.get(characteristic?.key)?.sentAt ?? 0;
}
/** When an event last told the value: a button may be pressed twice in the same way. */
export function heardAt(characteristic) {
  return cells.get(characteristic?.key)?.heardAt ?? 0;
}
export function changedAt(characteristic) {
  return cells.get(characteristic?.key)?.since ?? 0;
}

/** Shows a target while a slider is dragged, before anything is sent. */
export function aim(characteristic, target) {
  const cell = cellOf(characteristic.key);
  cell.target = target;
  cell.holds = true;
  cell.until = Infinity;
  clearTimeout(cell.timer);
  dirty(characteristic.accessory);
}

/**
 * Writes values and shows them at once. One request per characteristic is out; the latest of what follows waits.
 * `send` performs the request and returns `{result, after}`.
 */
export async function write(writes, send, { holds = false } = {}) {
  const due = [];
  for (const { characteristic, value: target } of writes) {
    const cell = cellOf(characteristic.key);
    cell.target = target;
    if (cell.flights && writes.length === 1) {
      cell.next = target;
      dirty(characteristic.accessory);
      return { outcomes: [] };
    }
    cell.flights += 1;
    cell.sentAt = Date.now();
    due.push({ characteristic, cell, target });
    dirty(characteristic.accessory);
  }
  let reply, failure;
  try {
    reply = await send(
      due.map(({ characteristic, target }) => ({
        characteristic: { accessory: characteristic.accessory, iid: characteristic.iid },
        value: target,
      })),
    );
  } catch (error) {
    failure = error;
  }
  const outcomes = reply?.result?.outcomes ?? [];
  for (const each of due) {
    const { accessory, iid } = each.characteristic;
    const outcome = outcomes.find((one) =>
      one.characteristic.accessory === accessory && one.characteristic.iid === iid
    );
    settle(each, failure ?? outcome?.error, outcome?.value, reply?.after ?? 0, holds);
    dirty(accessory);
  }
  for (const { characteristic, cell } of due) {
    if (cell.next === undefined || cell.flights) continue;
    const next = cell.next;
    cell.next = undefined;
    if (!failure) return write([{ characteristic, value: next }], send, { holds });
    cell.target = undefined;
    dirty(characteristic.accessory);
  }
  if (failure) throw failure;
  return { outcomes };
}

/** A write ended: the reply counts unless the stream has already told something newer. */
function settle({ cell, target, characteristic }, error, written, after, holds) {
  cell.flights -= 1;
  if (error) return release(cell);
  if (after >= cell.at) {
    cell.at = after;
    const now = written ?? target;
    if (cell.known !== now) cell.since = Date.now();
    cell.known = now;
  }
  if (cell.flights) return;
  if (!holds) return release(cell);
  cell.holds = true;
  cell.until = Date.now() + HOLD;
  clearTimeout(cell.timer);
  cell.timer = setTimeout(() => {
    if (cell.flights || !cell.holds) return;
    release(cell);
    dirty(characteristic.accessory);
  }, HOLD);
}

/**
 * Stores since when values are as they are: `times` are the hub's, in milliseconds. What changed in this page meanwhile
 * is newer.
 */
export function storeTimes(accessory, times) {
  for (const iid in times) {
    const cell = cellOf(`${accessory}/${iid}`);
    if (!cell.since) cell.since = times[iid];
  }
  dirty(accessory);
}

/** Stores values of a reply, such as that to `characteristic.notify`. */
export function storeOutcomes(outcomes, position) {
  for (const { characteristic, value: written, error } of outcomes ?? []) {
    if (error) continue;
    arrive(`${characteristic.accessory}/${characteristic.iid}`, written, position);
    dirty(characteristic.accessory);
  }
}

/** A stream of another connection counts from the beginning. */
export function restartPositions() {
  for (const cell of cells.values()) cell.at = 0;
}

// MARK: IDs of what is stored

const idCache = new Map();

/** The ID by which scenes and automations name a service or a characteristic of an accessory. */
export function storedID(accessory, iid) {
  return accessory.fixedIDs?.[iid] ?? uuidV5(accessory.id, String(iid));
}

/** What scenes and automations store to name a characteristic. */
export function identityOf(accessory, characteristic) {
  return {
    accessory: accessory.id,
    characteristic: storedID(accessory, characteristic.iid),
    type: characteristic.type,
  };
}

/**
 * The characteristic that a scene or an automation names, with its thing; `undefined` if the accessory no longer has
 * it.
 */
export function resolve(home, identity) {
  const accessory = home.get(identity.accessory);
  if (!accessory) return undefined;
  for (const service of servicesOf(home, accessory)) {
    for (const type in service.chars) {
      if (type === identity.type && storedID(accessory, service.chars[type].iid) === identity.characteristic) {
        const things = home.thingsOf(accessory.id);
        const thing = things.find((each) => each.service.iid === service.iid) ?? things.find((each) =>
          each.parts.some((part) => part.iid === service.iid)
        ) ?? things[0];
        return { accessory, service, characteristic: service.chars[type], thing };
      }
    }
  }
  return undefined;
}

/** A UUID of version 5. SHA-1 by hand: `crypto.subtle` is missing on pages without TLS. */
export function uuidV5(space, name) {
  const key = `${space}${name}`;
  let id = idCache.get(key);
  if (!id) {
    const bytes = [...space.replaceAll("-", "").match(/../g)].map((hex) => parseInt(hex, 16));
    const hash = sha1([...bytes, ...new TextEncoder().encode(name)]).slice(0, 16);
    hash[6] = (hash[6] & 15) | 80;
    hash[8] = (hash[8] & 63) | 128;
    const hex = hash.map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
    id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    idCache.set(key, id);
  }
  return id;
}

function sha1(message) {
  const length = message.length;
  const bytes = [...message, 0x80];
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (let shift = 56; shift >= 0; shift -= 8) bytes.push(shift > 31 ? 0 : ((length * 8) >>> shift) & 255);
  let [a, b, c, d, e] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const turn = (value, by) => (value << by) | (value >>> (32 - by));
  for (let start = 0; start < bytes.length; start += 64) {
    const w = [];
    for (let i = 0; i < 16; i++) {
      w[i] = (bytes[start + 4 * i] << 24) | (bytes[start + 4 * i + 1] << 16) | (bytes[start + 4 * i + 2] << 8) |
        bytes[start + 4 * i + 3];
    }
    for (let i = 16; i < 80; i++) w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    let [v, x, y, z, u] = [a, b, c, d, e];
    for (let i = 0; i < 80; i++) {
      const [f, k] = i < 20
        ? [(x & y) | (~x & z), 0x5a827999]
        : i < 40
        ? [x ^ y ^ z, 0x6ed9eba1]
        : i < 60
        ? [(x & y) | (x & z) | (y & z), 0x8f1bbcdc]
        : [x ^ y ^ z, 0xca62c1d6];
      const next = (turn(v, 5) + f + u + k + w[i]) | 0;
      [u, z, y, x, v] = [z, y, turn(x, 30), v, next];
    }
    [a, b, c, d, e] = [(a + v) | 0, (b + x) | 0, (c + y) | 0, (d + z) | 0, (e + u) | 0];
  }
  return [a, b, c, d, e].flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255));
}
