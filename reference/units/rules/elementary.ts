import { type BinaryName, forUnary, type UnaryName } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { DimensionRulesOf } from "../rule.ts";
import { askAlike, askNumber, askSame, type BlockEquations, ofNumbers, pointwise } from "./pointwise.ts";

/** With a known exponent a power multiplies the dimension; else only a number has powers. */
const power: BlockEquations = (node, operands, result) => {
  const [x, y] = [at(operands, 0), at(operands, 1)];
  const exponent = node.constants[1];
  if (exponent === undefined) return ofNumbers(node, operands, result);
  askNumber(node, 1, y);
  // What is zero has every dimension, and so have its powers, but for the first of all, which is 1.
  if (node.isZero(0) && exponent.numerator !== 0n) return;
  node.ask("result", [result, exponent.denominator], [x, -exponent.numerator]);
};

/** Two squares: √(x²) has the dimension of x, and of anything else only a square root has half. */
const halved: BlockEquations = (node, [x = 0], result) => {
  if (!node.isZero(0)) node.ask("result", [result, 2n], [x, -1n]);
};

/** Functions of numbers, and the few that are homogeneous. */
export const elementary: DimensionRulesOf<UnaryName | BinaryName> = {
  ...forUnary(() => pointwise(ofNumbers)),
  sqrt: pointwise(halved),
  pow: pointwise(power),
  atan2: pointwise((node, operands, result) => {
    if (!node.isZero(0) && !node.isZero(1)) askSame(node, "agree", at(operands, 0), at(operands, 1));
    node.ask("result", [result, 1n]);
  }),
  hypot: pointwise(askAlike([0, 1])),
};
