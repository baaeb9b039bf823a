import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type Term,
  type TruthTerm,
} from "../../../reference/algebras/symbolic/index.ts";
import { present } from "../../../spec/shapes/index.ts";

/** A condition, and whether it holds. */
export interface Decision {
  readonly condition: TruthTerm;
  readonly holds: boolean;
}

/** Terms without selections, where all decisions are as they say. */
export interface Case {
  readonly decisions: readonly Decision[];
  readonly terms: readonly ScalarTerm[];
}

/**
 * The terms in each case that their selections tell apart, every selection replaced by its branch; together the cases leave nothing out.
 * What compares a term with itself is decided by that. Cost: exponential in the number of different conditions.
 */
export function casesOf(
  algebra: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  decisions: readonly Decision[] = [],
): readonly Case[] {
  const resolved = resolve(algebra, terms, decisions);
  if ("terms" in resolved) return [{ decisions, terms: resolved.terms }];
  return [true, false].flatMap((holds) =>
    casesOf(algebra, terms, [...decisions, { condition: resolved.open, holds }]),
  );
}

function resolve(
  { operations: a }: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  decisions: readonly Decision[],
): { readonly terms: readonly ScalarTerm[] } | { readonly open: TruthTerm } {
  const values = new Map<Term, ScalarTerm>();
  const value = (term: ScalarTerm): ScalarTerm => present(values.get(term), "a part");
  for (const term of subterms(terms)) {
    if (term.kind === "literal" || term.kind === "variable") values.set(term, term);
    if (term.kind === "application") {
      const [x, y] = term.operands.map(value);
      const first = present(x, "an operand");
      if (term.operator === "add" || term.operator === "multiply") {
        values.set(term, a[term.operator](first, present(y, "a second operand")));
      } else {
        values.set(term, term.operator === "negative" ? a.negative(first) : term);
      }
    }
    if (term.kind === "selection") {
      const holds = verdictOf(term.condition, decisions);
      if (holds === undefined) return { open: term.condition };
      values.set(term, value(holds ? term.yes : term.no));
    }
  }
  return { terms: terms.map(value) };
}

function verdictOf(condition: TruthTerm, decisions: readonly Decision[]): boolean | undefined {
  if (condition.kind === "comparison" && condition.operands[0] === condition.operands[1]) {
    return condition.operator === "equal";
  }
  return decisions.find((decision) => decision.condition === condition)?.holds;
}
