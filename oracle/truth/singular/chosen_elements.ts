import { type Context, type Tensor, tensor } from "../../../reference/index.ts";
import type { CompositeName } from "../../../spec/composites/index.ts";
import { at, type NodeId, present, type Shape } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { type FloatSet, union } from "../sets/float_set.ts";

/** Every element of these composites' values is an element of the operand. */
const choosing: ReadonlySet<CompositeName> = new Set(["max", "min", "sort"]);

/**
 * Returns the value of a composite that ends at an id and chooses elements: which of them is open where one
 * is NaN, and NaN is one of the answers. `undefined` for other composites.
 */
export function chosenElements(
  { applications }: PrimitiveCase,
  id: NodeId,
  shape: Shape,
  context: Context<FloatSet>,
): Tensor<FloatSet> | undefined {
  const application = applications.findLast(({ value }) => value === id);
  if (application === undefined) return undefined;
  const { op, parents } = application.node;
  const [first, second] = parents.map((parent) => present(context[parent], "an operand").data);
  if (op === "minimum" && first && second)
    return tensor(shape, (position) => union(at(first, position), at(second, position)));
  if (!choosing.has(op) || first === undefined || first.length === 0) return undefined;
  const all = union(...first);
  return tensor(shape, () => all);
}
