import type { Graph, Point, Seed } from "../../spec/graph/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/**
 * One question to an engine: a graph, where to evaluate it, along which tangent, and which cotangents to
 * pull back. Its numbers are float32 values unless a test says otherwise, so that every precision gets the same.
 */
export interface Case {
  readonly graph: Graph;
  readonly point: Point;
  /** One per input. */
  readonly tangents: readonly FlatTensor[];
  /** At most one per id; ids without one start at zero. */
  readonly seeds: readonly Seed[];
}
