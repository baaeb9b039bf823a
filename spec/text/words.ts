import { type Shape, visibleJson } from "../shapes/index.ts";
import type { ComponentSet, FlatTensor } from "../wire/index.ts";

/** Lines that are written have at most so many columns, where a break is possible. */
const WIDTH = 100;

/** Words that stand between the parts of a line, and numbers and truth values that are words. */
const reserved: ReadonlySet<string> = new Set(
  "in index given of by at along call most inf nan true false hull one_of".split(" "),
);

/** How tightly an infix operator binds; as in Python, where a sign binds looser than a power. */
export const binding: Readonly<Record<string, number>> = {
  "<": 1,
  "<=": 1,
  ">": 1,
  ">=": 1,
  "==": 1,
  "!=": 1,
  "+": 2,
  "-": 2,
  "*": 3,
  "/": 3,
  "@": 3,
  "**": 5,
};

/** Writes a name: as it is where it can be told from all else, or in quotes. */
export function nameText(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name) && !reserved.has(name);
  return isPlain ? name : quotedText(name);
}

/** Writes any text in quotes, with what is not seen as `\u202e`. */
export function quotedText(text: string): string {
  return visibleJson(text, 0);
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

/** Folds a line of numbers between them, and indents its further lines, which brackets hold together. */
export function folded(line: string): string {
  if (line.length <= WIDTH) return line;
  const indent = `${/^ */.exec(line)?.[0] ?? ""}  `;
  const lines: string[] = [];
  let current = "";
  for (const part of line.split(/(?<=,) /)) {
    if (current === "") current = part;
    else if (current.length + part.length < WIDTH) current += ` ${part}`;
    else {
      lines.push(current);
      current = indent + part;
    }
  }
  return [...lines, current].join("\n");
}
