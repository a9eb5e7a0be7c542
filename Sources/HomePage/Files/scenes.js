// Scenes: what they do, running them, making and changing them.

import { h, icon, name as bidi, uuid } from "./dom.js";
import { list, t } from "./words.js";
import { home, known, write } from "./model.js";
import { change, dangersOf, fail, hub, isOpen, performHere, runScene, say } from "./actions.js";
import { ask, back, failureText, go, menu, nameProblem, paint, place } from "./router.js";
import { iconSymbol, isActive, noHome, resolvedActions, sceneIcon } from "./home.js";
import { actionList, actionsLine, actionsOf, saveActions } from "./picker.js";
import { sentence } from "./sentence.js";

export const scenesScreen = {
  tab: "scenes",
  title: () => t("scenes"),
  tools: () =>
    home()?.canEdit &&
    h("a", { class: "round", href: place("/scene/new"), "aria-label": t("scene.add") }, icon("plus")),
  body() {
    const here = home();
    if (!here) return noHome();
    const scenes = here.scenes.filter((scene) => scene.actions.length || here.canEdit);
    return [
      h("p", { class: "quiet" }, t("scenes.text")),
      scenes.length === 0 && h("p", { class: "empty" }, icon("scenes"), t("scenes.none")),
      h("ul", { class: "list", role: "list" }, scenes.map((scene) => sceneRow(here, scene))),
    ];
  },
};

/** What a scene does, in one line. */
function line(here, scene) {
  if (!scene.actions.length) return t("scene.empty");
  const things = here.things.filter((thing) => actionsOf(scene.actions, thing).length);
  return list(
    things.map((thing) =>
      t("then.short", { name: thing.name, v: actionsLine(actionsOf(scene.actions, thing), thing) })
    ),
  );
}

function sceneRow(here, scene) {
  const active = isActive(here, scene);
  return h(
    "li",
    { key: scene.id, class: "row" },
    icon(sceneIcon(scene)),
    h(
      here.canEdit ? "a" : "span",
      {
        class: "grow",
        href: here.canEdit ? place(`/scene/${scene.id}`) : null,
        style: { color: "inherit", "text-decoration": "none" },
      },
      h("span", { class: "what" }, bidi(scene.name)),
      h("span", { class: "sub" }, active && `${t("scene.isOn")} · `, line(here, scene)),
    ),
    scene.actions.length > 0 &&
      h(
        "button",
        {
          class: "button",
          "aria-label": t("run.what", { name: scene.name }),
          disabled: !isOpen(),
          onclick: () => runScene(scene, resolvedActions(here, scene)),
        },
        icon("play", "small"),
        t("run"),
      ),
  );
}

export const sceneSheet = {
  view(match) {
    const isNew = match[1] === "new";
    const stored = isNew ? null : home()?.scene(match[1]);
    const draft = { name: stored?.name ?? "", actions: stored?.actions ?? [], problem: "", isBusy: false };
    const find = () => (isNew ? { id: null, name: "", actions: [], type: "userDefined" } : home()?.scene(match[1]));
    const body = () => {
      const scene = find();
      if (!scene) return null;
      // Nothing leads a guest here, but an address can be entered.
      if (!home().canEdit) return h("p", null, t("e.insufficientPrivileges"));
      return sceneForm(scene, draft, isNew);
    };
    return {
      title: () => (isNew ? t("scene.add") : bidi(find()?.name ?? "")),
      tools: () =>
        !isNew && find() &&
        [
          sceneStar(find()),
          find().type === "userDefined" && home().canEdit &&
          h("button", {
            class: "round",
            "aria-label": t("more"),
            "aria-haspopup": "true",
            onclick: (event) => sceneMenu(event.currentTarget, find()),
          }, icon("more")),
        ],
      body,
    };
  },
};

function sceneStar(scene) {
  const isFavorite = home().favorites.some((each) => each.scene?.id === scene.id);
  return h("button", {
    type: "button",
    class: `round ${isFavorite ? "starred" : ""}`,
    "aria-pressed": String(isFavorite),
    "aria-label": t("favorite"),
    onclick: () => performHere(isFavorite ? "favorite.remove" : "favorite.add", { favorite: { actionSet: scene.id } }),
  }, icon("star"));
}

/** The icons that the hub knows. */
const ICONS = [
  "house",
  "leave",
  "arrive",
  "sunrise",
  "sunset",
  "moon",
  "bed",
  "lamp",
  "book",
  "film",
  "music",
  "game",
  "dinner",
  "coffee",
  "party",
  "work",
  "clean",
  "bath",
  "garden",
  "plant",
  "fire",
  "snow",
  "fan",
  "lock",
  "shield",
  "car",
  "travel",
  "child",
  "pet",
  "heart",
  "star",
];

