import type { NeedOf, NoAttributes, PrimitiveAttributes, PrimitiveName } from "../../spec/operators/index.ts";
import { type Levels, type Need, present, type Shape, type ShapeFault } from "../../spec/shapes/index.ts";
import type { Environment } from "../environment.ts";
import { map, type Tensor, zip } from "../tensor.ts";

/** An operator applied to operands: all that a rule sees. */
export interface Application<N extends Need, A, S, B> {
  readonly algebra: Levels<S, B>[N];
  readonly attributes: A;
  readonly operands: readonly Tensor<S>[];
  readonly environment: Environment<S>;
  /** The shape of the result, as the operator's shape rule gives it. */
  readonly shape: Shape;
}

/** One cotangent per operand, of its shape; `undefined` where the operator does not differentiate it. */
export type Pullback<S> = readonly (Tensor<S> | undefined)[];

/**
 * A rule says what an operator means, over any algebra that offers `N`. Only `forward` is trusted: its
 * tangent is `forward` over dual numbers, and `vjp` owes adjointness, `dot(jvp, c) = dot(dx, vjp)`.
 */
export interface Rule<N extends Need, A> {
  forward<S, B>(application: Application<N, A, S, B>): Tensor<S>;
  vjp<S, B>(application: Application<N, A, S, B>, cotangent: Tensor<S>): Pullback<S>;
  /** Checks a precondition on the data that shapes cannot express, before `forward` in checked execution. */
  validate?<S, B>(application: Application<N, A, S, B>): ShapeFault | undefined;
}

/** The rules of some primitives. */
export type RulesOf<Names extends PrimitiveName> = {
  readonly [K in Names]: Rule<NeedOf[K], PrimitiveAttributes[K]>;
};

/** Returns the operand at a position within the operator's arity. Throws {@link InvariantError} at others. */
export function operand<S>(
  { operands }: { readonly operands: readonly Tensor<S>[] },
  position: number,
): Tensor<S> {
  return present(operands[position], "an operand");
}

/** Makes the rule of an elementwise operator of one operand, from its scalar functions. */
export function unary<N extends Need>(
  forward: <S, B>(a: Levels<S, B>[N], x: S) => S,
  vjp: <S, B>(a: Levels<S, B>[N], x: S, c: S) => S,
): Rule<N, NoAttributes> {
  return {
    forward: (application) => map(operand(application, 0), (x) => forward(application.algebra, x)),
    vjp: (application, cotangent) => [
      zip(operand(application, 0), cotangent, (x, c) => vjp(application.algebra, x, c)),
    ],
  };
}

/** The rule of an elementwise operator of two operands: `xBar` and `yBar` are their cotangents. */
export function binary<N extends Need>(
  forward: <S, B>(a: Levels<S, B>[N], x: S, y: S) => S,
  xBar: <S, B>(a: Levels<S, B>[N], x: S, y: S, c: S) => S,
  yBar: <S, B>(a: Levels<S, B>[N], x: S, y: S, c: S) => S,
): Rule<N, NoAttributes> {
  return {
    forward: (application) =>
      zip(operand(application, 0), operand(application, 1), (x, y) => forward(application.algebra, x, y)),
    vjp: (application, cotangent) => {
      const pairs = zip(operand(application, 0), operand(application, 1), (x, y) => ({ x, y }));
      return [
        zip(pairs, cotangent, ({ x, y }, c) => xBar(application.algebra, x, y, c)),
        zip(pairs, cotangent, ({ x, y }, c) => yBar(application.algebra, x, y, c)),
      ];
    },
  };
}
