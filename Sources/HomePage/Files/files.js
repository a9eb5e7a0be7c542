// What leaves the hub as a file and comes back as one: backups, exports and imports.

import { h, icon, name as bidi } from "./dom.js";
import { has, t } from "./words.js";
import { home } from "./model.js";
import { fail, hub, words } from "./actions.js";
import { openSheet, paint } from "./router.js";

function offer({ blob, name }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function exportHome() {
  try {
    offer(await hub.download("/export", { home: home().id }));
  } catch (error) {
    fail(error);
  }
}

/**
 * A backup has everything, with the keys of the accessories: it is locked by a passphrase that the hub does not keep.
 */
export function backUp() {
  const given = { one: "", two: "" };
  let problem = "", isBusy = false, isDone = false;
  const submit = async (event) => {
    event.preventDefault();
    problem = given.one.length < 8 ? t("backup.short") : given.one !== given.two ? t("backup.differ") : "";
    if (problem) return sheet.paint();
    isBusy = true;
    sheet.paint();
    try {
      offer(await hub.download("/backup", { passphrase: given.one }));
      isDone = true;
    } catch (error) {
      problem = words(error);
    }
    isBusy = false;
    sheet.paint();
  };
  const field = (key) =>
    h(
      "div",
      { class: "field", key },
      h("label", { for: `pass-${key}` }, t(`backup.${key}`)),
      h("input", {
        id: `pass-${key}`,
        type: "password",
        autocomplete: "new-password",
        required: true,
        value: given[key],
        autofocus: key === "one",
        oninput: (event) => {
          given[key] = event.target.value;
        },
      }),
    );
  const sheet = openSheet({
    title: () => t("backup"),
    body: () => (isDone
      ? [
        h("p", null, t("backup.done")),
        h("code", { class: "command" }, "hearth restore"),
        h(
          "div",
          { class: "buttons end" },
          h("button", { class: "button main", onclick: () => sheet.close() }, t("done")),
        ),
      ]
      : h(
        "form",
        { onsubmit: submit },
        h("p", { class: "quiet" }, t("backup.text")),
        field("one"),
        field("two"),
        h("p", { class: "hint bad", role: "alert" }, problem),
        h(
          "div",
          { class: "buttons end" },
          h(
            "button",
            { type: "submit", class: "button main", disabled: isBusy },
            isBusy ? t("backup.wait") : t("backup.make"),
          ),
        ),
      )),
  });
}

/** An import is shown as it would be before anything changes. */
export function importHome() {
  let file = null, report = null, problem = "", isBusy = false, isDone = false;
  const send = async (isDryRun) => {
    isBusy = true;
    problem = "";
    sheet.paint();
    try {
      report = await hub.upload(`/import?dryRun=${isDryRun}`, "application/jsonl", file);
      isDone = !isDryRun;
    } catch (error) {
      problem = words(error);
      report = null;
    }
    isBusy = false;
    sheet.paint();
    paint();
  };
  const sheet = openSheet({
    title: () => t("import"),
    body: () => [
      !isDone && h("p", { class: "quiet", key: "text" }, t("import.text")),
      !isDone &&
      h(
        "div",
        { class: "buttons", key: "file" },
        h(
          "label",
          { class: "button", style: { cursor: "pointer" } },
          icon("box"),
          t("import.choose"),
          h("input", {
            type: "file",
            accept: ".jsonl",
            class: "unseen",
            onchange: (event) => {
              file = event.target.files[0];
              if (file) send(true);
            },
          }),
        ),
      ),
      h("p", { class: "hint bad", role: "alert", key: "problem" }, problem),
      isBusy && h("p", { class: "quiet", role: "status", key: "busy" }, t("loading")),
      report &&
      h("div", { key: "report" }, isDone && h("p", { role: "status" }, t("import.done")), report.homes.map(homeReport)),
      report && h(
        "div",
        { class: "buttons end", key: "buttons" },
        isDone ? h("button", { class: "button main", onclick: () => sheet.close() }, t("done")) : h("button", {
          class: "button main",
          disabled: isBusy || !changes(report),
          onclick: () => send(false),
        }, t("import.do")),
      ),
    ],
  });
}

const changes = (report) =>
  report.homes.some((each) =>
    each.isNew || each.items.some((item) => ["added", "changed", "replaced"].includes(item.fate))
  );

function homeReport(each) {
  return h(
    "section",
    { key: each.name },
    h("h3", null, bidi(each.name)),
    h("p", { class: "small quiet" }, t(each.isNew ? "import.new" : "import.same", { n: each.unchanged })),
    h(
      "ul",
      { class: "list", role: "list" },
      each.items.map((item, at) =>
        h(
          "li",
          { key: at, class: "row" },
          icon(
            { added: "plus", changed: "edit", replaced: "edit", notHere: "link-off", leftOut: "close" }[item.fate] ??
              "minus",
          ),
          h(
            "span",
            { class: "grow" },
            h("span", { class: "what" }, bidi(item.name ?? "")),
            h(
              "span",
              { class: "sub" },
              has(`fate.${item.fate}`) ? t(`fate.${item.fate}`) : item.fate,
              item.remarks?.length > 0 && h("span", { lang: "en" }, ` · ${item.remarks.join(" ")}`),
            ),
          ),
        )
      ),
    ),
  );
}
