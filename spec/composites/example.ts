import { checkGraph } from "../documents/check.ts";
import type { Graph } from "../graph/graph.ts";
import { formatIssue, InvariantError } from "../shapes/result.ts";
import { type CompositeName, composites } from "./table.ts";

/** Returns the graph that applies a composite to its row's example: an input for each operand, one node. */
export function exampleOf(op: CompositeName): Graph {
  const { attributes, operands, environment = [] } = composites[op].example;
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: operands.map((shape, place) => ({ name: `x${place}`, shape })),
    environment,
    nodes: [{ op, attributes, parents: operands.map((_, place) => place) }],
  });
  if (!graph.ok) throw new InvariantError(`the example of ${op}: ${graph.error.map(formatIssue).join("; ")}`);
  return graph.value;
}
