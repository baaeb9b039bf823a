import type { NameScope, View } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";

/** A tensor that a run works with. Nobody changes its elements. */
export interface Held {
  readonly shape: Shape;
  readonly data: Float64Array;
  /** The tangent, in forward mode. */
  readonly tangent: Float64Array | undefined;
  /** Its number on the trace, which copies share. */
  readonly slot: number;
  /** It was just read from this place, if it was read from a location. */
  readonly seen: Seen | undefined;
}

/** Elements of a location, as they were at some time. */
export interface Seen {
  readonly place: Place;
  readonly positions: readonly number[];
  /** The location's clock when they were read. */
  readonly time: number;
}

/** A location, whose elements are overwritten in place. */
export interface Place {
  readonly shape: Shape;
  readonly data: Float64Array;
  readonly tangent: Float64Array | undefined;
  /** The trace's number of the value that the location holds at present. */
  slot: number;
  isReleased: boolean;
  /** The number of writes so far. */
  clock: number;
  /** Each element has the clock after its last write. */
  readonly writtenAt: number[];
  /** Operands that are still here, and that a sweep will read. */
  readonly saved: Set<SavedInPlace>;
}

/** An operand that was saved by its place. */
export interface SavedInPlace {
  readonly kind: "in place";
  readonly seen: Seen;
  /** The elements, if they had to be copied before they were overwritten. */
  copy: Float64Array | undefined;
}

/** An operand that was saved for the sweep. */
export type Saved = SavedInPlace | { readonly kind: "kept"; readonly data: Float64Array };

/** A location, seen through a view. */
export interface Reference {
  readonly kind: "reference";
  readonly place: Place;
  readonly view: View;
  /** Is true if what passes through the value is constant under differentiation. */
  readonly isDetached: boolean;
}

/** A name stands for one of these. */
export type Bound =
  | { readonly kind: "value"; readonly value: Held }
  | Reference
  | { readonly kind: "counter"; readonly turn: number };

/** The names of a block and those around it. */
export type Names = NameScope<Bound>;

/** Binds a value. */
export function valued(value: Held): Bound {
  return { kind: "value", value };
}
