// A code to scan, as the hub draws it: black on white in every look, with the light border that scanners need.

import { h } from "./dom.js";

export function symbol({ side, path }, label) {
  return h(
    "svg",
    {
      class: "symbol",
      viewBox: `-4 -4 ${side + 8} ${side + 8}`,
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    h("rect", { x: -4, y: -4, width: side + 8, height: side + 8, fill: "#fff" }),
    h("path", { d: path, fill: "#000" }),
  );
}
