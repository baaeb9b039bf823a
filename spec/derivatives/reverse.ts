import type { Value } from "../construction/value.ts";
import type { NodeOf } from "../graph/index.ts";
import type { PrimitiveName } from "../operators/index.ts";
import { type NodeId, nodeId, present } from "../shapes/index.ts";
import { type Perturbation, type Pull, plus } from "./rule.ts";
import { appliedAt, type Traced } from "./traced.ts";

/**
 * Writes a graph's reverse sweep: the cotangents at `wrt` from the seeds. They add up in the reference's
 * order [SEMANTICS §3.4]: onto a seed the latest reader's contribution first. Where nothing arrives, and
 * where nothing wanted lies behind, no node is written. Cost: linear in nodes and edges.
 */
export function pullBack(
  traced: Traced,
  seeds: ReadonlyMap<NodeId, Value>,
  wrt: readonly NodeId[],
): readonly Perturbation[] {
  const { graph } = traced;
  const leadsBack = dependents(graph.nodes, graph.inputs.length, wrt);
  const cotangents: Perturbation[] = leadsBack.map((_, id) => seeds.get(nodeId(id)));
  for (let index = graph.nodes.length - 1; index >= 0; index--) {
    const id = nodeId(graph.inputs.length + index);
    const c = cotangents[id];
    if (c === undefined || leadsBack[id] !== true) continue;
    const node = present(graph.nodes[index], "a node");
    const pulls = pullsOf(traced, node, id, c);
    for (const [parent, bar] of contributions(node.parents, pulls, leadsBack)) {
      cotangents[parent] = plus(cotangents[parent], bar);
    }
  }
  return wrt.map((id) => cotangents[id]);
}

/** Says for each id whether it is one of `roots` or depends on one. */
export function dependents(
  nodes: readonly { readonly parents: readonly NodeId[] }[],
  inputs: number,
  roots: readonly NodeId[],
): boolean[] {
  const depends = Array.from({ length: inputs + nodes.length }, () => false);
  for (const id of roots) depends[id] = true;
  nodes.forEach(({ parents }, index) => {
    if (parents.some((parent) => depends[parent])) depends[inputs + index] = true;
  });
  return depends;
}

function pullsOf<K extends PrimitiveName>(
  traced: Traced,
  node: NodeOf<K>,
  id: NodeId,
  c: Value,
): readonly (Pull | undefined)[] {
  return traced.rules[node.op].cotangents(appliedAt(traced, node, id), c);
}

/** Computes what a node pulls back to each parent: for one read at several places the sum, in order. */
function contributions(
  parents: readonly NodeId[],
  pulls: readonly (Pull | undefined)[],
  leadsBack: readonly boolean[],
): Map<NodeId, Value> {
  const bars = new Map<NodeId, Value>();
  parents.forEach((parent, place) => {
    const pull = leadsBack[parent] === true ? pulls[place] : undefined;
    if (pull === undefined) return;
    const bar = pull();
    bars.set(parent, bars.get(parent)?.add(bar) ?? bar);
  });
  return bars;
}
