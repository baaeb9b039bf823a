import {
  declarationsOf,
  definitionsOf,
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type TruthTerm,
  writeTerms,
} from "../../../reference/algebras/symbolic/index.ts";
import type { Hypothesis } from "../obligation.ts";
import type { Decision } from "./cases.ts";
import type { ValueSymbol } from "./purify.ts";

/** What is assumed, under a name: `holds`, where all that is `given` does. */
export interface Claim {
  readonly name: string;
  readonly given?: readonly TruthTerm[];
  readonly holds: TruthTerm;
}

/** Claims and a goal as SMT-LIB. */
export interface Statement {
  readonly declarations: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  /** What is declared: a model says all of it. */
  readonly names: readonly string[];
}

/** What follows: `holds`, in the case that every decision is as it says. */
export interface Goal {
  readonly decisions?: readonly Decision[];
  readonly holds: TruthTerm;
}

/**
 * Writes claims and the conjunction of `goals`, with a definition for what is shared, and declares the variables that occur in them or in
 * `others`.
 */
export function writeStatement(
  claims: readonly Claim[],
  goals: readonly Goal[],
  others: readonly ScalarTerm[] = [],
): Statement {
  const all: readonly TruthTerm[] = [
    ...goals.flatMap(({ decisions = [], holds }) => [...decisions.map(({ condition }) => condition), holds]),
    ...claims.flatMap(({ given = [], holds }) => [...given, holds]),
  ];
  const written = writeTerms(all);
  const textOf = (term: TruthTerm): string => written.texts[all.indexOf(term)] ?? "";
  const decided = ({ condition, holds }: Decision): string =>
    holds ? textOf(condition) : `(not ${textOf(condition)})`;
  const [only, ...more] = goals.map(({ decisions = [], holds }) =>
    implied(decisions.map(decided), textOf(holds)),
  );
  return {
    declarations: [declarationsOf([...all, ...others]), definitionsOf(written)]
      .filter((text) => text !== "")
      .join("\n"),
    hypotheses: claims.map(({ name, given = [], holds }) => ({
      name,
      formula: implied(given.map(textOf), textOf(holds)),
    })),
    goal: only !== undefined && more.length === 0 ? only : `(and ${[only, ...more].join(" ")})`,
    names: subterms([...all, ...others]).flatMap((term) => (term.kind === "variable" ? [term.name] : [])),
  };
}

function implied(premises: readonly string[], conclusion: string): string {
  return premises.length === 0 ? conclusion : `(=> ${premises.join(" ")} ${conclusion})`;
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
