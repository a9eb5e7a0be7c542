// A made-up language with accents, longer by two fifths: it shows in tests what was not translated or has no room.

import english from "./words-en.js";

const ACCENTS = { a: "á", e: "ë", i: "î", o: "ø", u: "ü", c: "ç", n: "ñ", y: "ý", A: "Å", E: "É", O: "Ö", S: "Š" };

function stretched(text) {
  const accented = text.replace(/\{\w+\}|\w/g, (part) => (part.length > 1 ? part : ACCENTS[part] ?? part));
  const letters = text.replace(/\{\w+\}/g, "").length;
  return letters > 3 && !text.includes(", ")
    ? `${accented}${" ~~~~~".repeat(Math.ceil((letters * 0.4) / 6)).slice(0, Math.max(2, Math.round(letters * 0.4)))}`
    : accented;
}

export const made = (texts) =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === "object"
        ? Object.fromEntries(Object.entries(text).map(([form, each]) => [form, stretched(each)]))
        : stretched(text),
    ]),
  );
export default made(english);
