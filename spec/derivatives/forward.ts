import type { Value } from "../construction/value.ts";
import type { NodeOf } from "../graph/index.ts";
import type { PrimitiveName } from "../operators/index.ts";
import { type NodeId, nodeId } from "../shapes/index.ts";
import type { Perturbation } from "./rule.ts";
import { appliedAt, type Traced } from "./traced.ts";

/**
 * Writes the forward sweep of a graph: the tangents at `of` along those of the inputs. Where nothing moves,
 * no node is written. Cost: linear in nodes and edges.
 */
export function pushForward(
  traced: Traced,
  seeds: ReadonlyMap<NodeId, Value>,
  of: readonly NodeId[],
): readonly Perturbation[] {
  const { graph } = traced;
  const tangents: Perturbation[] = graph.inputs.map((_, id) => seeds.get(nodeId(id)));
  graph.nodes.forEach((node, index) => {
    const along = node.parents.map((parent) => tangents[parent]);
    const moves = along.some((tangent) => tangent !== undefined);
    tangents.push(moves ? tangentOf(traced, node, nodeId(graph.inputs.length + index), along) : undefined);
  });
  return of.map((id) => tangents[id]);
}

function tangentOf<K extends PrimitiveName>(
  traced: Traced,
  node: NodeOf<K>,
  id: NodeId,
  along: readonly Perturbation[],
): Perturbation {
  return traced.rules[node.op].tangent(appliedAt(traced, node, id), along);
}
