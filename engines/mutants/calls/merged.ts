import { type Graph, type Node, type NodeId, nodeId } from "../../../spec/index.ts";

/**
 * The graph in which readers of a node read an earlier one of the same key instead, as after a search for common
 * subexpressions. The nodes themselves stay, with their ids. Nodes that are equal in every respect are left alone:
 * to merge those would be sound.
 */
export function merged(graph: Graph, keyOf: (node: Node, id: NodeId) => string): Graph {
  const first = new Map<string, { readonly id: NodeId; readonly text: string }>();
  const leaders = graph.inputs.map((_, id) => nodeId(id));
  const nodes: Node[] = [];
  for (const [n, original] of graph.nodes.entries()) {
    const id = nodeId(graph.inputs.length + n);
    const node = { ...original, parents: original.parents.map((parent) => leaders[parent] ?? parent) };
    const [key, text] = [keyOf(node, id), JSON.stringify(node)];
    const leader = first.get(key) ?? { id, text };
    first.set(key, leader);
    leaders.push(leader.text === text ? id : leader.id);
    nodes.push(node);
  }
  return { ...graph, nodes };
}
