import type { Graph, Node } from "../../../reference/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { primitives } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";

/**
 * Returns a graph's meaning in which a node that only moves and adds numbers has as its tangent its value at
 * the operands' tangents.
 * Law: that is the second part of its value over dual numbers, of which each part is moved and added alike.
 * Cost: half of that.
 */
export function withLinearTangents<S>({ nodes }: PrimitiveGraph, meaning: Graph<S>): Graph<S> {
  const linear = meaning.nodes.map((node, index): Node<S> => {
    const { op } = at(nodes, index);
    // An additive operator has no other operations, but for one that detaches its operand.
    if (primitives[op].needs !== "additive" || op === "stop_gradient" || node.reads.length === 0) return node;
    return { ...node, jvp: (_, tangents, environment) => node.forward(tangents, environment) };
  });
  return { inputs: meaning.inputs, nodes: linear };
}
