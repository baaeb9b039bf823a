import type { Random } from "fast-check";
import type { Seed } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { drawFrom, happens } from "./values.ts";

/** What is known of a finished graph: for each id its shape and how many nodes read it; inputs come first. */
interface Finished {
  readonly inputs: readonly unknown[];
  readonly shapes: readonly Shape[];
  readonly readers: readonly number[];
}

/**
 * The ids that get a cotangent: every node that nothing reads, so that no node is dead; in every sixteenth case one of those
 * alone, since what no seed depends on must come back as zeros. Beside them perhaps nodes in between, and sometimes an
 * input, whose own seed must come back with what the graph adds to it.
 */
function drawSeedIds(random: Random, { inputs, readers }: Finished): readonly NodeId[] {
  const last = readers.length - 1;
  const sinks = readers.flatMap((count, id) => (count === 0 && id >= inputs.length ? [id] : []));
  const ids = new Set(happens(random, 1, 16) ? sinks.slice(-1) : sinks);
  const anyNode = (): number => random.nextInt(Math.min(inputs.length, last), last);
  if (happens(random, 1, 3)) ids.add(anyNode());
  if (happens(random, 1, 8)) ids.add(anyNode());
  if (ids.size === 0 || happens(random, 1, 6)) ids.add(random.nextInt(0, inputs.length - 1));
  return [...ids].map(nodeId);
}

/** Cotangents at one id or several. */
export function drawSeeds(random: Random, finished: Finished, source: () => number): readonly Seed[] {
  return drawSeedIds(random, finished).map((id) => {
    const shape = finished.shapes[id] ?? [];
    return { id, cotangent: { shape, data: drawFrom(source, sizeOf(shape)) } };
  });
}
