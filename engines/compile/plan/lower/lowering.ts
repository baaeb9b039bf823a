import type { AttributesOf, OperatorName } from "../../../../spec/composites/index.ts";
import type { Graph, NodeOf } from "../../../../spec/graph/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../../../../spec/operators/index.ts";
import type { Shape } from "../../../../spec/shapes/index.ts";
import type { ValueId } from "../program.ts";
import type { Regime } from "../rewrite.ts";
import type { Draft } from "./draft.ts";

/** A node whose operands are values of the program. */
export interface Application<K extends OperatorName> {
  readonly attributes: AttributesOf[K];
  readonly operands: readonly ValueId[];
  /** Shapes of the operands. */
  readonly shapes: readonly Shape[];
  /** Shape of the value. */
  readonly shape: Shape;
  readonly environment: Environment;
  readonly regime: Regime;
}

/** Finds the entries of Δ in the program. */
export interface Environment {
  /** Returns the value of a real entry. */
  real(name: string): ValueId;
  /** Returns the number and the shape of an index entry. */
  index(name: string): { readonly number: number; readonly shape: EnvironmentEntry["shape"] };
}

/** The tangents of operands, `count` of each in a row; `undefined` stands for zeros that nothing moves. */
export interface Dots {
  readonly count: number;
  readonly values: readonly (ValueId | undefined)[];
}

/**
 * Writes the three functions of a node [SEMANTICS §2] as loops; `T` is the number of tangents. Sums run in
 * the order of the reference, and every operation is rounded on its own.
 */
export interface Lowering<K extends OperatorName> {
  /** Writes the value. */
  forward(draft: Draft, application: Application<K>): ValueId;
  /** Writes the tangents of `value`, of shape `[T, ...shape]`; `undefined` means zeros. */
  tangent(draft: Draft, application: Application<K>, value: ValueId, dots: Dots): ValueId | undefined;
  /**
   * Writes what the cotangent `c` of `value` contributes to each operand. `undefined` means nothing, not even
   * a zero. What is not wanted may be left out.
   */
  cotangents(
    draft: Draft,
    application: Application<K>,
    value: ValueId,
    c: ValueId,
    isWanted: (operand: number) => boolean,
  ): readonly (ValueId | undefined)[];
}

/** The composites that the engines compute by a formula of their own. */
export type WholeName = "max" | "min" | "conv";

/** The engines lower primitives, and the composites that stay whole. */
export type LoweredName = PrimitiveName | WholeName;

/** A lowering for every primitive and every whole composite: a new primitive breaks the build here. */
export type LoweringTable = { readonly [K in LoweredName]: Lowering<K> };

/** A node that the engines lower. */
type LoweredNode = { readonly [K in LoweredName]: NodeOf<K> }[LoweredName];

/** A graph without other composites. */
export interface LoweredGraph extends Graph {
  readonly nodes: readonly LoweredNode[];
}
