import type { NameScope, View } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";

/** A location: its memory, and what is known of it beside. */
export interface Place<M> {
  readonly memory: M;
  /** It was made with this shape. */
  readonly shape: Shape;
  isReleased: boolean;
}

/** A name stands for a value, a reference or the counter of a loop. */
export type Bound<V, M> =
  | { readonly kind: "value"; readonly value: V }
  | Reference<M>
  | { readonly kind: "counter"; readonly turn: number };

/** A location, seen in some way. */
export interface Reference<M> {
  readonly kind: "reference";
  readonly place: Place<M>;
  readonly view: View;
  /** Is true if what is read and written through the reference is constant under differentiation. */
  readonly isDetached: boolean;
}

/** The names of a block and those around it. */
export type Names<V, M> = NameScope<Bound<V, M>>;

/** Returns a value, bound. */
export function valued<V, M>(value: V): Bound<V, M> {
  return { kind: "value", value };
}
