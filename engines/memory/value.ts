import type { NameScope, View } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";

/** A tensor that a run has in its hands. Nobody changes its elements. */
export interface Held {
  readonly shape: Shape;
  readonly data: Float64Array;
  /** In forward mode, the tangent. */
  readonly tangent: Float64Array | undefined;
  /** Its number on the trace: values that are copies of each other have one. */
  readonly slot: number;
  /** Where it was read, if it was read from a location at this moment. */
  readonly seen: Seen | undefined;
}

/** Elements of a location, as they were at some time. */
export interface Seen {
  readonly place: Place;
  readonly positions: readonly number[];
  /** The location's clock when they were read. */
  readonly time: number;
}

/** A location: elements that are overwritten where they lie. */
export interface Place {
  readonly shape: Shape;
  readonly data: Float64Array;
  readonly tangent: Float64Array | undefined;
  /** The value on the trace that the location holds at the moment. */
  slot: number;
  isReleased: boolean;
  /** How often it was written to. */
  clock: number;
  /** By element, what the clock said after it was written last. */
  readonly writtenAt: number[];
  /** Operands that lie here still, and that a sweep will read. */
  readonly saved: Set<SavedInPlace>;
}

/** An operand that was saved by its place. */
export interface SavedInPlace {
  readonly kind: "in place";
  readonly seen: Seen;
  /** The elements, where they had to be copied before they were overwritten. */
  copy: Float64Array | undefined;
}

/** An operand, for the sweep. */
export type Saved = SavedInPlace | { readonly kind: "kept"; readonly data: Float64Array };

/** A location, seen in some way. */
export interface Reference {
  readonly kind: "reference";
  readonly place: Place;
  readonly view: View;
  /** Whether what is read and written through it is constant under differentiation. */
  readonly isDetached: boolean;
}

/** What a name stands for. */
export type Bound =
  | { readonly kind: "value"; readonly value: Held }
  | Reference
  | { readonly kind: "counter"; readonly turn: number };

/** The names of a block and those around it. */
export type Names = NameScope<Bound>;

/** A value, bound. */
export function valued(value: Held): Bound {
  return { kind: "value", value };
}
