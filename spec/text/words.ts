import { type Shape, visibleJson } from "../shapes/index.ts";
import type { ComponentSet, FlatTensor } from "../wire/index.ts";

/** Lines that are written have at most so many columns, where a break is possible. */
export const WIDTH = 100;

/**
 * What stands in braces takes lines of its own where one line, with the value's name, would have more
 * columns.
 */
export const BRACES_WIDTH: number = WIDTH - 12;

/** Words that stand between the parts of a line, and numbers and truth values that are words. */
const reserved: ReadonlySet<string> = new Set(
  "in index given of by at along call most inf nan true false hull one_of full".split(" "),
);

/** Writes a name: as it is where it can be told from all else, or in quotes. */
export function nameText(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name) && !reserved.has(name);
  return isPlain ? name : quotedText(name);
}

/** Writes any text in quotes, with what is not seen as `\u202e`. */
export function quotedText(text: string): string {
  return visibleJson(text, 0);
}

/** Writes a name of a program, where `%3` is a name like any other. */
export function programNameText(name: string): string {
  return /^%[A-Za-z0-9_]+$/.test(name) ? name : nameText(name);
}

/** Writes a shape: `[2, 3]`. */
export function shapeText(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

/** Writes the shortest decimal that denotes a float, or its name. */
export function numberText(x: number): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x < 0 ? "-inf" : "inf";
  return Object.is(x, -0) ? "-0" : String(x);
}

/** Writes the JSON of an attribute. */
export function attributeText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(attributeText).join(", ")}]`;
  if (typeof value === "number") return numberText(value);
  return typeof value === "string" ? nameText(value) : JSON.stringify(value);
}

/** Writes a tensor's elements in brackets, or one for all of them where they are the same. */
export function tensorText({ shape, data }: FlatTensor): string {
  return nested(shape, Array.from(data, numberText));
}

/** Writes the sets of a tensor's elements likewise. */
export function setsText(shape: Shape, sets: readonly ComponentSet[]): string {
  return nested(shape, sets.map(setText));
}

/** Writes a tensor so that its shape shows: `[[1, 2]]`, `full([0, 3], 0)`. */
export function shapedText({ shape, data }: FlatTensor): string {
  const text = nested(shape, Array.from(data, numberText));
  const isUniform = !text.startsWith("[") || data.length === 0;
  return isUniform ? `full(${shapeText(shape)}, ${data.length === 0 ? "0" : text})` : text;
}

function nested(shape: Shape, leaves: readonly string[]): string {
  const [first = "[]"] = leaves;
  if (leaves.length === 0 || leaves.every((leaf) => leaf === first)) return first;
  let parts = leaves;
  for (const extent of shape.toReversed()) {
    const count = parts.length / extent;
    parts = Array.from(
      { length: count },
      (_, i) => `[${parts.slice(i * extent, (i + 1) * extent).join(", ")}]`,
    );
  }
  return parts.join(", ");
}

function setText(set: ComponentSet): string {
  switch (set.kind) {
    case "exact":
      return set.value;
    case "enclosure":
      return `${set.low}..${set.high}`;
    case "undecided":
      return "?";
    case "one_of":
      return set.members.length < 2
        ? `one_of(${set.members.map(setText).join(", ")})`
        : set.members.map(setText).join(" | ");
    case "hull":
      return `hull(${set.members.map(setText).join(", ")})`;
    default:
      return set.kind;
  }
}

/** Texts in quotes, and the signs of which each is one place of a line. */
const PIECES = /"(?:[^"\\]|\\.)*"|[^"]/gu;

/** A place behind a comma, where a line may be folded, and how many brackets are open there. */
interface Break {
  readonly at: number;
  readonly depth: number;
}

/**
 * Folds lines behind commas that brackets hold together, preferably where few brackets are open, and indents
 * their further parts. Cost: linear.
 */
export function folded(lines: string): string {
  if (lines.length <= WIDTH) return lines;
  let open = 0;
  const all: string[] = [];
  for (const line of lines.split("\n")) {
    const breaks: Break[] = [];
    for (const { 0: sign, index } of line.matchAll(PIECES)) {
      if ("([{".includes(sign)) open += 1;
      if (")]}".includes(sign)) open -= 1;
      if (sign === "," && open > 0) breaks.push({ at: index + 1, depth: open });
    }
    all.push(...parts(line, breaks));
  }
  return all.join("\n");
}

function parts(line: string, breaks: readonly Break[]): readonly string[] {
  const indent = `${/^ */.exec(line)?.[0] ?? ""}  `;
  const all: string[] = [];
  let [start, next, lead] = [0, 0, ""];
  while (lead.length + line.length - start > WIDTH) {
    let best: Break | undefined;
    const end = start + WIDTH - lead.length;
    for (; next < breaks.length; next++) {
      const here = breaks[next];
      if (here === undefined || (best !== undefined && here.at > end)) break;
      const isFar = best === undefined || best.at < start + WIDTH / 2;
      if (isFar || here.depth <= (best?.depth ?? 0)) best = here;
    }
    if (best === undefined) break;
    all.push(lead + line.slice(start, best.at));
    [start, lead] = [best.at + 1, indent];
    next = breaks.indexOf(best, Math.max(0, next - WIDTH)) + 1;
  }
  return [...all, lead + line.slice(start)];
}
