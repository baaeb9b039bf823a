import type { Random } from "fast-check";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { drawFrom, genericSource } from "../random/index.ts";

/**
 * Asks about the graph of a case once more: at a point nearer to 0, where what was in a domain mostly stays
 * in it, with other tangents and cotangents. An engine that compiles a graph for its shapes does so once.
 * Inputs stay dyadic. The environment, which may hold indices, is the same; calls are left out.
 */
export function elsewhere({ graph, point, tangents, seeds }: Case, random: Random): Case {
  const generic = genericSource(random);
  const redrawn = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: drawFrom(generic, data.length),
  });
  const nearer = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map((x) => (x * random.nextInt(MOST / 2, MOST)) / MOST),
  });
  return {
    graph,
    point: { ...point, inputs: point.inputs.map(nearer) },
    tangents: tangents.map(redrawn),
    seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: redrawn(cotangent) })),
  };
}

/** An input is multiplied by so many parts of this many. */
const MOST = 16;
