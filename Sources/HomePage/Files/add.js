// Adding an accessory, step by step, and the first steps of a new home.

import { h, icon, name as bidi, toast, uuid } from "./dom.js";
import { has, t } from "./words.js";
import { askForm } from "./picker.js";
import { home, homeList, model, watch } from "./model.js";
import { category } from "./kinds.js";
import { change, fail, hub, isOpen, say, words } from "./actions.js";
import { back, go, nameProblem, paint, place } from "./router.js";
import { tiles } from "./tiles.js";
import { readPicture } from "./qr.js";

const FRAMES = 5; // looked at in a second

/** What a set-up has found out; one runs at a time in a page. */
let setup = null;
const found = new Map();
/** Accessories that are not in a network yet. */
const unconfigured = new Map();
watch("discovery", ({ found: one, lost, unconfigured: other, unconfiguredLost }) => {
  if (one) found.set(one.id, one);
  else if (other) unconfigured.set(other.id, other);
  else found.delete(lost) || unconfigured.delete(unconfiguredLost);
  paint();
});
/** Older hubs tell no progress; the questions then say how far it is. */
const STEPS = ["looking", "connecting", "pairing", "reading", "placing", "saving"];
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

export const addSheet = {
  view() {
    setup = {
      step: "code",
      code: "",
      payload: null,
      device: null,
      room: new URLSearchParams(location.search).get("room"),
      problem: "",
      question: null,
      ids: [],
      answers: {},
      tries: 0,
      usedCode: false,
      isScanning: false,
      done: [],
    };
    start();
    return { title: () => t("add.title"), body: () => setup && body(), onclose: stop };
  },
};

