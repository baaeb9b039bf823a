import type { Expression } from "../expression.ts";

/** A rule reads a node's operands and value at one element. */
export interface Element {
  readonly x: Expression;
  readonly y: Expression;
  readonly z: Expression;
  readonly value: Expression;
}

/** The tangents of the operands at one element. */
interface Tangents {
  readonly xDot: Expression;
  readonly yDot: Expression;
  readonly zDot: Expression;
}

/**
 * The three functions of a node whose operands and value have one shape [SEMANTICS §2], for one element.
 * Operations have the reference's order, so that an engine that rounds each of them owes the same bits.
 */
export interface PointwiseRule {
  readonly arity: 1 | 2 | 3;
  /** Writes the value. */
  forward(element: Omit<Element, "value">): Expression;
  /** Writes the value's tangent; `undefined` is 0 everywhere. */
  push: ((element: Element, tangents: Tangents) => Expression) | undefined;
  /** Writes what the cotangent `c` of the value contributes to each operand; `undefined` is nothing. */
  pull(element: Element, c: Expression): readonly (Expression | undefined)[];
}
