import {
  declarationsOf,
  definitionsOf,
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type TruthTerm,
  writeTerms,
} from "../../../reference/index.ts";
import type { Hypothesis } from "../obligation.ts";
import type { ValueSymbol } from "./purify.ts";

/** What is assumed, under a name: `holds`, where all that is `given` does. */
export interface Claim {
  readonly name: string;
  readonly given?: readonly TruthTerm[];
  readonly holds: TruthTerm;
}

/** Claims and a goal as SMT-LIB. */
export interface Question {
  readonly declarations: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  /** What is declared: a model says all of it. */
  readonly names: readonly string[];
}

/**
 * Writes claims and the conjunction of `goals`, with a definition for what is shared, and declares the variables that occur in them or in
 * `others`.
 */
export function writeQuestion(
  claims: readonly Claim[],
  goals: readonly TruthTerm[],
  others: readonly ScalarTerm[] = [],
): Question {
  const all: readonly TruthTerm[] = [
    ...goals,
    ...claims.flatMap(({ given = [], holds }) => [...given, holds]),
  ];
  const written = writeTerms(all);
  const textOf = (term: TruthTerm): string => written.texts[all.indexOf(term)] ?? "";
  const [only, ...more] = goals.map(textOf);
  return {
    declarations: [declarationsOf([...all, ...others]), definitionsOf(written)]
      .filter((text) => text !== "")
      .join("\n"),
    hypotheses: claims.map(({ name, given = [], holds }) => ({
      name,
      formula: given.length === 0 ? textOf(holds) : `(=> ${given.map(textOf).join(" ")} ${textOf(holds)})`,
    })),
    goal: only !== undefined && more.length === 0 ? only : `(and ${[only, ...more].join(" ")})`,
    names: subterms([...all, ...others]).flatMap((term) => (term.kind === "variable" ? [term.name] : [])),
  };
}

/** That every reciprocal is one: `r y = 1`, so that `y` is not 0. */
export function reciprocalClaims(
  { operations: a }: SymbolicAlgebra,
  symbols: readonly ValueSymbol[],
): Claim[] {
  return symbols.flatMap(({ name, operator, operands: [y], term }) =>
    operator === "reciprocal" && y !== undefined
      ? [{ name: name.replace("reciprocal", "inverse"), holds: a.equal(a.multiply(term, y), a.one) }]
      : [],
  );
}

/** That every root is one: `s² = x` and `s > 0`; `h² = x² + y²` and `h > 0`. */
export function rootClaims({ operations: a }: SymbolicAlgebra, symbols: readonly ValueSymbol[]): Claim[] {
  return symbols.flatMap(({ name, operator, operands: [x, y], term }) => {
    if ((operator !== "sqrt" && operator !== "hypot") || x === undefined) return [];
    const square = y === undefined ? x : a.add(a.multiply(x, x), a.multiply(y, y));
    return [
      { name: `square-of.${name}`, holds: a.equal(a.multiply(term, term), square) },
      { name: `sign-of.${name}`, holds: a.less(a.zero, term) },
    ];
  });
}

/** That functions are functions: at equal operands they have equal values. */
export function functionClaims({ operations: a }: SymbolicAlgebra, symbols: readonly ValueSymbol[]): Claim[] {
  return symbols.flatMap((one, index) =>
    symbols.slice(index + 1).flatMap((other) =>
      one.operator !== "reciprocal" &&
      one.operator === other.operator &&
      one.operands.length === other.operands.length
        ? [
            {
              name: `function.${one.name}.${other.name}`,
              given: one.operands.map((x, place) => a.equal(x, other.operands[place] ?? x)),
              holds: a.equal(one.term, other.term),
            },
          ]
        : [],
    ),
  );
}
