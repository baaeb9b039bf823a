import type { Value } from "../construction/value.ts";
import { present } from "../shapes/index.ts";
import type { Applied, DerivativeRule } from "./rule.ts";

/** Makes the rule of an operator linear in its one operand: a tangent passes as the operand does. */
export function linear<A>(adjoint: (at: Applied<A>, c: Value) => Value): DerivativeRule<A> {
  return {
    cotangents: (at, c) => [() => adjoint(at, c)],
    tangent: (at, [dx]) => dx && at.again(dx),
  };
}

/** `x` with its elements along an axis in the opposite order. */
export function reversed(x: Value, axes: readonly number[]): Value {
  return x.slice({
    starts: x.shape.map((extent, axis) => (axes.includes(axis) ? extent - 1 : 0)),
    // One before the first element, counted from behind.
    stops: x.shape.map((extent, axis) => (axes.includes(axis) ? -extent - 1 : extent)),
    steps: x.shape.map((_, axis) => (axes.includes(axis) ? -1 : 1)),
  });
}

/** Returns the shape of the first operand. */
export function shapeOfOperand(at: Applied<unknown>): readonly number[] {
  return operandAt(at, 0).shape;
}

/** Returns the operand at a position that the operator's arity guarantees. */
export function operandAt({ operands }: Pick<Applied<unknown>, "operands">, place: number): Value {
  return present(operands[place], "an operand");
}
