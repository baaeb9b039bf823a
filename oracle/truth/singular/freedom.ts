import { type Context, map, type Tensor } from "../../../reference/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { anything, type FloatSet, mayBe, ofKinds, union, withoutSigns } from "../sets/float_set.ts";

/** These operators only move elements. */
export const moving: ReadonlySet<PrimitiveName> = new Set([
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "take",
  "slice",
  "pad",
  "take_along_axis",
  "gather",
]);

/** IEEE 754 fixes the sign of these operators' zeros (§6.3), or they pass on a zero as it is. */
const signing: ReadonlySet<PrimitiveName> = new Set([
  ...moving,
  "constant",
  "stop_gradient",
  "negative",
  "sqrt",
  "add",
  "subtract",
  "multiply",
  "divide",
  "where",
]);

/** Every engine writes these operators' derivatives alike, with no factor that could be 0. */
export const plain: ReadonlySet<PrimitiveName> = new Set([
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "slice",
  "pad",
  "stop_gradient",
  "negative",
  "add",
  "subtract",
  "sum",
]);

/** Opens choices by a NaN, which some engines pass on, and the signs of zeros but for {@link signing}. */
export function withFreedom(
  { op, parents }: PrimitiveNode,
  value: Tensor<FloatSet>,
  context: Context<FloatSet>,
): Tensor<FloatSet> {
  if (op !== "relu" && op !== "maximum" && op !== "where")
    return signing.has(op) ? value : map(value, withoutSigns);
  return map(value, (set, position) => {
    const operands = parents.map((parent) => context[parent]?.data[position] ?? anything);
    const deciding = op === "where" ? operands.slice(0, 1) : operands;
    const choices = op === "where" ? operands.slice(1) : [...operands, ofKinds("0")];
    const isOpen = deciding.some((operand) => mayBe(operand, "nan"));
    const chosen = isOpen ? union(set, ...choices) : set;
    return op === "where" ? chosen : withoutSigns(chosen);
  });
}
