import type { Graph, Point, Seed } from "../../spec/graph/index.ts";
import type { Call, FlatTensor } from "../../spec/wire/index.ts";

/**
 * A case is one question to an engine: a graph, a point, tangents and cotangents. Its numbers are float32
 * values unless a test says otherwise, so that every precision gets the same; but some cotangents, tangents
 * and points are drawn where float32 has ended.
 */
export interface Case {
  readonly graph: Graph;
  readonly point: Point;
  /** There is one for each input. */
  readonly tangents: readonly FlatTensor[];
  /** Each id has at most one; ids without one start at zero. */
  readonly seeds: readonly Seed[];
  /** The calls that the case is asked, at least one; each mode once, unless it has some. */
  readonly calls?: readonly Call[];
}
