// The documentation works without this file. It folds the menu on a phone, and searches in an index that it loads when it is needed.
const root = document.currentScript.dataset.root;
const menu = document.getElementById("site-menu");
const wide = matchMedia("(min-width: 860px)");
const fold = () => {
  menu.open = wide.matches;
};
fold();
wide.addEventListener("change", fold);
menu.parentElement.classList.add("ready");
const here = menu.querySelector("[aria-current]");
if (here && wide.matches) {
  const frame = menu.parentElement;
  frame.scrollTop = Math.max(0, here.offsetTop - frame.clientHeight / 2);
}

const form = document.querySelector("form[role=search]");
const field = document.getElementById("site-search");
const results = document.getElementById("site-results");
form.hidden = false;

const load = () => {
  if (load.done) return load.done;
  load.done = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.onload = () => resolve(globalThis.searchIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return load.done;
};

// A word in the title counts most, then one in a section's title, then one in the text.
const score = ([path, title, section, text], words) => {
  const [name, part] = [title.toLowerCase(), section.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    if (section && part.includes(word)) sum += part.startsWith(word) ? 12 : 8;
    else if (!section && name.includes(word)) sum += name.startsWith(word) ? 16 : 10;
    else if (section && name.includes(word)) sum += 1;
    else if (text.includes(word)) sum += 3;
    else return 0;
  }
  return sum + (path.startsWith("libraries/") ? 0 : 4) - Math.min(3, (title + section).length / 40);
};

const show = async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  if (results.hidden) return;
  const index = await load();
  const found = index.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
  found.sort(([a], [b]) => b - a);
  const list = document.createElement("ul");
  for (const [, [path, title, section]] of found.slice(0, 12)) {
    const link = document.createElement("a");
    link.href = root + path;
    link.append(section || title);
    if (section) {
      const page = document.createElement("small");
      page.append(title);
      link.append(page);
    }
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  const count = document.createElement("p");
  count.append(
    found.length === 0
      ? `Nothing found for “${field.value.trim()}”.`
      : found.length === 1
      ? "1 result"
      : `${found.length} results`,
  );
  results.replaceChildren(count, list);
};

field.addEventListener("focus", load);
field.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  const links = [...results.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    results.hidden = true;
    field.focus();
  } else if (event.key === "ArrowDown" && links[at + 1]) {
    event.preventDefault();
    links[at + 1].focus();
  } else if (event.key === "ArrowUp" && at >= 0) {
    event.preventDefault();
    (links[at - 1] || field).focus();
  }
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) results.hidden = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement === document.body) {
    event.preventDefault();
    field.focus();
  }
});
