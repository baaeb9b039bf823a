import type { Shape } from "../shape.ts";

/** A tensor at the door of an engine: row-major, as float64 whatever the precision; indices are integers. */
export interface FlatTensor {
  readonly shape: Shape;
  readonly data: Float64Array;
}

/** A tensor on the wire: its elements in exact text form, or as base64 of little-endian float64. */
export type TensorJson =
  | { readonly shape: Shape; readonly data: readonly string[] }
  | { readonly shape: Shape; readonly base64: string };
