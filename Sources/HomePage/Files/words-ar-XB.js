// A made-up language that runs from right to left: it shows in tests what was laid out for one direction only.

import english from "./words-en.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const OTHERS = "ابثدهفغحيجكلمنوپقرستوفوخيز";

const turned = (text) =>
  text.replace(
    /\{\w+\}|[a-z]/gi,
    (part) => (part.length > 1 ? part : OTHERS[LETTERS.indexOf(part.toLowerCase())] ?? part),
  );

export const made = (texts) =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === "object"
        ? Object.fromEntries(Object.entries(text).map(([form, each]) => [form, turned(each)]))
        : turned(text),
    ]),
  );
export default made(english);
