import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph, PrimitiveNode } from "../../../spec/graph/index.ts";
import { primitives } from "../../../spec/operators/index.ts";
import type { Need } from "../../../spec/shapes/index.ts";

/**
 * Tells whether no exact numerator of a graph can have more than `most` factors: its multiplicative degree,
 * which an elementary function makes infinite. Exact numbers have about `degree` times the bits of the
 * inputs. Cost: linear.
 */
export function isOfDegree(graph: PrimitiveGraph, most: number): boolean {
  const degrees = graph.inputs.map(() => 1);
  const shapes = shapesOf(graph);
  for (const node of graph.nodes) {
    const parents = node.parents.map((id) => degrees[id] ?? 1);
    const order = shapes[node.parents[0] ?? 0]?.at(-1) ?? 0;
    const degree = degreeOf(node, parents, order);
    if (degree > most) return false;
    degrees.push(degree);
  }
  return true;
}

function degreeOf({ op }: PrimitiveNode, parents: readonly number[], order: number): number {
  // A determinant is a product of as many entries as there are rows; a solution is a quotient of two.
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
      // The degree is at least 1: a number without parents is as long as an input.
      return Math.max(
        1,
        parents.reduce((total, degree) => total + degree, 0),
      );
    default:
      return Math.max(1, ...parents);
  }
}
