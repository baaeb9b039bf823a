import type { Mutation } from "./mutators.ts";

/** A mutant that means the same as the right code, so that nothing can tell it. */
export interface Alike {
  readonly file: string;
  /** The line of the file that it changes, without the spaces around it. */
  readonly line: string;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

/**
 * The mutants that are known to mean the same. A run tells of each that dies, since it does not belong here.
 */
export const alikes: readonly Alike[] = [
  {
    file: "spec/derivatives/derive.ts",
    line: "const LONGEST_WISH = 200;",
    before: "200",
    after: "201",
    why: "a long name is cut somewhere that leaves room for primes, and nothing says where",
  },
  {
    file: "oracle/truth/sets/float_set.ts",
    line: "return width === Number.POSITIVE_INFINITY || width > NARROW * Math.max(Math.abs(low), Math.abs(high));",
    before: "Math.abs(low), Math.abs(high)",
    after: "Math.abs(high), Math.abs(low)",
    why: "the greater of two sizes does not depend on which is named first",
  },
  {
    file: "oracle/truth/sets/posit_sets.ts",
    line: '? union(image, ofKinds("nan"))',
    before: 'image, ofKinds("nan")',
    after: 'ofKinds("nan"), image',
    why: "a union does not depend on the order of its sets, and words of a set go from the least number on",
  },
  {
    file: "oracle/truth/centre/centre.ts",
    line: "midpoint: (a, b) => rationals.multiply(rationals.add(a, b), half),",
    before: "rationals.add(a, b), half",
    after: "half, rationals.add(a, b)",
    why: "a product of rational numbers commutes, also with the element without value",
  },
  {
    file: "oracle/truth/singular/slopes.ts",
    line: "if (position === 0) return union(a.divide(c, y), zeros);",
    before: "a.divide(c, y), zeros",
    after: "zeros, a.divide(c, y)",
    why: "a union does not depend on the order of its sets, and words of a set go from the least number on",
  },
];

/** Returns the line that a place of a text is in, and its number from 1. */
export function lineAt(text: string, place: number): { readonly number: number; readonly line: string } {
  const begin = text.lastIndexOf("\n", place - 1) + 1;
  const end = text.indexOf("\n", place);
  const line = text.slice(begin, end === -1 ? undefined : end).trim();
  return { number: text.slice(0, place).split("\n").length, line };
}

/** Says why a mutant means the same; `undefined` if that is not known. */
export function whyAlike(
  { file, start, before, after }: Mutation,
  text: string,
  known: readonly Alike[] = alikes,
): string | undefined {
  const { line } = lineAt(text, start);
  return known.find(
    (one) => one.file === file && one.line === line && one.before === before && one.after === after,
  )?.why;
}
