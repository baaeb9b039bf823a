import type { CumulativeSumAttributes } from "../../spec/operators/index.ts";
import { type Additive, present, stridesOf } from "../../spec/shapes/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";
import { coordinatesOf } from "./index_map.ts";
import { operand, type Rule } from "./rule.ts";

/** Element `i` sums the first `i + 1` upwards from zero; its cotangent sums those from `i` on, downwards. */
export const cumulativeSum: Rule<"additive", CumulativeSumAttributes> = {
  forward: ({ algebra, attributes: { axis }, ...application }) =>
    running(algebra, operand(application, 0), axis, 1),
  vjp: ({ algebra, attributes: { axis } }, cotangent) => [running(algebra, cotangent, axis, -1)],
};

/** Sums along an axis up to each element, in a direction; each anew if the algebra has sums of its own. */
function running<S>(algebra: Additive<S>, x: Tensor<S>, axis: number, direction: 1 | -1): Tensor<S> {
  const stride = present(stridesOf(x.shape)[axis], "a stride");
  const first = direction === 1 ? 0 : present(x.shape[axis], "an extent") - 1;
  const { sum } = algebra;
  if (sum !== undefined) {
    return tensor(x.shape, (position) => {
      const steps = Math.abs(present(coordinatesOf(x.shape, position)[axis], "a coordinate") - first);
      return sum(Array.from({ length: steps + 1 }, (_, k) => at(x, position - direction * stride * k)));
    });
  }
  const sums = [...x.data];
  const order = direction === 1 ? [...sums.keys()] : [...sums.keys()].toReversed();
  for (const position of order) {
    const isFirst = coordinatesOf(x.shape, position)[axis] === first;
    const before = isFirst ? algebra.zero : present(sums[position - direction * stride], "the sum so far");
    sums[position] = algebra.add(before, at(x, position));
  }
  return { shape: x.shape, data: sums };
}
