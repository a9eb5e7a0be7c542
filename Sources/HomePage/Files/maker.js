// One maker's own page: its accessories only, each service a tile, with the maker's own properties in the detail.

import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { home } from "./model.js";
import { tiles } from "./tiles.js";

const folded = (text) => (text ?? "").toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

export const makerScreen = {
  title: (match) => things(match)[0]?.accessory.information?.manufacturer ?? decodeURIComponent(match[1]),
  parent: "/",
  body(match) {
    const shown = things(match);
    return shown.length
      ? tiles(shown, { withPlace: true })
      : h("p", { class: "empty" }, icon("box"), t("maker.none", { name: decodeURIComponent(match[1]) }));
  },
};

/** The maker's name in the address need not be written as the accessories write it. */
function things(match) {
  const wanted = folded(decodeURIComponent(match[1]));
  return (home()?.things ?? []).filter((thing) => folded(thing.accessory.information?.manufacturer).startsWith(wanted));
}
