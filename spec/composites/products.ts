import { arrayApi, axisSchema, type NoAttributes } from "../operators/index.ts";
import type { Composite } from "./composite.ts";
import { refuseAxis, refuseDifferent } from "./refusals.ts";

/** The axis along which is multiplied and summed. */
export interface VecdotAttributes {
  readonly axis: number;
}

export const vecdot: Composite<VecdotAttributes> = {
  arity: 2,
  attributes: { axis: axisSchema },
  smoothness: "smooth",
  summary: "the sum along the axis of the products of elements at equal places",
  domain: "everywhere; 0 where the axis is empty",
  convention: "none needed",
  source: arrayApi("vecdot"),
  refuse: ({ axis }, operands) => refuseDifferent(operands) ?? refuseAxis(axis, operands[0] ?? []),
  example: {
    attributes: { axis: 1 },
    operands: [
      [2, 3],
      [2, 3],
    ],
  },
  expand: (_scope, { axis }, x, y) => x.multiply(y).sum({ axes: [axis], keepdims: false }),
};

export const outer: Composite<NoAttributes> = {
  arity: 2,
  attributes: {},
  smoothness: "smooth",
  summary: "the matrix of the products of each element of one vector with each of another",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("linalg.outer"),
  refuse: (_attributes, operands) =>
    operands.every(({ length }) => length === 1)
      ? undefined
      : { code: "shape/rank", message: "an operand is no vector.", hint: "reshape both to rank 1" },
  example: { attributes: {}, operands: [[2], [3]] },
  expand: (_scope, _attributes, x, y) => {
    const [rows = 0] = x.shape;
    const [columns = 0] = y.shape;
    return x.reshape({ shape: [rows, 1] }).multiply(y.reshape({ shape: [1, columns] }));
  },
};
