import {
  type ScalarOperator,
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type Term,
  type TruthTerm,
} from "../../../reference/algebras/symbolic/index.ts";
import { present } from "../../../spec/shapes/index.ts";

/** This unknown stands for an elementary function's value at its operands, or for 1/y at y. */
export interface ValueSymbol {
  readonly name: string;
  readonly operator: ScalarOperator | "reciprocal";
  /** These are terms of the variables and of earlier symbols. */
  readonly operands: readonly ScalarTerm[];
  readonly term: ScalarTerm;
}

/** Purified terms have only the operations of an ordered ring. */
export interface Purified {
  readonly terms: readonly ScalarTerm[];
  readonly symbols: readonly ValueSymbol[];
}

/**
 * Replaces each value of an elementary function by an unknown, and `x / y` by `x · r`, with one `r` for each
 * `y`. What holds for all unknowns holds whatever the functions are; what needs more says so in a hypothesis.
 * Cost: linear; no recursion.
 */
export function purify(algebra: SymbolicAlgebra, terms: readonly ScalarTerm[]): Purified {
  const scalars = new Map<Term, ScalarTerm>();
  const truths = new Map<Term, TruthTerm>();
  const symbols = new Map<string, ValueSymbol>();
  const pure = (term: ScalarTerm): ScalarTerm => present(scalars.get(term), "a part made pure");
  const symbolOf = (operator: ValueSymbol["operator"], operands: readonly ScalarTerm[]): ScalarTerm => {
    const key = [operator, ...operands.map(({ id }) => id)].join(" ");
    const name = `${operator}.${symbols.size}`;
    const symbol = symbols.get(key) ?? { name, operator, operands, term: algebra.variable(name) };
    symbols.set(key, symbol);
    return symbol.term;
  };
  for (const term of subterms(terms)) {
    switch (term.kind) {
      case "literal":
      case "variable":
        scalars.set(term, term);
        break;
      case "application":
        scalars.set(term, pureApplication(algebra, term.operator, term.operands.map(pure), symbolOf));
        break;
      case "selection": {
        const condition = present(truths.get(term.condition), "a condition made pure");
        scalars.set(term, algebra.operations.select(condition, pure(term.yes), pure(term.no)));
        break;
      }
      case "comparison": {
        const [x, y] = term.operands;
        truths.set(term, algebra.operations[term.operator](pure(x), pure(y)));
        break;
      }
      case "truth":
        truths.set(term, term);
        break;
    }
  }
  return { terms: terms.map(pure), symbols: [...symbols.values()] };
}

function pureApplication(
  { operations: a }: SymbolicAlgebra,
  operator: ScalarOperator,
  operands: readonly ScalarTerm[],
  symbolOf: (operator: ValueSymbol["operator"], operands: readonly ScalarTerm[]) => ScalarTerm,
): ScalarTerm {
  const [x, y] = [present(operands[0], "an operand"), operands[1]];
  switch (operator) {
    case "add":
    case "multiply":
      return a[operator](x, present(y, "a second operand"));
    case "negative":
    case "floor":
      return a[operator](x);
    case "divide":
      return a.multiply(x, symbolOf("reciprocal", [present(y, "a second operand")]));
    default:
      return symbolOf(operator, operands);
  }
}
