import type { NodeId } from "../shapes/index.ts";
import type { FlatTensor } from "../wire/index.ts";

/** A graph is evaluated at a point: a value for each input, in order, and entry of Δ, by name. */
export interface Point {
  readonly inputs: readonly FlatTensor[];
  readonly environment: ReadonlyMap<string, FlatTensor>;
}

/** A cotangent put in at an id, input or node; ids without a seed start at zero. At most one per id. */
export interface Seed {
  readonly id: NodeId;
  readonly cotangent: FlatTensor;
}
