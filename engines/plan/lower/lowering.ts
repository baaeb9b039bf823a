import type { EnvironmentEntry, PrimitiveAttributes, PrimitiveName, Shape } from "../../../spec/index.ts";
import type { ValueId } from "../program.ts";
import type { Profile } from "../rewrite.ts";
import type { Draft } from "./draft.ts";

/** A node, where its numbers are. */
export interface Application<K extends PrimitiveName> {
  readonly attributes: PrimitiveAttributes[K];
  readonly operands: readonly ValueId[];
  /** Shapes of the operands. */
  readonly shapes: readonly Shape[];
  /** Shape of the value. */
  readonly shape: Shape;
  readonly environment: Environment;
  readonly profile: Profile;
}

/** Δ: where its entries are. */
export interface Environment {
  /** The value of a real entry. */
  real(name: string): ValueId;
  /** An index entry: its number, and its shape. */
  index(name: string): { readonly number: number; readonly shape: EnvironmentEntry["shape"] };
}

/** The tangents of the operands, `count` of each, one after the other; `undefined` where they are 0 because nothing moves. */
export interface Dots {
  readonly count: number;
  readonly values: readonly (ValueId | undefined)[];
}

/**
 * How the three functions of a node [SEMANTICS §2] are written as loops; `T` is the number of tangents. Sums run in the order of the
 * reference, and every operation is rounded on its own.
 */
export interface Lowering<K extends PrimitiveName> {
  /** The value. */
  forward(draft: Draft, application: Application<K>): ValueId;
  /** The tangents of `value`, of shape `[T, ...shape]`; `undefined`: 0. */
  tangent(draft: Draft, application: Application<K>, value: ValueId, dots: Dots): ValueId | undefined;
  /**
   * What the cotangent `c` of `value` contributes to each operand; `undefined`: nothing, not even a zero. What is not wanted may be
   * left out.
   */
  cotangents(
    draft: Draft,
    application: Application<K>,
    value: ValueId,
    c: ValueId,
    isWanted: (operand: number) => boolean,
  ): readonly (ValueId | undefined)[];
}

/** A lowering for every primitive: a new one breaks the build here. */
export type LoweringTable = { readonly [K in PrimitiveName]: Lowering<K> };
