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
    file: "engines/compile/plan/scalar/merging.ts",
    line: "if (code === scalarCodes.literal) return bits[2 * head] === a && bits[2 * head + 1] === b;",
    before: "&&",
    after: "||",
    why: "the hash is one to one in either word of a literal: of one hash, literals that share a word share both",
  },
  ...(
    [
      ["layout.width > GREATEST_TABLE", "true"],
      [">", ">="],
    ] as const
  ).map(([before, after]) => ({
    file: "engines/posit/arithmetic.ts",
    line: "if (layout.width > GREATEST_TABLE) return (code) => positToDouble(layout, code);",
    before,
    after,
    why: "a table has the numbers that are computed without one",
  })),
  {
    file: "engines/posit/quire.ts",
    line: "return rounds === undefined || Math.abs(x) > rounds / 4 ? x : x + rounds - rounds;",
    before: ">",
    after: ">=",
    why: "a quarter of `rounds` is a multiple of the last place, to which it is rounded as it is",
  },
  {
    file: "oracle/truth/bound/algebra.ts",
    line: 'return a === b ? "tie" : a < b ? "less" : "greater";',
    before: "<",
    after: "<=",
    why: "equal numbers are a tie before they are compared so",
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
