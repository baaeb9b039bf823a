import {
  evaluateTerms,
  type ScalarTerm,
  type SymbolicAlgebra,
  type TruthTerm,
} from "../../../reference/algebras/symbolic/index.ts";
import { at, InvariantError, present } from "../../../spec/shapes/index.ts";
import { type Decision, type Goal, polynomialOf, purify, type ValueSymbol } from "../operators/index.ts";
import { textOfPolynomial } from "../polynomial.ts";
import type { Pair } from "./graphs.ts";
import { resolvedCases } from "./resolve.ts";

/** These are equations between terms of a ring, in which unknowns stand for values of functions. */
export interface Equations {
  readonly goals: readonly Goal[];
  /** Each goal compares the two sides of a pair. */
  readonly sides: readonly Pair<ScalarTerm>[];
  readonly symbols: readonly ValueSymbol[];
}

/**
 * States that the sides of pairs are equal, in each case that they tell apart: over a ring, with an unknown
 * for each value of a function. Where a function has two operands of one normal form, their equality is a
 * goal, and one unknown stands for both values.
 */
export function equationsOf(algebra: SymbolicAlgebra, pairs: readonly Pair<ScalarTerm>[]): Equations {
  const { operations: a } = algebra;
  const cases = pairs.flatMap((pair) => resolvedCases(algebra, pair));
  const flat = cases.flatMap(({ decisions, terms }) => [
    ...terms,
    ...decisions.map(({ condition }) => a.select(condition, a.one, a.zero)),
  ]);
  const { terms, symbols } = purify(algebra, flat);
  const merged = merge(algebra, symbols);
  const pure = renamed(algebra, terms, merged.names);
  let next = 0;
  const goals = cases.map(({ decisions }): Goal & { readonly pair: Pair<ScalarTerm> } => {
    const [left, right] = [at(pure, next++), at(pure, next++)];
    const decided = decisions.map(
      ({ holds }): Decision => ({ condition: conditionOf(at(pure, next++)), holds }),
    );
    return { decisions: decided, holds: a.equal(left, right), pair: [left, right] };
  });
  return {
    goals: [...merged.same.map(([x, y]) => ({ holds: a.equal(x, y) })), ...goals],
    sides: goals.map(({ pair }) => pair),
    symbols: merged.kept,
  };
}

function conditionOf(term: ScalarTerm): TruthTerm {
  if (term.kind !== "selection") throw new InvariantError("a selection was made, and is none");
  return term.condition;
}

/** Drops symbols that have another's value, renames them to it, and lists the operands that are equal. */
function merge(
  algebra: SymbolicAlgebra,
  symbols: readonly ValueSymbol[],
): {
  readonly kept: readonly ValueSymbol[];
  readonly names: ReadonlyMap<string, ScalarTerm>;
  readonly same: readonly Pair<ScalarTerm>[];
} {
  const names = new Map<string, ScalarTerm>();
  const byForm = new Map<string, ValueSymbol>();
  const same: Pair<ScalarTerm>[] = [];
  for (const symbol of symbols) {
    const operands = renamed(algebra, symbol.operands, names);
    const form = [symbol.operator, ...operands.map((x) => textOfPolynomial(polynomialOf(x)))].join(" ");
    const known = byForm.get(form);
    if (known === undefined) {
      byForm.set(form, { ...symbol, operands });
      continue;
    }
    names.set(symbol.name, known.term);
    operands.forEach((x, place) => {
      const y = present(known.operands[place], "an operand");
      if (x !== y) same.push([x, y]);
    });
  }
  return { kept: [...byForm.values()], names, same };
}

function renamed(
  algebra: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  names: ReadonlyMap<string, ScalarTerm>,
): readonly ScalarTerm[] {
  return names.size === 0
    ? terms
    : evaluateTerms(algebra, terms, { scalar: (name) => names.get(name) ?? algebra.variable(name) });
}
