import {
  type Context,
  type Environment,
  map,
  type Node,
  type Tensor,
  tensor,
} from "../../../reference/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import { anything, type FloatSet, isOnly, mayBe, ofKinds, union } from "../sets/float_set.ts";
import { settled } from "../sets/set_algebra.ts";

/** Solves for one unknown, or one whose column is 0: infinite by a pivot of 0, or NaN if it is refused. */
export function solvedAt(
  node: Node<FloatSet>,
  { parents }: PrimitiveNode,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
): Tensor<FloatSet> {
  const [matrices, sides] = parents.map((id) => present(context[id], "an operand"));
  const { shape, data } = present(matrices, "a matrix");
  const [order, columns] = [shape.at(-1) ?? 1, sides?.shape.at(-1) ?? 1];
  if (order === 1) return map(node.forward(context, environment), quotientOfPivot);
  return tensor(node.shape, (position) => {
    const row = Math.floor(position / columns);
    const first = Math.floor(row / order) * order * order + (row % order);
    const column = Array.from({ length: order }, (_, i) => data[first + i * order] ?? anything);
    return column.every((set) => isOnly(set, "0", "-0")) ? ofKinds("nan", "inf", "-inf") : anything;
  });
}

/** Opens a quotient by a pivot: it is NaN if a pivot of 0 is refused, and the sign of a zero may be lost. */
function quotientOfPivot(set: FloatSet): FloatSet {
  const infinities = mayBe(set, "inf", "-inf") ? [ofKinds("inf", "-inf")] : [];
  return union(settled(set), ofKinds("nan"), ...infinities);
}
