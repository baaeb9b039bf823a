import { type CompositeName, composites } from "../composites/index.ts";
import { isNode } from "../construction/construction.ts";
import type { Graph } from "../graph/index.ts";
import { InvariantError, nodeId } from "../shapes/index.ts";

/** Returns the graph that applies a composite to its row's example: an input for each operand, one node. */
export function exampleOf(op: CompositeName): Graph {
  const { attributes, operands, environment = [] } = composites[op].example;
  const node = { op, attributes, parents: operands.map((_, place) => nodeId(place)) };
  if (!isNode(node)) throw new InvariantError(`the example of ${op} has other attributes than its row lists`);
  const inputs = operands.map((shape, place) => ({ name: `x${place}`, shape }));
  return { format: "adjudge.graph.v1", inputs, environment, nodes: [node] };
}
