import type { CaseData } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Point, Seed } from "../../spec/graph/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import { generic, usualCotangent } from "../../spec/text/writer.ts";

/** A graph from a file, at a point, and its results that cotangents belong to. */
export interface Model {
  readonly graph: Graph;
  readonly point: Point;
  readonly results: readonly NodeId[];
}

/**
 * Returns the case of a model: tangents and cotangents are those that a text leaves out, so that it stays
 * short.
 */
export function caseOfModel({ graph, point, results }: Model, note: string): CaseData {
  const shapes = shapesOf(graph);
  const last = shapes.length - 1;
  const tangents = graph.inputs.map(({ shape }, place) => ({
    shape,
    data: Float64Array.from(generic(shape, place + 1)),
  }));
  const seeds = [...new Set(results)].map((id, place): Seed => {
    const shape = shapes[id] ?? [];
    const isUsual = results.length === 1 && id === last;
    return {
      id,
      cotangent: {
        shape,
        data: Float64Array.from(isUsual ? usualCotangent(shape) : generic(shape, place + 1)),
      },
    };
  });
  return { graph, point, tangents, seeds, note };
}
