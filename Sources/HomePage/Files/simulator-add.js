// More accessories for the simulator.

import { h, icon, name as bidi } from "./dom.js";
import { details, load, simulator } from "./simulator-state.js";
import { fail, words } from "./actions.js";
import { t } from "./words.js";
import { openSheet } from "./router.js";

// MARK: More accessories

/** Built-in accessories, or a file. Two accessories cannot have one serial number. */
export function addAccessory() {
  let library = null, problem = "";
  const add = async (file) => {
    try {
      const serials = new Set(details.keys());
      let serialNumber = file.serialNumber;
      for (let at = 2; serials.has(serialNumber); at++) serialNumber = `${file.serialNumber}-${at}`;
      const isSecond = serialNumber !== file.serialNumber;
      const count = [...serials].filter((each) => each.startsWith(`${file.serialNumber}-`)).length + 2;
      await simulator.request("accessory.add", {
        accessory: { ...file, serialNumber, ...(isSecond ? { name: `${file.name} ${count}` } : {}) },
      });
      sheet.close();
      await load();
    } catch (error) {
      problem = words(error);
      sheet.paint();
    }
  };
  const addFile = async (blob) => {
    try {
      await add(JSON.parse(await blob.text()));
    } catch {
      problem = t("sim.badFile");
      sheet.paint();
    }
  };
  const sheet = openSheet({
    title: () => t("sim.add"),
    body: () => [
      h("p", { class: "hint bad", role: "alert", key: "problem" }, problem),
      h(
        "div",
        { class: "buttons", key: "file" },
        h(
          "label",
          { class: "button", style: { cursor: "pointer" } },
          icon("box"),
          t("sim.file"),
          h("input", {
            type: "file",
            accept: ".json",
            class: "unseen",
            onchange: (event) => event.target.files[0] && addFile(event.target.files[0]),
          }),
        ),
      ),
      h("h3", { key: "title" }, t("sim.library")),
      !library && h("p", { class: "quiet", role: "status", key: "wait" }, t("loading")),
      library && h(
        "ul",
        { class: "list", role: "list", key: "list" },
        library.map((each) =>
          h(
            "li",
            { key: each.name },
            h(
              "button",
              {
                class: "row",
                onclick: () =>
                  simulator.request("library.show", { name: each.name }).then(
                    ({ file }) => add(JSON.parse(file)),
                    fail,
                  ),
              },
              icon("plus"),
              h("span", { class: "grow" }, h("span", { class: "what" }, bidi(each.title))),
            ),
          )
        ),
      ),
    ],
  });
  simulator.request("library.list").then((reply) => {
    library = reply.accessories;
  }, (error) => {
    library = [];
    problem = words(error);
  }).finally(() => sheet.paint());
}
