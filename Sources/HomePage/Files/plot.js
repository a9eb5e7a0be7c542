// The last day and week of what a sensor measures: a curve, a sentence that says the same, and a table.

import { h } from "./dom.js";
import { clockTime, hubSeconds, momentWithin, t, weekdayName } from "./words.js";
import { request } from "./actions.js";
import { charName, valueWord } from "./chars.js";
import { paint } from "./router.js";

const SPANS = { day: 86_400_000, week: 7 * 86_400_000 };
let span = "day";

export function plot(thing, characteristic, once, segments) {
  const samples = once(`samples-${characteristic.key}-${span}`, async () => {
    const reply = await request("journal.samples", {
      accessory: thing.accessory.id,
      since: hubSeconds(new Date(Date.now() - SPANS[span])),
    });
    return reply.series.find((series) => series.iid === characteristic.iid) ?? { times: [], values: [] };
  });
  return h(
    "figure",
    { key: "plot", style: { "margin-block-start": "24px" } },
    segments(null, {
      key: "span",
      label: charName(characteristic.type, characteristic),
      chosen: span,
      options: ["day", "week"].map((each) => ({ value: each, label: t(`plot.${each}`) })),
      onchoose: (each) => {
        span = each;
        paint();
      },
    }),
    drawing(samples, characteristic),
  );
}

function drawing(samples, characteristic) {
  if (!samples) {
    return h(
      "p",
      { class: "quiet", role: "status" },
      samples === undefined ? t("e.journalUnavailable") : t("plot.wait"),
    );
  }
  const { times, values } = samples;
  if (times.length < 2) return h("p", { class: "quiet" }, t("plot.none"));
  const word = (value) => valueWord(characteristic.type, value, characteristic);
  const end = Date.now(), start = end - SPANS[span];
  const low = Math.min(...values), high = Math.max(...values);
  const pad = (high - low || 1) * 0.1;
  const x = (time) => ((time - start) / (end - start)) * 1000;
  const y = (value) => 200 - ((value - low + pad) / (high - low + 2 * pad)) * 200;
  const summary = t("plot.summary", {
    low: word(low),
    lowAt: momentWithin(new Date(times[values.indexOf(low)])),
    high: word(high),
    highAt: momentWithin(new Date(times[values.indexOf(high)])),
    now: word(values.at(-1)),
  });
  return [
    h(
      "div",
      { class: "plot-box" },
      h("div", { class: "scale", "aria-hidden": "true" }, h("span", null, word(high)), h("span", null, word(low))),
      h(
        "svg",
        { class: "plot", viewBox: "0 0 1000 200", preserveAspectRatio: "none", role: "img", "aria-label": summary },
        [20, 100, 180].map((at) => h("path", { class: "grid", d: `M0 ${at}H1000` })),
        h("path", { class: "curve", d: curve(thin(times, values), x, y) }),
      ),
    ),
    h("div", { class: "axis", "aria-hidden": "true" }, ticks(start, end).map((each) => h("span", null, each))),
    h("figcaption", { class: "small quiet" }, summary),
    h("details", null, h("summary", null, t("plot.table")), table(times, values, word)),
  ];
}

/** A step for each sample: between two samples nothing is known but the former. Gaps of over two hours stay open. */
function curve(points, x, y) {
  return points.map(([time, value], at) => {
    const gap = at > 0 && time - points[at - 1][0] > 2 * 3_600_000 && points.length > 20;
    return `${at === 0 || gap ? "M" : "L"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
  }).join("");
}

/** No more points than can be seen: of each bucket the lowest and the highest. */
function thin(times, values) {
  const points = times.map((time, at) => [time, values[at]]);
  if (points.length <= 600) return points;
  const size = Math.ceil(points.length / 300), kept = [];
  for (let at = 0; at < points.length; at += size) {
    const bucket = points.slice(at, at + size).sort((a, b) => a[1] - b[1]);
    kept.push(...[bucket[0], bucket.at(-1)].sort((a, b) => a[0] - b[0]));
  }
  return kept;
}

function ticks(start, end) {
  return [0, 1, 2, 3, 4].map((part) => {
    const date = new Date(start + ((end - start) * part) / 4);
    return span === "day" ? clockTime(date) : weekdayName(date.getDay() + 1, "short");
  });
}

/** Hours of the day, or days of the week: lowest and highest. */
function table(times, values, word) {
  const rows = new Map();
  times.forEach((time, at) => {
    const date = new Date(time);
    const key = span === "day"
      ? new Date(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours()).getTime()
      : new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
    const row = rows.get(key) ?? [Infinity, -Infinity];
    rows.set(key, [Math.min(row[0], values[at]), Math.max(row[1], values[at])]);
  });
  return h(
    "table",
    null,
    h(
      "thead",
      null,
      h("tr", null, ["time", "low", "high"].map((each) => h("th", { scope: "col" }, t(`plot.${each}`)))),
    ),
    h(
      "tbody",
      null,
      [...rows].map(([key, [low, high]]) =>
        h(
          "tr",
          { key },
          h("td", null, span === "day" ? clockTime(new Date(key)) : weekdayName(new Date(key).getDay() + 1)),
          h("td", null, word(low)),
          h("td", null, word(high)),
        )
      ),
    ),
  );
}
