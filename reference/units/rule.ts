import type { PrimitiveAttributes, PrimitiveName } from "../../spec/operators/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { Rational } from "../algebras/rational.ts";
import type { AxisLink } from "./axis_links.ts";
import type { Grid } from "./grid.ts";

/** A node, as its rule sees it. What a `constant` reads, an entry of Δ, is its one operand. */
export interface Placed<A> {
  readonly attributes: A;
  readonly operands: readonly Shape[];
  readonly result: Shape;
  /** Each operand has the number that all its elements are, where that is known. */
  readonly constants: readonly (Rational | undefined)[];
  /** A node that reads indices reads an entry of Δ of this shape. */
  readonly indices?: Shape;
}

/**
 * Why an equation is asked. `result`: it tells the result's dimension; `agree`: two things meet; `number`:
 * only a number will do; `literal`: a number stands in the graph; `declared`: somebody says so.
 */
export type Reason = "result" | "agree" | "number" | "literal" | "declared";

/** An unknown, so many times. */
export type UnknownTerm = readonly [unknown: number, coefficient: bigint];

/** A node with the blocks of what it reads and makes. */
export interface Gridded<A> extends Placed<A> {
  readonly grids: readonly Grid[];
  readonly own: Grid;
  /** Says whether an operand is zero everywhere. Zeros have every dimension, wherever they are read. */
  isZero(operand: number): boolean;
  /** Asks that the terms, unknowns with coefficients, add up to nothing. */
  ask(reason: Reason, ...terms: readonly UnknownTerm[]): void;
}

/** An operator's rule relates the dimensions of operands and result. */
export interface DimensionRule<A> {
  /** Returns the number that all elements of the result equal, if the operands' known numbers tell it. */
  constant?(node: Placed<A>): Rational | undefined;
  /** Lists the axes of operands and result that are linked. */
  axes(node: Placed<A>): readonly AxisLink[];
  /**
   * The equations between the dimensions of the blocks. Law: where they hold, scaling the operands scales the
   * result, element by element, over every exact field. Is not asked of a node whose value is a known number.
   */
  equations(node: Gridded<A>): void;
}

/** The rules of some primitives. */
export type DimensionRulesOf<Names extends PrimitiveName> = {
  readonly [K in Names]: DimensionRule<PrimitiveAttributes[K]>;
};
