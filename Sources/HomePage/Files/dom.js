// Builds and updates the document. A description of nodes is compared with what is there, and only what differs is
// written: nodes, focus, scroll positions and half-typed text stay.

const SVG = "http://www.w3.org/2000/svg";

/** Describes an element. `props` are attributes, except `key`, `style` (an object), `value`, `checked` and handlers. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: children.flat(Infinity).filter((child) => child || child === 0) };
}

/** Describes an icon of the sprite. Icons say nothing to a screen reader: a word stands beside each. */
export function icon(name, className = "") {
  return h(
    "svg",
    { class: `icon ${className}`, "aria-hidden": "true", viewBox: "0 0 24 24" },
    h("use", { href: `#i-${name}` }),
  );
}

/** Makes the children of an element as described, reusing those that have the same key, or the same tag and place. */
export function render(parent, children) {
  children = [children].flat(Infinity).filter((child) => child || child === 0);
  const keyed = new Map();
  for (const node of parent.childNodes) if (node.hKey !== undefined) keyed.set(node.hKey, node);
  let cursor = parent.firstChild;
  for (const child of children) {
    const node = matching(child, cursor, keyed);
    if (!node) {
      parent.insertBefore(create(child, parent), cursor);
      continue;
    }
    if (node === cursor) cursor = cursor.nextSibling;
    else parent.insertBefore(node, cursor);
    keyed.delete(node.hKey);
    update(node, child);
  }
  while (cursor) {
    const next = cursor.nextSibling;
    parent.removeChild(cursor);
    cursor = next;
  }
}

function matching(child, cursor, keyed) {
  if (typeof child !== "object") return cursor?.nodeType === 3 ? cursor : null;
  if (child.props.key !== undefined) {
    const node = keyed.get(child.props.key);
    return node && node.localName === child.tag ? node : null;
  }
  return cursor?.nodeType === 1 && cursor.localName === child.tag && cursor.hKey === undefined ? cursor : null;
}

function create(child, parent) {
  if (typeof child !== "object") return document.createTextNode(String(child));
  const isDrawing = child.tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject");
  const node = isDrawing ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  node.hProps = {};
  if (child.props.key !== undefined) node.hKey = child.props.key;
  update(node, child);
  return node;
}

/** Updates an element that was made from an earlier description. */
export function update(node, child) {
  if (typeof child !== "object") {
    if (node.data !== String(child)) node.data = String(child);
    return;
  }
  const { props } = child;
  if (props.memo !== undefined && node.hProps.memo === props.memo) return;
  for (const name in node.hProps) if (!(name in props)) remove(node, name);
  for (const name in props) {
    if (node.hProps[name] !== props[name] || name === "value" || name === "checked") set(node, name, props[name]);
  }
  node.hProps = props;
  if (!props.raw) render(node, child.children);
  // A choice can be made only once the options are there.
  if (node.localName === "select" && props.value !== undefined) node.value = props.value;
}

function set(node, name, value) {
  if (name === "key" || name === "memo" || name === "raw") return;
  if (name.startsWith("on")) node[name.toLowerCase()] = value;
  else if (name === "style") { for (const part in value) node.style.setProperty(part, value[part]); }
  // What a person is typing or dragging is theirs.
  else if (name === "value") {
    if (node.value !== String(value) && !(document.activeElement === node && node.hProps.value === value)) {
      node.value = value;
    }
  } else if (name === "checked") { if (node.checked !== value) node.checked = value; }
  else if (name === "ref") value(node);
  else if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

function remove(node, name) {
  if (name.startsWith("on")) node[name.toLowerCase()] = null;
  else if (name === "style") node.removeAttribute("style");
  else if (name !== "key" && name !== "memo" && name !== "ref" && name !== "raw") node.removeAttribute(name);
}

/** A name that a person gave: isolated, so that its direction does not disturb the sentence around it. */
export function name(text) {
  return h("bdi", null, text);
}

let styles = null;

/** Loads the styles of sheets and forms, which the first page does without. */
export function loadStyles() {
  return (styles ??= new Promise((resolve) => {
    const link = document.createElement("link");
    const href = new URL("./screens.css", import.meta.url).href;
    Object.assign(link, { rel: "stylesheet", href, onload: resolve, onerror: resolve });
    document.head.append(link);
  }));
}

let frame = 0;
const jobs = new Set();

/** Runs a job once in the next frame, however often it is asked for. */
export function nextFrame(job) {
  jobs.add(job);
  if (frame) return;
  const flush = () => {
    frame = 0;
    const due = [...jobs];
    jobs.clear();
    for (const each of due) each();
  };
  // A hidden page has no frames; what it knows is still brought up to date.
  frame = document.visibilityState === "hidden" ? setTimeout(flush, 100) : requestAnimationFrame(flush);
}

const polite = document.getElementById("polite");
const assertive = document.getElementById("assertive");

/** Tells a screen reader the result of a person's own act; `now` is for alarms only. */
export function announce(text, now = false) {
  const region = now ? assertive : polite;
  region.textContent = "";
  region.textContent = text;
}

const toasts = document.getElementById("toasts");
const notes = document.getElementById("notes");

/**
 * Moves messages and live regions into the topmost sheet: whatever is outside a modal sheet can be neither pressed nor
 * heard.
 */
export function moveNotes() {
  const open = [...document.querySelectorAll("dialog[open]")].pop();
  const place = open ?? document.body;
  if (notes.parentNode !== place) place.append(notes);
}

/**
 * Shows a message. With an action, it stays for eight seconds that do not run while it is hovered or focused; errors
 * stay until they are closed.
 */
export function toast(text, { action, label, isError = false, closeLabel = "×" } = {}) {
  const box = document.createElement("div");
  let rest = 8000, started = 0, timer = 0;
  const close = () => {
    clearTimeout(timer);
    box.remove();
  };
  const run = () => {
    started = performance.now();
    timer = setTimeout(close, rest);
  };
  const pause = () => {
    clearTimeout(timer);
    rest = Math.max(2000, rest - (performance.now() - started));
  };
  update(
    Object.assign(box, { hProps: {} }),
    h(
      "div",
      { class: isError ? "toast error" : "toast", role: isError ? "alert" : "status" },
      h("span", null, text),
      action && h("button", {
        class: "link",
        onclick: () => {
          close();
          action();
        },
      }, label),
      (isError || !action) && h("button", { class: "round", "aria-label": closeLabel, onclick: close }, icon("close")),
    ),
  );
  if (!isError) {
    box.onmouseenter = box.onfocusin = pause;
    box.onmouseleave = box.onfocusout = run;
    run();
  }
  while (toasts.childElementCount > 2) toasts.firstChild.remove();
  toasts.append(box);
  return close;
}

/** A UUID for a request or an object; `crypto.randomUUID` is missing on pages without TLS. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
