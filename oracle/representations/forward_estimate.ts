import type { Derived } from "../../spec/derivatives/index.ts";
import { derive, shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, PrimitiveNode } from "../../spec/graph/index.ts";
import { at, type Issue, type NodeId, nodeId, ok, type Result } from "../../spec/shapes/index.ts";

/**
 * Writes the forward gradient (∇f · v) v as a graph, where f adds up all elements of `of`: its inputs are
 * those of `graph`, then a direction v for each of `wrt`, which are inputs; its results are an estimate for
 * each of `wrt`. Law: over independent directions of ±1 the mean of the results is the gradient. Fails: as
 * {@link derive} does.
 */
export function forwardEstimate(
  graph: Graph,
  of: readonly NodeId[],
  wrt: readonly NodeId[],
  mostNodes: number,
): Result<Derived, Issue[]> {
  const derived = derive(graph, { mode: "jvp", of, wrt }, mostNodes);
  if (!derived.ok) return derived;
  const { graph: pushed, results, seeds } = derived.value;
  const shapes = shapesOf(pushed);
  const nodes: PrimitiveNode[] = [...pushed.nodes];
  const append = (node: PrimitiveNode): NodeId => {
    nodes.push(node);
    return nodeId(pushed.inputs.length + nodes.length - 1);
  };
  const totals = results.map((id): NodeId => {
    const axes = at(shapes, id).map((_, axis) => axis);
    return axes.length === 0
      ? id
      : append({ op: "sum", attributes: { axes, keepdims: false }, parents: [id] });
  });
  const slope = totals.reduce((sum, total) => append({ op: "add", attributes: {}, parents: [sum, total] }));
  const estimates = seeds.map((seed): NodeId => {
    const shape = at(shapes, seed);
    const spread =
      shape.length === 0 ? slope : append({ op: "broadcast_to", attributes: { shape }, parents: [slope] });
    return append({ op: "multiply", attributes: {}, parents: [spread, seed] });
  });
  return ok({ graph: { ...pushed, nodes }, seeds, results: estimates });
}
