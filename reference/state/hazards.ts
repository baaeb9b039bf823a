import {
  at,
  type Expansion,
  entriesNamedBy,
  isPrimitiveNode,
  type NodeId,
  needsOf,
  nodeId,
  overlap,
  type PrimitiveGraph,
  present,
  type Statement,
  shapesOf,
  type View,
} from "../../spec/index.ts";
import type { Recording } from "./execute.ts";

/** An operand that a node read in place, and that the sweep may read there again [SEMANTICS §10.5]. */
export interface ReadInPlace {
  /** The node of the expanded graph, */
  readonly node: NodeId;
  /** which of its operands, */
  readonly place: number;
  /** where it lies, */
  readonly memory: number;
  readonly view: View;
  /** when it was read, among the events of the recording, */
  readonly time: number;
  /** and whether the cotangent of some operand that depends on an input is computed from it (`needsOf`). */
  readonly isSaved: boolean;
}

/** A saved operand of which an element was overwritten later. */
export interface Hazard {
  readonly read: ReadInPlace;
  /** The first statement that did it, */
  readonly statement: Statement;
  /** when, */
  readonly time: number;
  /** and what the memory stood for until then. */
  readonly before: NodeId;
}

/** Every operand that was read in place, in the order of the reads. Cost: linear in the graph. */
export function readsInPlace<S>(
  recording: Recording<S>,
  expansion: Expansion<PrimitiveGraph>,
): ReadInPlace[] {
  const saved = savedOperands(expansion);
  const nodes = nodesByOrigin(expansion);
  return recording.events.flatMap((event, time) => {
    if (event.kind !== "read") return [];
    const { memory, view } = event;
    return operandsInPlace(recording, expansion, nodes, event.node, event.place).map(({ node, place }) => {
      const isSaved = saved[node]?.includes(place) ?? false;
      return { node, place, memory, view, time, isSaved };
    });
  });
}

/**
 * The hazards among reads, in the order of the writes. A write beside what was read is none, nor is one over what no rule reads.
 * Cost: linear in the pairs of reads and writes of one memory.
 */
export function hazardsOf<S>({ events }: Recording<S>, reads: readonly ReadInPlace[]): Hazard[] {
  const writes = events.flatMap((event, time) => (event.kind === "write" ? [{ ...event, time }] : []));
  const hazards = reads.flatMap((read): Hazard[] => {
    if (!read.isSaved) return [];
    const write = writes.find(
      ({ time, memory, view }) => time > read.time && memory === read.memory && overlap(view, read.view),
    );
    return write === undefined
      ? []
      : [{ read, statement: write.statement, time: write.time, before: write.before }];
  });
  return hazards.sort((a, b) => a.time - b.time || a.read.node - b.read.node);
}

/** By id, which operands the rule of a node reads for cotangents that go on to an input. */
function savedOperands({ graph }: Expansion<PrimitiveGraph>): readonly (readonly number[])[] {
  const shapes = shapesOf(graph);
  const environment = new Map(graph.environment.map((entry) => [entry.name, entry]));
  const dependsOnInput = graph.inputs.map(() => true);
  const saved: (readonly number[])[] = graph.inputs.map(() => []);
  for (const node of graph.nodes) {
    const operands = node.parents.map((id) => at(shapes, id));
    const value = at(shapes, saved.length);
    const { needs } = needsOf(node, { operands, value }, entriesNamedBy(node, environment));
    const wanted = needs.filter(
      (need, place) => need !== undefined && dependsOnInput[at(node.parents, place)],
    );
    saved.push([...new Set(wanted.flatMap((need) => need?.operands ?? []))]);
    dependsOnInput.push(wanted.length > 0);
  }
  return saved;
}

function nodesByOrigin({ origins }: Expansion<PrimitiveGraph>): ReadonlyMap<NodeId, readonly NodeId[]> {
  const nodes = new Map<NodeId, NodeId[]>();
  for (const [id, origin] of origins.entries()) {
    const known = nodes.get(origin);
    if (known === undefined) nodes.set(origin, [nodeId(id)]);
    else known.push(nodeId(id));
  }
  return nodes;
}

/** Where in the expansion an operand of a node of the recorded graph is read. */
function operandsInPlace<S>(
  { graph }: Recording<S>,
  { graph: expanded, ids }: Expansion<PrimitiveGraph>,
  nodes: ReadonlyMap<NodeId, readonly NodeId[]>,
  node: NodeId,
  place: number,
): { readonly node: NodeId; readonly place: number }[] {
  const written = present(graph.nodes[node - graph.inputs.length], "a node that read something");
  const operand = at(ids, at(written.parents, place));
  const own = nodes.get(node) ?? [];
  return own.flatMap((id) => {
    const parents = expanded.nodes[id - expanded.inputs.length]?.parents ?? [];
    return parents.flatMap((parent, at) =>
      parent === operand && (!isPrimitiveNode(written) || at === place) ? [{ node: id, place: at }] : [],
    );
  });
}