async function start() {
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

/** Leaving ends what is open: the question is declined, so that the hub does not wait for it. */
function stop() {
  endCamera();
  if (setup?.question) hub.request("question.decline", { id: setup.question.id }).catch(() => {});
  setup = null;
  hub.request("accessory.stopBrowsing").catch(() => {});
  hub.request("accessory.stopBrowsingUnconfigured").catch(() => {});
}

function body() {
  const { step } = setup;
  if (!home()) return h("p", { class: "empty" }, t("home.none"));
  if (step === "code") return codeStep();
  if (step === "choose") return chooseStep();
  if (step === "work") return workStep();
  if (step === "done") return doneStep();
  return null;
}

// MARK: The code

function codeStep() {
  const devices = [...found.values()];
  const free = devices.filter((each) => !each.isPaired), taken = devices.filter((each) => each.isPaired);
  return [
    h(
      "p",
      { class: "quiet", key: "text" },
      setup.device ? t("add.codeFor", { name: setup.device.name }) : t("add.code.text"),
    ),
    setup.isScanning && h("div", { class: "view", key: "view", raw: true, ref: startCamera }),
    h(
      "form",
      {
        key: "form",
        onsubmit: (event) => {
          event.preventDefault();
          useCode(event.currentTarget.elements.code.value);
        },
      },
      h(
        "div",
        { class: "field" },
        h("label", { for: "setup-code" }, t("add.code")),
        h("input", {
          id: "setup-code",
          name: "code",
          class: "code",
          type: "text",
          inputmode: "numeric",
          autocomplete: "off",
          maxlength: "24",
          placeholder: "000-00-000",
          value: setup.code,
          "aria-describedby": "code-hint",
          "aria-invalid": setup.problem ? "true" : null,
          oninput: typing,
        }),
        h(
          "p",
          { id: "code-hint", class: setup.problem ? "hint bad" : "hint", role: setup.problem ? "alert" : null },
          setup.problem || t("add.code.where"),
        ),
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "button main", type: "submit" }, t("next")),
        navigator.mediaDevices && !setup.isScanning && h(
          "button",
          {
            class: "button",
            type: "button",
            onclick: () => {
              setup.isScanning = true;
              paint();
            },
          },
          icon("scan"),
          t("add.scan"),
        ),
        h(
          "label",
          { class: "button", style: { cursor: "pointer" } },
          icon("camera"),
          t("add.photo"),
          h("input", {
            type: "file",
            accept: "image/*",
            capture: "environment",
            class: "unseen",
            onchange: (event) => usePhoto(event.target.files[0]),
          }),
        ),
      ),
    ),
    h(
      "div",
      { key: "near" },
      h("h3", null, t("add.near")),
      devices.length === 0 && h("p", { class: "quiet", role: "status" }, t("add.looking")),
      free.length > 0 && h(
        "ul",
        { class: "list", role: "list" },
        free.map((each) =>
          deviceRow(each, () => {
            setup.device = setup.device?.id === each.id ? null : each;
            paint();
            document.getElementById("setup-code")?.focus();
          })
        ),
      ),
      setup.device && found.has(setup.device.id) &&
        h(
          "button",
          {
            class: "button",
            key: "identify",
            style: { "margin-block-start": "8px" },
            onclick: () => identify(setup.device),
          },
          icon("search"),
          t("identify"),
        ),
      taken.length > 0 &&
        h(
          "details",
          null,
          h("summary", null, t("add.taken", { n: taken.length })),
          h("ul", { class: "list", role: "list" }, taken.map((each) => deviceRow(each, null))),
          h("p", { class: "small quiet" }, t("add.takenText")),
        ),
    ),
    unconfigured.size > 0 &&
    h(
      "div",
      { key: "wireless" },
      h("h3", null, t("wifi.title")),
      h("p", { class: "quiet" }, t("wifi.text")),
      h(
        "ul",
        { class: "list", role: "list" },
        [...unconfigured.values()].map((each) =>
          h(
            "li",
            { key: each.id },
            h(
              "button",
              { class: "row", onclick: () => join(each) },
              icon("router"),
              h(
                "span",
                { class: "grow" },
                h("span", { class: "what" }, bidi(each.name)),
                h("span", { class: "sub" }, bidi([each.manufacturer, each.model].filter(Boolean).join(" "))),
              ),
              icon("chevron", "go turns"),
            ),
          )
        ),
      ),
    ),
    h(
      "details",
      { key: "help" },
      h("summary", null, t("add.help")),
      h(
        "ul",
        { class: "quiet", style: { display: "grid", gap: "8px" } },
        [1, 2, 3, 4].map((each) => h("li", { key: each }, t(`add.help${each}`))),
      ),
    ),
  ];
}

function deviceRow(device, onclick) {
  const kind = category(device.category);
  const isChosen = setup.device?.id === device.id;
  return h(
    "li",
    { key: device.id },
    h(
      onclick ? "button" : "div",
      { class: "row", onclick, "aria-pressed": onclick ? String(isChosen) : null },
      icon(kind.icon),
      h(
        "span",
        { class: "grow" },
        h("span", { class: "what" }, bidi(device.name)),
        h(
          "span",
          { class: "sub" },
          onclick ? [kind.word, device.model && [" · ", bidi(device.model)]] : t("e.alreadyPaired"),
        ),
      ),
      isChosen && icon("check"),
    ),
  );
}

async function identify(device) {
  try {
    await hub.request("accessory.identifyDiscovered", { id: device.id });
    say(t("identified", { name: device.name }));
  } catch (error) {
    fail(error, device.name);
  }
}

