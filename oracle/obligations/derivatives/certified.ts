import {
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { certificateOf, type Goal, isIdentity, type Use } from "../operators/index.ts";
import { type Equations, equationsOf } from "./equations.ts";
import { type Comparison, numbersOf, type Order } from "./graphs.ts";

/** Tells whether the sides of some pair are equal only where each unknown r is a reciprocal. */
export function needsReciprocals({ sides, symbols }: Equations): boolean {
  const isField = symbols.some(({ operator }) => operator === "reciprocal");
  return (
    isField && sides.some(([left, right]) => !isIdentity(left, right, []) && isIdentity(left, right, symbols))
  );
}

/** States along each direction that sides are equal, or differ by a multiple of `r y − 1`. */
export function certifiedAlongEach(
  use: Use<PrimitiveName>,
  order: Order,
  comparison: Comparison,
): readonly Goal[] {
  const algebra = symbolic(["zero", "one", "annihilation"]);
  return directionsOf(use, order).flatMap((direction) => {
    const numbers = numbersOf(use, (name) => along(algebra, direction, name));
    const { goals, sides, symbols } = equationsOf(algebra, comparison.pairs(algebra, numbers));
    const others = goals.slice(0, goals.length - sides.length);
    return [...others, ...sides.flatMap((pair) => certifiedPair(algebra, pair, symbols))];
  });
}

/** Names what is 1 along a direction: a cotangent or tangent, or, in second derivatives, one of each. */
function directionsOf(use: Use<PrimitiveName>, order: Order): readonly (readonly string[])[] {
  const names: string[] = [];
  numbersOf(use, (name) => names.push(name));
  const [tangents, cotangents, turns] = [/^dx/, /^c\./, /^dc\./].map((kind) =>
    names.filter((name) => kind.test(name)),
  );
  const [dx, c, dc] = [tangents ?? [], cotangents ?? [], turns ?? []];
  if (order !== "second") return [...c, ...dx].map((name) => [name]);
  return [...dc.map((name) => [name]), ...dx.flatMap((one) => c.map((other) => [one, other]))];
}

function along(algebra: SymbolicAlgebra, direction: readonly string[], name: string): ScalarTerm {
  if (name.startsWith("x") || name.startsWith("e")) return algebra.variable(name);
  return direction.includes(name) ? algebra.operations.one : algebra.operations.zero;
}

function certifiedPair(
  algebra: SymbolicAlgebra,
  [left, right]: readonly [ScalarTerm, ScalarTerm],
  symbols: Equations["symbols"],
): readonly Goal[] {
  const { operations: a } = algebra;
  if (left === right) return [];
  if (isIdentity(left, right, [])) return [{ holds: a.equal(left, right) }];
  const { factor, quotient } = certificateOf(algebra, [left, right], symbols);
  return [{ holds: a.equal(a.add(left, a.negative(right)), a.multiply(factor, quotient)) }];
}
