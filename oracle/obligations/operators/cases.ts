import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type Term,
  type TruthTerm,
} from "../../../reference/algebras/symbolic/index.ts";
import { present } from "../../../spec/shapes/index.ts";

/** A decision says whether a condition holds. */
export interface Decision {
  readonly condition: TruthTerm;
  readonly holds: boolean;
}

/** In a case all decisions are made, so terms have no selections. */
export interface Case {
  readonly decisions: readonly Decision[];
  readonly terms: readonly ScalarTerm[];
}

/** Decisions lead to terms without selections, or leave a condition open. */
export type Resolved = { readonly terms: readonly ScalarTerm[] } | { readonly open: TruthTerm };

/**
 * Splits terms into the cases that their selections distinguish, each selection replaced by its branch;
 * together the cases leave nothing out. Comparing a term with itself is decided. Cost: exponential in the
 * number of different conditions.
 */
export function casesOf(algebra: SymbolicAlgebra, terms: readonly ScalarTerm[]): readonly Case[] {
  return split((decisions) => resolve(algebra, terms, decisions));
}

/** Decides each condition that `resolve` leaves open both ways, until it has terms without selections. */
export function split(
  resolve: (decisions: readonly Decision[]) => Resolved,
  decisions: readonly Decision[] = [],
): readonly Case[] {
  const resolved = resolve(decisions);
  if ("terms" in resolved) return [{ decisions, terms: resolved.terms }];
  return [true, false].flatMap((holds) =>
    split(resolve, [...decisions, { condition: resolved.open, holds }]),
  );
}

function resolve(
  { operations: a }: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  decisions: readonly Decision[],
): Resolved {
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
