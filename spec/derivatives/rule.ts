import type { Scope, Value } from "../construction/value.ts";
import type { PrimitiveAttributes, PrimitiveName } from "../operators/index.ts";

/** A node to differentiate, as values of the graph with its derivative: all that a rule may read. */
export interface Applied<A> {
  /** The derivative is written in this scope. */
  readonly scope: Scope;
  readonly attributes: A;
  readonly operands: readonly Value[];
  /** The node's own value. */
  readonly value: Value;
  /** Applies the same operator with the same attributes to other operands. */
  again(...operands: readonly Value[]): Value;
}

/** Writes the nodes of one operand's cotangent, when it is wanted. */
export type Pull = () => Value;

/** A tangent or a cotangent; `undefined` stands for a zero for which no node is written. */
export type Perturbation = Value | undefined;

/**
 * The derivative of a primitive, written with the builder. Which of operands, value and cotangent it reads is
 * what an engine has to keep of a run; it stands nowhere else ({@link needsOf}).
 * Laws: over every exact algebra the cotangents are those of the reference's `vjp` and the tangent that of
 * its `jvp`; and so are the derivatives of both, to any order.
 */
export interface DerivativeRule<A> {
  /** Returns what writes each operand's cotangent; `undefined` where nothing is pulled back. */
  cotangents(at: Applied<A>, c: Value): readonly (Pull | undefined)[];
  /** Returns the value's tangent from the operands', at least one of which is not zero. */
  tangent(at: Applied<A>, tangents: readonly Perturbation[]): Perturbation;
}

/** The rules of some primitives. */
export type DerivativesOf<Names extends PrimitiveName> = {
  readonly [K in Names]: DerivativeRule<PrimitiveAttributes[K]>;
};

/** Returns the sum of what is not zero. */
export function plus(x: Perturbation, y: Perturbation): Perturbation {
  if (x === undefined) return y;
  return y === undefined ? x : x.add(y);
}

/** Zeros of a value's shape. */
export function zerosLike(scope: Scope, { shape }: Value): Value {
  return scope.full({ shape, value: 0 });
}
