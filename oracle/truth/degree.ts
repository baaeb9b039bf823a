import {
  type Need,
  type PrimitiveGraph,
  type PrimitiveNode,
  primitives,
  shapesOf,
} from "../../spec/index.ts";

/**
 * How many factors an exact numerator can have: the multiplicative degree of each id, infinite from the first
 * elementary function on. Exact numbers have about `degree` times the bits of the inputs.
 */
export function degreesOf(graph: PrimitiveGraph): number[] {
  const degrees = graph.inputs.map(() => 1);
  const shapes = shapesOf(graph);
  for (const node of graph.nodes) {
    const order = shapes[node.parents[0] ?? 0]?.at(-1) ?? 0;
    degrees.push(
      degreeOf(
        node,
        node.parents.map((id) => degrees[id] ?? 1),
        order,
      ),
    );
  }
  return degrees;
}

function degreeOf({ op }: PrimitiveNode, parents: readonly number[], order: number): number {
  // A determinant is a product of as many entries as there are rows; a solution, one over the other.
  if (op === "det" || op === "solve") {
    const [first = 1, ...others] = parents;
    return others.reduce((total, degree) => total + degree, Math.max(1, order * first));
  }
  return degreeFor(primitives[op].needs, parents);
}

function degreeFor(needs: Need, parents: readonly number[]): number {
  switch (needs) {
    case "real":
    case "orderedReal":
      return Number.POSITIVE_INFINITY;
    case "semiring":
    case "field":
    case "orderedField":
      // At least 1: a number without parents is as long as an input.
      return Math.max(
        1,
        parents.reduce((total, degree) => total + degree, 0),
      );
    default:
      return Math.max(1, ...parents);
  }
}
