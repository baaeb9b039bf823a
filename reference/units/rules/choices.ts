import type { Choices } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { Rational } from "../../algebras/rational.ts";
import { known } from "../constants.ts";
import type { DimensionRulesOf } from "../rule.ts";
import { askAlike, askSame, comparing, folded, ofNumbers, pointwise } from "./pointwise.ts";

const { field } = known;

function truth(holds: boolean | undefined): Rational | undefined {
  return holds === undefined ? undefined : holds ? known.one : known.zero;
}

function larger(x: Rational, y: Rational): Rational {
  return field.less(x, y) === true ? y : x;
}

/** Compared values have one dimension; so have alternatives if it is not known which is chosen. */
export const choices: DimensionRulesOf<keyof Choices> = {
  relu: pointwise(
    askAlike([0]),
    folded((x) => larger(x, known.zero)),
  ),
  floor: pointwise(
    ofNumbers,
    folded((x) => field.floor(x)),
  ),
  maximum: pointwise(
    askAlike([0, 1]),
    folded((x, y) => larger(x, y)),
  ),
  less: pointwise(
    comparing,
    folded((x, y) => truth(field.less(x, y))),
  ),
  equal: pointwise(
    comparing,
    folded((x, y) => truth(field.equal(x, y))),
  ),
  where: pointwise(
    (node, operands, result) => {
      const condition = node.constants[0];
      if (condition === undefined) return askAlike([1, 2])(node, operands, result);
      const chosen = known.isZero(condition) ? 2 : 1;
      if (!node.isZero(chosen)) askSame(node, "result", result, at(operands, chosen));
    },
    ({ constants: [condition, x, y] }) => {
      if (condition !== undefined) return known.isZero(condition) ? y : x;
      return x !== undefined && y !== undefined && field.equal(x, y) === true ? x : undefined;
    },
  ),
};
