import type { PrimitiveGraph } from "../graph/index.ts";
import { at, type NodeId, nodeId } from "../shapes/index.ts";

/** A graph, and which of its ids are what it was written for. */
export interface Computed {
  readonly graph: PrimitiveGraph;
  readonly results: readonly NodeId[];
}

/** Returns the graph without nodes that no result depends on [SEMANTICS §9.3]; inputs stay. Cost: linear. */
export function pruned(graph: PrimitiveGraph, results: readonly NodeId[]): Computed {
  const { inputs, nodes } = graph;
  const isRead = inputs.map(() => true).concat(nodes.map(() => false));
  for (const id of results) isRead[id] = true;
  for (let index = nodes.length - 1; index >= 0; index--) {
    if (isRead[inputs.length + index] !== true) continue;
    for (const parent of at(nodes, index).parents) isRead[parent] = true;
  }
  let next = 0;
  const ids = isRead.map((stays) => nodeId(stays ? next++ : 0));
  const kept = nodes.flatMap((node, index) =>
    isRead[inputs.length + index] === true
      ? [{ ...node, parents: node.parents.map((parent) => at(ids, parent)) }]
      : [],
  );
  return { graph: { ...graph, nodes: kept }, results: results.map((id) => at(ids, id)) };
}

/**
 * {@link pruned} for one of many results that a graph has, each of which depends on little of it.
 * Cost: that of sorting the nodes that it depends on, however many there are; the inputs are shared.
 */
export function prunedTo(graph: PrimitiveGraph, result: NodeId): Computed {
  const first = graph.inputs.length;
  const needed = new Set<NodeId>();
  const pending = [result];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id < first || needed.has(id)) continue;
    needed.add(id);
    for (const parent of at(graph.nodes, id - first).parents) pending.push(parent);
  }
  const kept = [...needed].sort((a, b) => a - b);
  const ids = new Map(kept.map((id, place) => [id, nodeId(first + place)]));
  const renamed = (id: NodeId): NodeId => ids.get(id) ?? id;
  const nodes = kept.map((id) => {
    const node = at(graph.nodes, id - first);
    return { ...node, parents: node.parents.map(renamed) };
  });
  return { graph: { ...graph, nodes }, results: [renamed(result)] };
}