/** Brings an accessory into the person's Wi-Fi network; then it can be added like any other. */
async function join(accessory) {
  const answer = await askForm(accessory.name, { network: "", passphrase: "" }, (state) => [
    h("p", { class: "quiet" }, t("wifi.warning")),
    h(
      "div",
      { class: "field", key: "network" },
      h("label", { for: "network" }, t("wifi.network")),
      h("input", {
        id: "network",
        type: "text",
        maxlength: "32",
        required: true,
        autofocus: true,
        autocomplete: "off",
        value: "",
        oninput: (event) => {
          state.network = event.target.value;
        },
      }),
    ),
    h(
      "div",
      { class: "field", key: "passphrase" },
      h("label", { for: "passphrase" }, t("wifi.passphrase")),
      h("input", {
        id: "passphrase",
        type: "password",
        maxlength: "64",
        autocomplete: "off",
        value: "",
        oninput: (event) => {
          state.passphrase = event.target.value;
        },
      }),
    ),
  ], t("wifi.join"));
  if (!answer || !setup) return;
  setup.problem = "";
  toast(t("wifi.working", { name: accessory.name }), { closeLabel: t("close") });
  try {
    const { deviceID, name } = await hub.perform("accessory.configure", {
      id: accessory.id,
      network: answer.network,
      passphrase: answer.passphrase,
    });
    if (!setup) return;
    setup.device = [...found.values()].find((each) => each.deviceID === deviceID) ??
      (deviceID ? { id: deviceID, deviceID, name } : null);
    say(t("wifi.done", { name }));
  } catch (error) {
    fail(error, accessory.name);
  }
  paint();
}

/** Dashes come by themselves, and the form is checked while typing. */
function typing(event) {
  const digits = event.target.value.replace(/\D/g, "").slice(0, 8);
  const shaped = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter(Boolean).join("-");
  if (!/^X-HM/i.test(event.target.value)) event.target.value = shaped;
  setup.code = event.target.value;
  if (setup.problem) {
    setup.problem = "";
    paint();
  }
}

