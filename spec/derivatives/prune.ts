import { at } from "../at.ts";
import { type NodeId, nodeId, type PrimitiveGraph } from "../graph.ts";

/** A graph, and which of its ids are what it was written for. */
export interface Computed {
  readonly graph: PrimitiveGraph;
  readonly results: readonly NodeId[];
}

/** The graph without the nodes that no result depends on; inputs stay. Cost: linear in nodes and edges. */
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
