import { accumulating } from "../../oracle/truth/standard/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import { exampleOf, expand } from "../../spec/expansion/index.ts";
import { isPrimitiveName, type PrimitiveName } from "../../spec/operators/index.ts";

/** These add up inside their elimination, which bounds them whatever is declared. */
const eliminating: readonly PrimitiveName[] = ["solve", "det"];

/**
 * Says whether an operator adds anything up, in its value or derivatives, so that an engine can declare how.
 * A composite does if its example's expansion does. Cost: one expansion.
 */
export function addsUp(op: OperatorName): boolean {
  if (isPrimitiveName(op)) return accumulating.has(op) || eliminating.includes(op);
  return expand(exampleOf(op)).graph.nodes.some((node) => addsUp(node.op));
}
