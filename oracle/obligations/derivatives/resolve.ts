import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type Term,
  type TruthTerm,
} from "../../../reference/algebras/symbolic/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import { type Case, type Decision, type Resolved, split } from "../operators/index.ts";

/**
 * Lists the terms in each case that their selections distinguish, as `casesOf` of the operators does, but
 * also under functions, and with numbers compared and added. Graphs say with `where`, `less` and `equal`,
 * which are numbers, what rules say with a selection. Together the cases leave nothing out. Cost: exponential
 * in the number of different conditions.
 */
export function resolvedCases(algebra: SymbolicAlgebra, terms: readonly ScalarTerm[]): readonly Case[] {
  return split((decisions) => resolve(algebra, terms, decisions));
}

function resolve(
  algebra: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  decisions: readonly Decision[],
): Resolved {
  const { operations: a } = algebra;
  const values = new Map<Term, ScalarTerm>();
  const verdicts = new Map<Term, boolean | TruthTerm>();
  const value = (term: Term): ScalarTerm => present(values.get(term), "a part");
  for (const term of subterms(terms)) {
    switch (term.kind) {
      case "literal":
      case "variable":
        values.set(term, term);
        break;
      case "application":
        values.set(term, rebuilt(algebra, term, term.operands.map(value)));
        break;
      case "comparison": {
        const [x, y] = [value(term.operands[0]), value(term.operands[1])];
        verdicts.set(term, verdictOf(term.operator, a[term.operator](x, y), x, y, decisions));
        break;
      }
      case "selection": {
        const holds = present(verdicts.get(term.condition), "a condition");
        if (typeof holds !== "boolean") return { open: holds };
        values.set(term, value(holds ? term.yes : term.no));
        break;
      }
      case "truth":
        verdicts.set(term, term);
        break;
    }
  }
  return { terms: terms.map(value) };
}

/** Applies an operation to other operands; exact sums and products are computed, division by 1 dropped. */
function rebuilt(
  { operations: a }: SymbolicAlgebra,
  { operator }: Extract<ScalarTerm, { readonly kind: "application" }>,
  operands: readonly ScalarTerm[],
): ScalarTerm {
  const [x, y] = [present(operands[0], "an operand"), operands[1]];
  if ((operator === "add" || operator === "multiply") && x.kind === "literal" && y?.kind === "literal") {
    const result = operator === "add" ? x.value + y.value : x.value * y.value;
    if (Number.isSafeInteger(result) && Number.isSafeInteger(x.value) && Number.isSafeInteger(y.value)) {
      return a.literal(result);
    }
  }
  if (operator === "divide" && y?.kind === "literal" && y.value === 1) return x;
  switch (operator) {
    case "add":
    case "multiply":
    case "divide":
    case "pow":
    case "atan2":
    case "hypot":
      return a[operator](x, present(y, "a second operand"));
    default:
      return a[operator](x);
  }
}

function verdictOf(
  operator: "less" | "equal",
  condition: TruthTerm,
  x: ScalarTerm,
  y: ScalarTerm,
  decisions: readonly Decision[],
): boolean | TruthTerm {
  if (x === y) return operator === "equal";
  if (x.kind === "literal" && y.kind === "literal") {
    return operator === "equal" ? x.value === y.value : x.value < y.value;
  }
  return decisions.find((decision) => decision.condition === condition)?.holds ?? condition;
}
