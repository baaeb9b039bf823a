import type { Derived } from "../../spec/derivatives/index.ts";
import { derive, deriveByTransposition } from "../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  at,
  InvariantError,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  present,
  type Result,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { entry, type SparseContext } from "../context.ts";
import type { GraphData } from "../graph.ts";
import { writtenOf } from "./reverse.ts";
import type { Written } from "./subject.ts";
import { computed } from "./sweeping.ts";
import {
  type Kept,
  type Sweep,
  type SystemParts,
  type Taking,
  type TapeSystem,
  tapeSystem,
} from "./system.ts";

/**
 * No tape: the derivative is a graph ({@link derive}), evaluated at the kept inputs, which computes what it
 * needs again. Other seeds give another graph, written when asked. Refuses: nodes given by hand.
 */
export const derived: TapeSystem = withoutTape(
  "derived",
  "the inputs, and a graph",
  "all",
  (graph, of, wrt) => derive(graph, { mode: "vjp", of, wrt }),
);

/**
 * No tape, and no rules but those of linear operators: the tangent graph with its linear part turned round
 * ({@link deriveByTransposition}). It gives the cotangents of Γ. Refuses: nodes given by hand.
 */
export const transposed: TapeSystem = withoutTape(
  "transposed",
  "the inputs, and a graph",
  "inputs",
  (graph, of, wrt) => deriveByTransposition(graph, { of, wrt }),
);

/** Writes the graph of the cotangents at `wrt` from those at `of`. */
export type Deriving = (
  graph: PrimitiveGraph,
  of: readonly NodeId[],
  wrt: readonly NodeId[],
) => Result<Derived, Issue[]>;

/** Makes a system that keeps inputs and a way to write derivatives. The recording writes that of its ids. */
export function withoutTape(
  name: string,
  summary: string,
  reach: TapeSystem["reach"],
  deriving: Deriving,
): TapeSystem {
  const keep: SystemParts["keep"] = (taking) => kept(taking, deriving, reach);
  return tapeSystem({ name, summary, claim: "exact", reach, settles: false, keep });
}

function kept<S>(
  taking: Taking<S>,
  deriving: Deriving,
  reach: TapeSystem["reach"],
): Result<Kept<S>, Issue[]> {
  const { subject, point, meter, of } = taking;
  const written = writtenOf(subject);
  if (!written.ok) return written;
  const wrt = subject.shapes.flatMap((_, id) =>
    reach === "all" || id < subject.data.inputs.length ? [nodeId(id)] : [],
  );
  const first = meaningOf(written.value, deriving, of, wrt);
  if (!first.ok) return first;
  for (const id of point.x.keys()) meter.holdValue(nodeId(id));
  const context = [...point.x];
  for (const index of subject.data.nodes.keys()) context.push(computed(taking, index, context, "first"));
  return ok({
    entries: [],
    sweep: (seed) => {
      const ids = [...seed.keys()].sort((a, b) => a - b);
      const isFirst = ids.length === of.length && ids.every((id, place) => id === of[place]);
      const asked = isFirst ? first : meaningOf(written.value, deriving, ids, wrt);
      if (!asked.ok) throw new InvariantError("a derivative that was written before is written again");
      return swept(taking, asked.value, ids, seed);
    },
  });
}

/** A derived graph over the algebra. */
interface Meant<S> {
  readonly graph: GraphData<S>;
  readonly results: readonly NodeId[];
}

function meaningOf<S>(
  { graph, meaningOf: meaning }: Written<S>,
  deriving: Deriving,
  of: readonly NodeId[],
  wrt: readonly NodeId[],
): Result<Meant<S>, Issue[]> {
  const written = deriving(graph, of, wrt);
  if (!written.ok) return written;
  const meant = meaning(written.value.graph);
  return meant.ok ? ok({ graph: meant.value, results: written.value.results }) : meant;
}

/** Evaluates the graph in one step that tells no id. A value is held until its last reader. */
function* swept<S>(
  { subject, point, meter }: Taking<S>,
  { graph, results }: Meant<S>,
  ids: readonly NodeId[],
  seed: SparseContext<S>,
): Sweep<S> {
  const context = [...point.x, ...ids.map((id) => present(seed.get(id), "a seed"))];
  const inputs = context.length;
  const last = new Map<NodeId, number>();
  for (const [index, { reads }] of graph.nodes.entries()) for (const id of reads) last.set(id, index);
  // What depends on no seed is the run, computed again; the rest are cotangents on their way.
  const isRun = context.map((_, id) => id < subject.data.inputs.length);
  for (const [index, node] of graph.nodes.entries()) {
    const id = nodeId(inputs + index);
    context.push(node.forward(context, point.environment));
    isRun.push(node.reads.every((read) => isRun[read]));
    for (const read of [...node.reads, id])
      meter.movedElements(`derived ${read}`, sizeOf(at(context, read).shape));
    if (isRun[id] !== true) continue;
    meter.recomputed();
    meter.hold(`derived ${id}`, sizeOf(node.shape));
    for (const read of new Set([...node.reads, id]))
      if ((last.get(read) ?? index) <= index) meter.drop(`derived ${read}`, sizeOf(at(context, read).shape));
  }
  yield* [];
  return results.map((id) => entry(context, id));
}