function useCode(text) {
  const trimmed = text.trim();
  if (/^X-HM:\/\//i.test(trimmed)) return usePayload(trimmed.toUpperCase());
  const digits = trimmed.replace(/\D/g, "");
  if (digits.length !== 8) {
    setup.problem = t("e.invalidSetupCode");
    return paint();
  }
  setup.code = `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
  setup.payload = null;
  const free = [...found.values()].filter((each) => !each.isPaired);
  if (!setup.device && free.length === 1) setup.device = free[0];
  if (!setup.device && free.length > 1) {
    setup.step = "choose";
    return paint();
  }
  run();
}

function usePayload(text) {
  endCamera();
  if (/^MT:/i.test(text)) {
    setup.problem = t("add.matter");
    setup.isScanning = false;
    return paint();
  }
  if (!/^X-HM:\/\//i.test(text)) {
    setup.problem = t("e.invalidSetupPayload");
    setup.isScanning = false;
    return paint();
  }
  setup.payload = text;
  setup.isScanning = false;
  run();
}

async function usePhoto(file) {
  if (!file) return;
  try {
    const picture = await createImageBitmap(file);
    const text = await readPicture(picture, picture.width, picture.height);
    picture.close();
    if (text === null) {
      setup.problem = t("add.noCode");
      return paint();
    }
    usePayload(text);
  } catch {
    setup.problem = t("add.noPicture");
    paint();
  }
}

// MARK: The camera

let camera = null;

async function startCamera(box) {
  if (camera) return;
  camera = { stream: null, timer: 0 };
  try {
    camera.stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1280 } },
    });
  } catch {
    camera = null;
    if (!setup) return;
    setup.isScanning = false;
    setup.problem = t("add.noCamera");
    return paint();
  }
  if (!setup) return endCamera();
  const video = document.createElement("video");
  Object.assign(video, { muted: true, playsInline: true, srcObject: camera.stream });
  video.setAttribute("aria-label", t("add.view"));
  box.append(video);
  await video.play().catch(() => {});
  camera.timer = setInterval(() => look(video), 1000 / FRAMES);
}

async function look(video) {
  if (!camera || camera.isBusy || !video.videoWidth) return;
  camera.isBusy = true;
  const text = await readPicture(video, video.videoWidth, video.videoHeight).catch(() => null);
  if (camera) camera.isBusy = false;
  if (text !== null && setup?.isScanning) usePayload(text);
}

function endCamera() {
  if (!camera) return;
  clearInterval(camera.timer);
  for (const track of camera.stream?.getTracks() ?? []) track.stop();
  camera = null;
}

// MARK: Choosing, waiting, answering

function chooseStep() {
  const free = [...found.values()].filter((each) => !each.isPaired);
  return [
    h("p", { class: "quiet" }, t("add.which")),
    h(
      "ul",
      { class: "list", role: "list" },
      free.map((each) =>
        deviceRow(each, () => {
          setup.device = each;
          run();
        })
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", {
        class: "button",
        onclick: () => {
          setup.step = "code";
          paint();
        },
      }, t("back")),
    ),
  ];
}

async function run() {
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

async function answer(question, body) {
  try {
    await hub.request("question.answer", { id: question.id, ...body });
  } catch (error) {
    if (!setup) return;
    setup.question = question;
    setup.problem = words(error);
  }
  paint();
}

function workStep() {
  const { question, failure } = setup;
  if (failure) return failureStep(failure);
  if (question?.kind === "accessoryDetails") return detailsStep(question);
  if (question?.kind === "uncertifiedAccessory") {
    return [
      h("p", null, t("add.uncertified")),
      h(
        "div",
        { class: "buttons" },
        question.fields[0].choices.map((choice) =>
          h("button", {
            class: "button",
            key: choice.value,
            onclick: () => {
              setup.question = null;
              answer(question, { answer: choice.value });
            },
          }, has(`add.choice.${choice.value}`) ? t(`add.choice.${choice.value}`) : choice.label)
        ),
      ),
    ];
  }
  if (question?.kind === "setupCode") return codeQuestion(question);
  if (question) {
    return h(
      "ul",
      { class: "list", role: "list" },
      question.fields[0].choices.map((choice) =>
        h(
          "li",
          { key: choice.value },
          h(
            "button",
            {
              class: "row",
              onclick: () => {
                setup.question = null;
                answer(question, { answer: choice.value });
                paint();
              },
            },
            icon(choice.value === "again" ? "undo" : "box"),
            h("span", { class: "grow what" }, choice.value === "again" ? t("add.lookAgain") : bidi(choice.label)),
          ),
        )
      ),
    );
  }
  const isSlow = Date.now() - setup.started > 5000;
  const at = STEPS.indexOf(setup.progress?.step);
  const done = at < 0 ? setup.done : ["found", "code", "place"].filter((_, index) => at > [1, 2, 4][index]);
  return [
    h(
      "ul",
      { class: "steps", role: "list" },
      ["found", "code", "place"].map((step) => {
        const isDone = done.includes(step);
        return h(
          "li",
          { key: step, class: isDone ? "done" : "" },
          icon(isDone ? "check" : "automation"),
          h("span", null, t(`add.step.${step}`)),
        );
      }),
    ),
    h(
      "p",
      { class: "quiet", role: "status" },
      at < 0 ? t(isSlow ? "add.slow" : "add.working") : [progressText(), isSlow && at < 4 && [" ", t("add.slow")]],
    ),
  ];
}

/** What the hub does now. */
function progressText() {
  const { step, accessory } = setup.progress;
  return t(has(`add.at.${step}`) ? `add.at.${step}` : "add.working", {
    name: accessory ?? setup.device?.name ?? t("k.custom"),
  });
}

function codeQuestion(question) {
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        const text = event.currentTarget.elements.code.value;
        setup.code = text;
        setup.usedCode = true;
        setup.question = null;
        setup.problem = "";
        answer(question, { answer: text });
      },
    },
    h(
      "div",
      { class: "field" },
      h("label", { for: "again-code" }, t("add.code")),
      h("input", {
        id: "again-code",
        name: "code",
        class: "code",
        type: "text",
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: "24",
        value: setup.code,
        "aria-describedby": "again-hint",
        "aria-invalid": setup.problem ? "true" : null,
        oninput: typing,
      }),
      h(
        "p",
        { id: "again-hint", class: setup.problem ? "hint bad" : "hint", role: "alert" },
        setup.problem || t("add.code.where"),
      ),
    ),
    h("div", { class: "buttons" }, h("button", { class: "button main", type: "submit" }, t("next"))),
  );
}

/** The step that failed, with all else filled in. */
function failureStep(error) {
  const code = error.code;
  return [
    h(
      "div",
      { class: "card" },
      h("h3", { style: { margin: "0" } }, words(error)),
      has(`add.do.${code}`) && h("p", { class: "quiet" }, t(`add.do.${code}`)),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button main", onclick: run }, t("again")),
      h("button", {
        class: "button",
        onclick: () => {
          Object.assign(setup, {
            step: "code",
            failure: null,
            payload: null,
            device: code === "wrongSetupCode" ? setup.device : null,
          });
          paint();
        },
      }, t("back")),
    ),
  ];
}

// MARK: Name and room

function detailsStep(question) {
  const accessories = new Map();
  for (const field of question.fields) {
    const [aid, ...rest] = field.id.split(".");
    if (!accessories.has(aid)) accessories.set(aid, []);
    accessories.get(aid).push({ ...field, part: rest.at(-1), isService: rest.length > 1 });
  }
  const rooms = question.fields.find((field) => field.id.endsWith(".room"));
  const set = (id, value) => {
    setup.answers[id] = value;
    setup.problem = "";
  };
  const submit = (event) => {
    event.preventDefault();
    const bad = question.fields.find((field) =>
      field.id.endsWith(".name") && nameProblem((setup.answers[field.id] ?? "").trim())
    );
    if (bad) {
      setup.problem = nameProblem(setup.answers[bad.id].trim());
      return paint();
    }
    setup.question = null;
    setup.done = ["found", "code", "place"];
    paint();
    answer(question, { answers: setup.answers });
  };
  return h(
    "form",
    { onsubmit: submit },
    h("p", { class: "quiet" }, t("add.details")),
    accessories.size > 1 && rooms &&
      select("all-rooms", t("add.allRooms"), [{ value: "", label: t("none") }, ...rooms.choices], "", (value) => {
        if (value) {
          for (const field of question.fields) if (field.id.endsWith(".room")) setup.answers[field.id] = value;
        }
        paint();
      }),
    [...accessories].map(([aid, fields]) =>
      h(
        "fieldset",
        { key: aid, style: { border: "0", padding: "0", margin: "16px 0 0" } },
        fields.map((field) => formField(field, set, accessories.size > 1)),
      )
    ),
    h("p", { role: "alert", style: { color: "var(--alarm)" } }, setup.problem),
    h("div", { class: "buttons end" }, h("button", { class: "button main", type: "submit" }, t("add"))),
  );
}

function formField(field, set) {
  const id = `f-${field.id}`;
  const label = field.part === "room"
    ? t("room")
    : field.part === "type"
    ? t("associate")
    : field.part === "favorite"
    ? t("favorite")
    : t("name");
  const service = field.isService && field.subject ? serviceName(field.subject) : null;
  if (field.part === "favorite") {
    const [yes, no] = ["yes", "no"].map((word) => field.choices.find((choice) => choice.value === word)?.value ?? word);
    return h(
      "label",
      { class: "check", key: id },
      h("input", {
        type: "checkbox",
        checked: setup.answers[field.id] === yes,
        onchange: (event) => {
          set(field.id, event.target.checked ? yes : no);
          paint();
        },
      }),
      h("span", null, service ? t("then.short", { name: service, v: label }) : label),
    );
  }
  if (!field.choices.length) {
    return h(
      "div",
      { class: "field", key: id },
      h("label", { for: id }, service ? t("then.short", { name: service, v: label }) : label),
      h("input", {
        id,
        type: "text",
        maxlength: "64",
        autocomplete: "off",
        value: setup.answers[field.id],
        oninput: (event) => set(field.id, event.target.value),
      }),
    );
  }
  const choices = field.part === "room"
    ? field.choices.map((
      choice,
    ) => (choice.value === home()?.defaultRoom ? { ...choice, label: t("room.default") } : choice))
    : field.choices;
  return select(id, label, choices, setup.answers[field.id], (value) => {
    set(field.id, value);
    paint();
  });
}

/** The kind of a service that a form asks about, as people call it. */
const serviceName = ({ kind }) => (kind && has(`k.${kind}`) ? t(`k.${kind}`) : null);

function select(id, label, choices, value, onchange) {
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h(
      "select",
      { id, value, onchange: (event) => onchange(event.target.value) },
      choices.map((choice) => h("option", { key: choice.value, value: choice.value }, choice.label)),
    ),
  );
}

function doneStep() {
  const here = home();
  const things = setup.ids.flatMap((id) => here.thingsOf(id));
  return [
    h(
      "p",
      { class: "headline" },
      h("span", { class: "disc on d-safe" }, icon("check")),
      h("span", null, t("add.done")),
    ),
    things.length > 0 && [h("h3", null, t("add.try")), tiles(things, { withPlace: true, label: t("add.try") })],
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button main", onclick: () => back("/") }, t("done")),
      h("button", {
        class: "button",
        onclick: () => {
          const { room } = setup;
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
          paint();
        },
      }, t("add.another")),
    ),
  ];
}

// MARK: First run

let first = { step: "home", rooms: new Set(), isBusy: false, problem: "" };

export const startScreen = {
  view: true,
  title: () => t("start.title"),
  parent: "/",
  body() {
    if (first.step === "rooms" && home()) return roomsStep();
    return h(
      "form",
      { style: { "max-width": "30rem" }, onsubmit: makeHome },
      h("p", { class: "quiet" }, t("start.home")),
      h(
        "div",
        { class: "field" },
        h("label", { for: "home-name" }, t("name")),
        h("input", {
          id: "home-name",
          name: "name",
          type: "text",
          maxlength: "64",
          autocomplete: "off",
          value: homeList().length ? "" : t("home.first"),
          "aria-invalid": first.problem ? "true" : null,
        }),
        h("p", { class: "hint bad", role: "alert" }, first.problem),
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "button main", type: "submit", disabled: first.isBusy || !isOpen() }, t("next")),
      ),
    );
  },
};

async function makeHome(event) {
  event.preventDefault();
  const name = event.currentTarget.elements.name.value.trim();
  first.problem = nameProblem(name);
  if (!first.problem) {
    try {
      const { id } = await hub.perform("home.add", { name });
      model.homeID = id;
      first = { step: "rooms", rooms: new Set(), isBusy: false, problem: "" };
    } catch (error) {
      first.problem = words(error);
    }
  }
  paint();
}

function roomsStep() {
  const names = t("room.suggestions").split(", ");
  return h(
    "div",
    { style: { "max-width": "40rem" } },
    h("p", { class: "quiet" }, t("start.rooms")),
    h(
      "div",
      { class: "chips" },
      names.map((name) =>
        h("button", {
          key: name,
          class: "chip",
          "aria-pressed": String(first.rooms.has(name)),
          onclick: () => {
            if (first.rooms.has(name)) first.rooms.delete(name);
            else first.rooms.add(name);
            paint();
          },
        }, name)
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", {
        class: "button main",
        disabled: first.isBusy,
        onclick: async () => {
          first.isBusy = true;
          try {
            for (const name of first.rooms) await change("room.add", { name });
          } catch (error) {
            fail(error);
          }
          first = { step: "home", rooms: new Set(), isBusy: false, problem: "" };
          go(place("/add"));
        },
      }, t("start.accessory")),
      h("a", { class: "button", href: place("/") }, t("later")),
    ),
  );
}
