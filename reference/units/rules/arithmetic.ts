import type { Arithmetic } from "../../../spec/operators/index.ts";
import { known } from "../constants.ts";
import type { DimensionRulesOf } from "../rule.ts";
import { askAlike, askPowers, folded, pointwise } from "./pointwise.ts";

const { field } = known;

/** Sums are of like things, products of any. */
export const arithmetic: DimensionRulesOf<keyof Arithmetic> = {
  stop_gradient: pointwise(
    askAlike([0]),
    folded((x) => x),
  ),
  negative: pointwise(
    askAlike([0]),
    folded((x) => field.negative(x)),
  ),
  add: pointwise(
    askAlike([0, 1]),
    folded((x, y) => field.add(x, y)),
  ),
  subtract: pointwise(
    askAlike([0, 1]),
    folded((x, y) => field.add(x, field.negative(y))),
  ),
  multiply: pointwise(askPowers([1n, 1n]), ({ constants: [x, y] }) => {
    if (known.isZero(x) || known.isZero(y)) return known.zero;
    return x === undefined || y === undefined ? undefined : field.multiply(x, y);
  }),
  divide: pointwise(askPowers([1n, -1n]), ({ constants: [x, y] }) => {
    if (known.isZero(y)) return undefined;
    if (known.isZero(x)) return known.zero;
    return x === undefined || y === undefined ? undefined : field.divide(x, y);
  }),
};
