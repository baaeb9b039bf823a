import { make } from "./elements.ts";
import type { Mark } from "./given.ts";

/** A comment, a text in quotes, a word of the language, or a number. */
const token =
  /(?<comment>#.*)|(?<quoted>"(?:\\.|[^"\\\n])*"?)|(?<word>\b(?:graph|given|at|seed|tangent|expect|note|units|ask|index|in|by|along|of|vjp|jvp|derivative|value|cotangent)\b)|(?<number>\b(?:0x[\da-f.]+p[+-]?\d+|\d[\d.]*(?:e[+-]?\d+)?|inf|nan)\b)/giu;

/** Draws a text in colours. What follows the last line break needs a character to be drawn. */
export function coloured(text: string): readonly (Node | string)[] {
  const drawn: (Node | string)[] = [];
  let from = 0;
  for (const found of text.matchAll(token)) {
    const kind = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined)?.[0] ?? "";
    drawn.push(text.slice(from, found.index), make("span", { class: kind }, found[0]));
    from = found.index + found[0].length;
  }
  return [...drawn, text.slice(from), "\n"];
}

/** Draws what is wrong with a text below it; the text itself is not seen. */
export function marked(text: string, marks: readonly Mark[]): readonly (Node | string)[] {
  const drawn: (Node | string)[] = [];
  let from = 0;
  for (const { start, end } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    // Something that is missing at the end of a line has a place there.
    const stop = Math.max(start + 1, end);
    const shown = text.slice(start, stop).replace(/\n.*/s, "");
    drawn.push(text.slice(from, start), make("mark", {}, shown === "" ? " " : shown));
    from = start + shown.length;
  }
  return [...drawn, text.slice(from), "\n"];
}
