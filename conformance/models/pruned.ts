import { entriesNamedBy, type Graph, type Node } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";

/** A graph without what no result depends on. */
export interface Pruned {
  readonly graph: Graph;
  /** The results have these ids now. */
  readonly ids: readonly NodeId[];
}

/** Leaves out the nodes and entries of Δ on which none of these results depends. All inputs stay. */
export function pruned(graph: Graph, results: readonly NodeId[]): Pruned {
  const { inputs, nodes } = graph;
  const isNeeded = new Set<number>(results);
  for (let place = nodes.length - 1; place >= 0; place--) {
    if (isNeeded.has(inputs.length + place))
      for (const parent of nodes[place]?.parents ?? []) isNeeded.add(parent);
  }
  const ids = new Map<number, NodeId>(inputs.map((_, id) => [id, nodeId(id)]));
  const kept: Node[] = [];
  for (const [place, node] of nodes.entries()) {
    const id = inputs.length + place;
    if (!isNeeded.has(id)) continue;
    ids.set(id, nodeId(inputs.length + kept.length));
    kept.push({ ...node, parents: node.parents.map((parent) => present(ids.get(parent), "an earlier id")) });
  }
  const declared = new Map(graph.environment.map((entry) => [entry.name, entry]));
  const named = new Set(kept.flatMap((node) => entriesNamedBy(node, declared)));
  const environment = graph.environment.filter((entry) => named.has(entry));
  return {
    graph: { ...graph, environment, nodes: kept },
    ids: results.map((id) => present(ids.get(id), "a result's id")),
  };
}