function iconChoice(scene) {
  return h(
    "details",
    { key: "icon" },
    h("summary", null, h("span", { class: "line" }, icon(sceneIcon(scene)), t("scene.icon"))),
    h(
      "div",
      { class: "swatches", role: "group", "aria-label": t("scene.icon") },
      ICONS.map((each, at) =>
        h("button", {
          type: "button",
          key: each,
          class: "round",
          "aria-label": t("scene.iconN", { n: at + 1 }),
          "aria-pressed": String(scene.icon === each),
          onclick: () => performHere("actionSet.setIcon", { id: scene.id, icon: scene.icon === each ? null : each }),
        }, icon(iconSymbol(each)))
      ),
    ),
  );
}

/** What actions set, however the hub wrote it down. */
const signature = (actions) =>
  actions.map((action) => `${action.id} ${JSON.stringify(action.write?.value)}`).sort().join();

function sceneForm(scene, draft, isNew) {
  const here = home();
  const isChanged = isNew || draft.name !== scene.name || signature(draft.actions) !== signature(scene.actions);
  const dangers = dangersOf(draft).map((action) => here.get(action.write.characteristic.accessory)?.name).filter(
    Boolean,
  );
  const automations = here.of("trigger").filter((trigger) => trigger.actionSets.includes(scene.id));
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        save(scene, draft, isNew);
      },
    },
    h(
      "div",
      { class: "field" },
      h("label", { for: "scene-name" }, t("name")),
      h("input", {
        id: "scene-name",
        type: "text",
        maxlength: "64",
        autocomplete: "off",
        value: draft.name,
        autofocus: isNew,
        "aria-invalid": draft.problem ? "true" : null,
        oninput: (event) => {
          draft.name = event.target.value;
          draft.problem = draft.name ? nameProblem(draft.name.trim()) : "";
          paint();
        },
      }),
      h("p", { class: "hint bad", role: "alert" }, draft.problem),
    ),
    !isNew && scene.actions.length > 0 && iconChoice(scene),
    h("h3", null, t("scene.sets")),
    actionList(draft.actions, (actions) => {
      draft.actions = actions;
      paint();
    }),
    dangers.length > 0 &&
      h(
        "p",
        { class: "small quiet", style: { "margin-block-start": "8px" } },
        t("scene.danger", { names: list(dangers) }),
      ),
    automations.length > 0 &&
      h(
        "p",
        { class: "small quiet", style: { "margin-block-start": "8px" } },
        t("scene.usedBy", { names: list(automations.map((each) => each.name)) }),
      ),
    h(
      "div",
      { class: "buttons end" },
      h("button", {
        type: "button",
        class: "button",
        disabled: !draft.actions.length || !isOpen(),
        onclick: () => tryOut(draft),
      }, t("scene.try")),
      h(
        "button",
        { type: "submit", class: "button main", disabled: !isChanged || draft.isBusy },
        isNew ? t("add") : t("save"),
      ),
    ),
  );
}

/** Sets what the scene would set, with a way back; nothing dangerous is done without asking. */
async function tryOut(draft) {
  const here = home();
  const dangers = dangersOf(draft);
  if (
    dangers.length &&
    !(await ask({
      title: t("scene.tryAsk"),
      text: t("scene.danger", {
        names: list(dangers.map((action) => here.get(action.write.characteristic.accessory)?.name)),
      }),
      action: t("run"),
    }))
  ) return;
  const actions = resolvedActions(here, draft);
  const former = actions.map((each) => ({ characteristic: each.characteristic, value: known(each.characteristic) }))
    .filter((each) => each.value !== undefined);
  const send = (writes) => hub.send("characteristic.write", { home: here.id, writes }, {});
  try {
    const { outcomes } = await write(
      actions.map((each) => ({ characteristic: each.characteristic, value: each.value })),
      send,
    );
    const failed = outcomes.filter((each) => each.error);
    if (failed.length) {
      fail(
        failed[0].error,
        list([...new Set(failed.map((each) => here.get(each.characteristic.accessory)?.name))]),
      );
    } else say(t("scene.tried"), () => write(former, send).catch(fail));
  } catch (error) {
    fail(error);
  }
}

async function save(scene, draft, isNew) {
  const name = draft.name.trim();
  draft.problem = nameProblem(name);
  if (draft.problem) return paint();
  draft.isBusy = true;
  paint();
  try {
    const id = scene.id ?? (await change("actionSet.add", { name, id: uuid() })).id;
    if (!isNew && name !== scene.name) await change("actionSet.rename", { id, name });
    await saveActions(change, id, scene.actions, draft.actions);
    say(t("saved", { name }));
    back("/scenes");
  } catch (error) {
    draft.problem = failureText(error);
  }
  draft.isBusy = false;
  paint();
}

function sceneMenu(button, scene) {
  const here = home();
  menu(button, [
    {
      icon: "bin",
      isDanger: true,
      label: t("scene.remove"),
      action: async () => {
        const automations = here.of("trigger").filter((trigger) => trigger.actionSets.includes(scene.id));
        if (
          !(await ask({
            title: t("remove.title", { name: scene.name }),
            text: automations.length
              ? [t("scene.removeUsed"), ...automations.map((each) => sentence(here, each))]
              : t("scene.removeText"),
            action: t("remove"),
          }))
        ) return;
        if (await performHere("actionSet.remove", { id: scene.id })) go(place("/scenes"), { replaces: true });
      },
    },
  ]);
}
