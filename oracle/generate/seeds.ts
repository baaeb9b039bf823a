import type { Random } from "fast-check";
import type { Seed } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { drawFrom, happens } from "../random/index.ts";

/** A finished graph has a shape and a count of readers for each id; inputs come first. */
interface Finished {
  readonly inputs: readonly unknown[];
  readonly shapes: readonly Shape[];
  readonly readers: readonly number[];
}

/**
 * Draws the ids that get a cotangent: every node that nothing reads, so that no node is dead. In one case of
 * sixteen only the last of those, since what no seed depends on must come back as zeros. Perhaps nodes in
 * between join them, and sometimes an input, whose own seed must come back with what the graph adds.
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

/** Draws cotangents at one id or several. */
export function drawSeeds(random: Random, finished: Finished, source: () => number): readonly Seed[] {
  return drawSeedIds(random, finished).map((id) => {
    const shape = finished.shapes[id] ?? [];
    return { id, cotangent: { shape, data: drawFrom(source, sizeOf(shape)) } };
  });
}
