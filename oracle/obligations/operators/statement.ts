import {
  declarationsOf,
  definitionsOf,
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type TruthTerm,
  writeTerms,
} from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import type { Hypothesis, Obligation } from "../obligation.ts";
import type { Decision } from "./cases.ts";
import type { ValueSymbol } from "./purify.ts";

/** Z3 gets ten times the steps of the most expensive question about an operator, the remainder of a solve. */
const BUDGET = 900_000;

/** A claim assumes that `holds` is true where all of `given` are. */
export interface Claim {
  readonly name: string;
  readonly given?: readonly TruthTerm[];
  readonly holds: TruthTerm;
}

/** A statement has claims and a goal in SMT-LIB. */
export interface Statement {
  readonly declarations: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  /** A model says the values of these declared names. */
  readonly names: readonly string[];
}

/** A goal claims that `holds` is true in the case of these decisions. */
export interface Goal {
  readonly decisions?: readonly Decision[];
  readonly holds: TruthTerm;
}

/**
 * Writes claims and the conjunction of `goals`, with a definition for what is shared, and declares the
 * variables in them or in `others`.
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

/** Returns what obligations of an operator have in common: an everyday question about real numbers. */
export function obliged(
  operator: PrimitiveName,
  shapes: string,
  { declarations, hypotheses, goal }: Statement,
): Pick<Obligation, "logic" | "scope" | "tier" | keyof Omit<Statement, "names">> &
  Pick<Obligation, "rlimit" | "requiredCore" | "dependsOn"> {
  return {
    logic: "QF_NRA",
    scope: { kind: "operator", operator, shapes },
    tier: "everyday",
    declarations,
    hypotheses,
    goal,
    rlimit: BUDGET,
    requiredCore: hypotheses.map(({ name }) => name),
    dependsOn: [],
  };
}

function implied(premises: readonly string[], conclusion: string): string {
  return premises.length === 0 ? conclusion : `(=> ${premises.join(" ")} ${conclusion})`;
}

/** Claims that every reciprocal satisfies `r y = 1`, so that `y` is not 0. */
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

/** Claims that every root satisfies `s² = x` and `s > 0`, or `h² = x² + y²` and `h > 0`. */
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

/** Claims that functions have equal values at equal operands. */
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
