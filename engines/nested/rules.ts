import type { Derived } from "../../spec/derivatives/index.ts";
import { derive } from "../../spec/expansion/index.ts";
import type { PrimitiveNode } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { InvariantError, nodeId, type Shape } from "../../spec/shapes/index.ts";

/** A primitive applied to operands of these shapes. */
export interface Applied {
  readonly node: PrimitiveNode;
  readonly shapes: readonly Shape[];
  readonly environment: readonly EnvironmentEntry[];
}

/**
 * Returns the derivative of one node as a small graph: `jvp` along the operands `wrt`, or `vjp` to one of
 * them. Its inputs are the operands, then the tangents or the cotangent.
 */
export function ruleOf(
  { node, shapes, environment }: Applied,
  mode: "vjp" | "jvp",
  wrt: readonly number[],
): Derived {
  const derived = derive(
    {
      format: "adjudge.graph.v1",
      inputs: shapes.map((shape, place) => ({ name: `operand ${place}`, shape })),
      environment,
      nodes: [{ ...node, parents: shapes.map((_, place) => nodeId(place)) }],
    },
    { mode, of: [nodeId(shapes.length)], wrt: wrt.map((place) => nodeId(place)) },
  );
  if (!derived.ok) throw new InvariantError("a node has a value, and operands");
  return derived.value;
}

/** Says whether the result of a rule is a zero that needs no computation. */
export function isZero({ graph, results }: Derived): boolean {
  const [result = nodeId(0)] = results;
  const node = graph.nodes[result - graph.inputs.length];
  return node?.op === "full" && node.attributes.value === 0;
}

/** Says whether a node of a rule is the operator itself on its operands, whose value is known. */
export function isApplied(candidate: PrimitiveNode, { node, shapes }: Applied): boolean {
  return (
    candidate.op === node.op &&
    candidate.parents.length === shapes.length &&
    candidate.parents.every((id, place) => id === place) &&
    JSON.stringify(candidate.attributes) === JSON.stringify(node.attributes)
  );
}
