import { type NodeOf, type PrimitiveGraph, type PrimitiveName, primitives } from "../../spec/index.ts";

/**
 * How many factors an exact numerator can have: the multiplicative degree of each id, infinite from the first
 * elementary function on. Exact numbers have about `degree` times the bits of the inputs.
 */
export function degreesOf(graph: PrimitiveGraph): number[] {
  const degrees = graph.inputs.map(() => 1);
  for (const node of graph.nodes)
    degrees.push(
      degreeOf(
        node,
        node.parents.map((id) => degrees[id] ?? 1),
      ),
    );
  return degrees;
}

function degreeOf<K extends PrimitiveName>(node: NodeOf<K>, parents: readonly number[]): number {
  const { needs } = primitives[node.op];
  switch (needs) {
    case "real":
    case "orderedReal":
      return Number.POSITIVE_INFINITY;
    case "semiring":
    case "field":
      // At least 1: a number without parents is as long as an input.
      return Math.max(
        1,
        parents.reduce((total, degree) => total + degree, 0),
      );
    default:
      return Math.max(1, ...parents);
  }
}
