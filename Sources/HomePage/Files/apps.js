// The apps that may use a home.

import { menu, paint } from "./router.js";
import { fail, hub, isOpen, perform } from "./actions.js";
import { h } from "./dom.js";
import { t } from "./words.js";
import { row } from "./rows.js";

// MARK: Apps

let apps = null;

export const appsScreen = {
  tab: "settings",
  parent: "/settings",
  title: () => t("apps"),
  body() {
    if (!apps && isOpen()) {
      apps = [];
      hub.request("app.list").then((reply) => {
        apps = reply.apps;
        paint();
      }, (error) => {
        fail(error);
      });
    }
    const act = (method, id) =>
      perform(method, { id }).then(() => {
        apps = null;
        paint();
      });
    return [
      h("p", { class: "quiet" }, t("apps.text")),
      (apps ?? []).length === 0 && h("p", { class: "empty" }, t("apps.none")),
      h(
        "ul",
        { class: "list", role: "list" },
        (apps ?? []).map((app) =>
          row({
            key: app.id,
            symbol: "box",
            what: h("bdi", { dir: "ltr" }, app.id),
            sub: [t(app.isAllowed === false ? "apps.denied" : "apps.allowed"), app.purpose].filter(Boolean).join(" · "),
            onclick: (event) =>
              menu(event.currentTarget, [
                {
                  icon: "check",
                  label: t("apps.allow"),
                  action: () => act("app.allow", app.id),
                },
                { icon: "close", label: t("apps.deny"), action: () => act("app.deny", app.id) },
                { icon: "bin", label: t("apps.forget"), action: () => act("app.forget", app.id) },
              ]),
          })
        ),
      ),
    ];
  },
};
