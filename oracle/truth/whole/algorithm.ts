import type { Scope, Value } from "../../../spec/builder/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import type { Standard } from "../standard/index.ts";
import type { BackwardError } from "./backward_errors.ts";
import type { Product } from "./partial_products.ts";

/** A formula is written with a composite's operands and its value. */
export interface Known {
  readonly operands: readonly Value[];
  readonly value: Value;
}

/**
 * This is how published algorithms compute a composite that do not follow its expansion, where they err more
 * [docs/truth.md, "Composites"]. `backwardErrors` says, by operand, how far the operands may be from the
 * given ones for which their answer is exact. The formulas are those of their value and derivatives; whatever
 * rounding these leads to is allowed.
 */
export interface WholeAlgorithm<A> {
  backwardErrors?(
    attributes: A,
    shapes: readonly Shape[],
    standard: Standard,
  ): readonly (BackwardError | undefined)[];
  /** It tells that the derivatives are taken from the value; who declares accurate slopes has others. */
  readonly isFromValue?: true;
  /** Returns what the value may lose besides, because something overflows on the way to it. */
  lost?(standard: Standard): number;
  /** It multiplies elements of its operand in any order. */
  multiplies?(attributes: A): Product;
  /** Tells whether only a convention decides the derivative by an element of the operand at a place. */
  isSingular?(place: number, mayBeZero: boolean): boolean;
  value?(scope: Scope, attributes: A, operands: readonly Value[]): Value;
  tangent?(scope: Scope, attributes: A, known: Known, tangents: readonly Value[]): Value;
  cotangents?(scope: Scope, attributes: A, known: Known, cotangent: Value): readonly (Value | undefined)[];
}
