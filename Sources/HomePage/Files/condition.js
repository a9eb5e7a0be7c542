// The condition of an automation while it is edited: terms that must all be true, or one of which must be, and such groups
// within each other.

import { h } from "./dom.js";
import { t } from "./words.js";
import { paint } from "./router.js";
import { askForm, chooseOne } from "./picker.js";
import { askNumber, askPeople, askState, timeOf } from "./automation-parts.js";
import { conditionText, DARK, LIGHT, simplified } from "./sentence.js";

const kindOf = (term) => (term?.all ? "all" : term?.any ? "any" : null);
const other = (kind) => (kind === "all" ? "any" : "all");

/** A group of what is left: none, the only term, or several; a group within one of its own kind joins it. */
function group(kind, terms) {
  const flat = terms.flatMap((term) => term?.[kind] ?? term ?? []);
  return flat.length > 1 ? { [kind]: flat } : flat[0] ?? null;
}

/** The condition with the term at a place replaced, or removed. */
function replaced(condition, [at, ...rest], term) {
  if (at === undefined) return term;
  const kind = kindOf(condition);
  const terms = condition[kind].map((each, index) => (index === at ? replaced(each, rest, term) : each));
  return group(kind, terms);
}

/** The condition with another term in the group at a place. */
function extended(condition, [at, ...rest], kind, term) {
  if (at === undefined) return group(kind, [condition, term]);
  const own = kindOf(condition);
  return group(own, condition[own].map((each, index) => (index === at ? extended(each, rest, kind, term) : each)));
}

/** The condition as a sentence of buttons. */
export function conditionButtons(here, draft) {
  const condition = simplified(draft.condition);
  const change = (next) => {
    draft.condition = next;
    paint();
  };
  const add = async (path, kind) => {
    const term = await askTerm(here);
    if (term) change(extended(condition, path, kind, term));
  };
  const edit = async (term, path, kind) => {
    const answer = await askTerm(here, { kind });
    if (answer === "remove") change(replaced(condition, path, null));
    else if (answer === "opposite") change(replaced(condition, path, term.not ?? { not: term }));
    else if (answer === "more") add(path, other(kind));
    else if (answer) change(replaced(condition, path, answer));
  };
  const button = (label, onclick) => h("button", { type: "button", onclick }, label);
  const shown = (term, path, kind) => {
    const inner = kindOf(term);
    if (!inner) return button(conditionText(here, term), () => edit(term, path, kind));
    return h(
      "span",
      { class: "terms", role: "group", "aria-label": conditionText(here, term) },
      term[inner].map((
        each,
        at,
      ) => [at > 0 && ` ${t(inner === "all" ? "and" : "or")} `, shown(each, [...path, at], inner)]),
      " ",
      button(t(inner === "all" ? "auto.andIf" : "auto.orIf"), () => add(path, inner)),
    );
  };
  const top = condition?.all ?? (condition ? [condition] : []);
  return [
    top.map((term, at) => [at > 0 && ` ${t("and")} `, shown(term, condition.all ? [at] : [], "all")]),
    " ",
    button(t(top.length ? "auto.andIf" : "auto.always"), () => add([], "all")),
  ];
}

/** Asks for a term; of one that is there, also what else can be done with it: `group` is the kind of its group. */
async function askTerm(here, existing) {
  const kind = await chooseOne(t("auto.partIf"), [
    { key: "dark", value: "dark", icon: "moon", label: t("if.dark") },
    { key: "light", value: "light", icon: "sun", label: t("if.light") },
    { key: "between", value: "between", icon: "automation", label: t("pick.between") },
    { key: "people", value: "people", icon: "person", label: t("pick.home") },
    { key: "thing", value: "thing", icon: "power", label: t("pick.state") },
    { key: "number", value: "number", icon: "thermometer", label: t("pick.numberIs") },
    existing && {
      key: "more",
      value: "more",
      icon: "plus",
      label: t(existing.kind === "all" ? "pick.or" : "pick.and"),
    },
    existing && { key: "opposite", value: "opposite", icon: "undo", label: t("pick.opposite") },
    existing && { key: "remove", value: "remove", icon: "bin", label: t("remove") },
  ]);
  return TERMS[kind] ? TERMS[kind](here) : kind;
}

const TERMS = {
  dark: () => DARK,
  light: () => LIGHT,
  async people(here) {
    const presence = await askPeople(here, true);
    return presence && { presence };
  },
  async thing() {
    const found = await askState(false);
    return found && { characteristic: { characteristic: found.characteristic, is: "equal", value: found.value } };
  },
  async number() {
    const found = await askNumber();
    if (!found) return null;
    const { characteristic, value } = found;
    return { characteristic: { characteristic, is: found.is === "above" ? "greater" : "less", value } };
  },
  async between() {
    const answer = await askForm(
      t("pick.between"),
      { from: "22:00", to: "06:00" },
      (state) => ["from", "to"].map((key) => timeOfDay(key, state)),
    );
    return answer && { betweenCalendar: { from: timeOf(answer.from), to: timeOf(answer.to) } };
  },
};

function timeOfDay(key, state) {
  const id = `time-${key}`;
  const oninput = (event) => {
    state[key] = event.target.value;
  };
  return h(
    "div",
    { class: "field", key },
    h("label", { for: id }, t(id.replace("-", "."))),
    h("input", { id, type: "time", value: state[key], required: true, oninput }),
  );
}
