import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type Term,
} from "../../../reference/algebras/symbolic/index.ts";
import { assertNever, InvariantError, present } from "../../../spec/shapes/index.ts";

/**
 * Differentiates a polynomial term by one of its variables, from the rules of +, × and − for expressions:
 * no operator's `jvp` or `vjp` is used. Throws {@link InvariantError} for other operators. Cost: linear in
 * the size of the term.
 */
export function derivative(a: SymbolicAlgebra, term: ScalarTerm, variable: ScalarTerm): ScalarTerm {
  const { zero, one, add, multiply, negative } = a.operations;
  const slopes = new Map<Term, ScalarTerm>();
  const slope = (part: Term): ScalarTerm => present(slopes.get(part), "the slope of a part");
  const slopeOf = (part: Term): ScalarTerm => {
    if (part === variable) return one;
    switch (part.kind) {
      case "literal":
      case "variable":
        return zero;
      case "application": {
        const [x, y = zero] = part.operands;
        if (x === undefined) throw new InvariantError("an operator without operands");
        if (part.operator === "add") return add(slope(x), slope(y));
        if (part.operator === "negative") return negative(slope(x));
        if (part.operator === "multiply") return add(multiply(slope(x), y), multiply(x, slope(y)));
        throw new InvariantError(`${part.operator} is not differentiated here`);
      }
      case "selection":
      case "comparison":
      case "truth":
        throw new InvariantError(`a ${part.kind} is not differentiated here`);
      default:
        return assertNever(part);
    }
  };
  for (const part of subterms([term])) slopes.set(part, slopeOf(part));
  return slope(term);
}
