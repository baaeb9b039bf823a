import type { Along, Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import type { Point, Seed } from "../../spec/graph/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { type DataType, estimateLaws, type FlatTensor, formats } from "../../spec/wire/index.ts";
import { directionOf, slopeOf } from "./directions.ts";

/** These parts make an estimate of a slope and a direction; a mutant exchanges a part. */
export interface EstimateParts {
  /** Returns the direction, or throws. */
  readonly directionOf: typeof directionOf;
  /** Returns the seeds whose tangents count. */
  readonly seedsOf: (seeds: readonly Seed[]) => readonly Seed[];
  /** Returns the number at an element of an input: the slope times the direction. */
  readonly estimate: (slope: number, direction: number) => number;
}

/** The estimator without a fault. */
export const soundEstimate: EstimateParts = {
  directionOf,
  seedsOf: (seeds) => seeds,
  estimate: (slope, direction) => slope * direction,
};

/** Adds forward gradients `(∇f · v) v`, one sweep along `v` each, to an engine that has tangents. */
export function estimating(engine: Engine, parts: Partial<EstimateParts> = {}): Engine {
  const all = { ...soundEstimate, ...parts };
  return {
    ...engine,
    estimates: estimateLaws,
    load: async (graph, dtype) => {
      const loaded = await engine.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const shapes = graph.inputs.map(({ shape }) => shape);
      const { value } = loaded;
      const forwardGradient = (point: Point, seeds: readonly Seed[], along: Along) =>
        estimated(value, dtype, point, all.seedsOf(seeds), all.directionOf(along, shapes), all.estimate);
      return { kind: "result", value: { ...value, forwardGradient } };
    },
  };
}

async function estimated(
  program: LoadedGraph,
  dtype: DataType,
  point: Point,
  seeds: readonly Seed[],
  direction: readonly FlatTensor[],
  estimate: EstimateParts["estimate"],
): Promise<Reply<readonly FlatTensor[]>> {
  const { round } = formats[dtype];
  const rounded = direction.map(({ shape, data }) => ({ shape, data: data.map(round) }));
  const tangents = await program.jvp(point, rounded);
  if (tangents.kind !== "result") return tangents;
  const inputs = point.inputs.length;
  const tangentOf = (id: number): FlatTensor | undefined =>
    id < inputs ? at(rounded, id) : tangents.value[id - inputs];
  const slope = round(slopeOf(seeds, tangentOf));
  return {
    kind: "result",
    value: rounded.map(({ shape, data }) => ({ shape, data: data.map((v) => round(estimate(slope, v))) })),
  };
}
