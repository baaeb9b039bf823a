import { type Algebra, InvariantError, present } from "../../../spec/shapes/index.ts";
import type { ScalarOperator, ScalarTerm, Term, TruthTerm } from "./terms.ts";
import { subterms } from "./walk.ts";

/** The scalars and the truth values that variables stand for. */
export interface TermValuation<S, B> {
  scalar(name: string): S;
  truth?(name: string): B;
}

/**
 * Returns the values of terms in an algebra, given the variables' values: a model, executed. An operator
 * means the algebra's operation of its name, so floats give the bits that a program of these operations
 * gives. Throws {@link InvariantError} for a variable without a value, and for an operation that the algebra
 * lacks. Cost: one operation for each different expression; no recursion.
 */
export function evaluateTerms<S, B>(
  { additive, levels }: Algebra<S, B>,
  terms: readonly ScalarTerm[],
  valuation: TermValuation<S, B>,
): readonly S[] {
  // In tuples, since a truth value of the rationals may be `undefined`.
  const values = new Map<Term, readonly [S]>();
  const verdicts = new Map<Term, readonly [B]>();
  const value = (term: ScalarTerm): S => present(values.get(term), "the value of a part")[0];
  const verdict = (term: TruthTerm): B => present(verdicts.get(term), "the verdict of a part")[0];
  for (const term of subterms(terms)) {
    switch (term.kind) {
      case "literal": {
        const isZero = Object.is(term.value, 0);
        values.set(term, [
          isZero ? additive.zero : present(levels.semiring, "a semiring").literal(term.value),
        ]);
        break;
      }
      case "variable":
        values.set(term, [valuation.scalar(term.name)]);
        break;
      case "application":
        values.set(term, [applied(levels, term.operator, term.operands.map(value))]);
        break;
      case "selection": {
        const { select } = present(levels.ordered, "an order");
        values.set(term, [select(verdict(term.condition), value(term.yes), value(term.no))]);
        break;
      }
      case "comparison": {
        const [x, y] = term.operands;
        verdicts.set(term, [present(levels.ordered, "an order")[term.operator](value(x), value(y))]);
        break;
      }
      case "truth":
        if (valuation.truth === undefined) throw new InvariantError(`no truth value for ${term.name}`);
        verdicts.set(term, [valuation.truth(term.name)]);
        break;
    }
  }
  return terms.map(value);
}

/** Returns the operation of that name. */
function applied<S, B>(levels: Algebra<S, B>["levels"], operator: ScalarOperator, operands: readonly S[]): S {
  const x = present(operands[0], "an operand");
  const second = (): S => present(operands[1], "a second operand");
  switch (operator) {
    case "add":
      return present(levels.additive, "an addition").add(x, second());
    case "multiply":
      return present(levels.semiring, "a semiring").multiply(x, second());
    case "negative":
      return present(levels.ring, "a ring").negative(x);
    case "divide":
      return present(levels.field, "a field").divide(x, second());
    case "floor":
      return present(levels.ordered, "an order").floor(x);
    case "pow":
      return present(levels.orderedReal, "ordered reals").pow(x, second());
    case "atan2":
    case "hypot":
      return present(levels.real, "reals")[operator](x, second());
    default:
      return present(levels.real, "reals")[operator](x);
  }
}
