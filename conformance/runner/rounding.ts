import { isCompositeName, type OperatorName } from "../../spec/composites/index.ts";
import { exampleOf, expand } from "../../spec/expansion/index.ts";
import { binaryFunctions, type PrimitiveName, unaryFunctions } from "../../spec/operators/index.ts";

/** These primitives round, beside the elementary functions; the others move, choose, compare or count. */
const arithmetic: ReadonlySet<OperatorName> = new Set<PrimitiveName>([
  "add",
  "subtract",
  "multiply",
  "divide",
  "sum",
  "scatter_add",
  "cumulative_sum",
  "matmul",
  "solve",
  "det",
]);

/** These composites are written with products and sums of masks, signs and halves, which are exact. */
const exact: ReadonlySet<OperatorName> = new Set<OperatorName>([
  "abs",
  "copysign",
  "round",
  "tril",
  "triu",
  "max_pool",
]);

/**
 * Tells whether an operator rounds its value, so that an engine can declare how accurate it is. A composite
 * does if its example's expansion does. Cost: one expansion.
 */
export function roundsValue(op: OperatorName): boolean {
  if (!isCompositeName(op))
    return arithmetic.has(op) || Object.hasOwn(unaryFunctions, op) || Object.hasOwn(binaryFunctions, op);
  return !exact.has(op) && expand(exampleOf(op)).graph.nodes.some((node) => roundsValue(node.op));
}
