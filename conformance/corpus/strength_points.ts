import type { VectorText } from "./vector_text.ts";

/** One elementwise operator at points that expose a planted fault. */
interface Applied {
  readonly name: string;
  readonly note: string;
  readonly op: string;
  readonly attributes?: object;
  /** One list of elements for each operand. */
  readonly operands: readonly (readonly number[])[];
}

const applied: readonly Applied[] = [
  {
    name: "pow_negative_base",
    note: "whole powers of negative numbers have a value, which no logarithm gives",
    op: "pow",
    operands: [
      [-2, -3, -0.5],
      [2, 3, 1],
    ],
  },
  {
    name: "pow_exponent_zero",
    note: "x⁰ is constant in x, at 0 too",
    op: "pow",
    operands: [
      [0, 2],
      [0, 0],
    ],
  },
  {
    name: "pow_base_zero",
    note: "0² is constant in the exponent: 0 · log 0 counts as 0",
    op: "pow",
    operands: [
      [0, 0],
      [2, 3],
    ],
  },
  {
    name: "equal_signed_zeros",
    note: "0 and −0 are equal numbers",
    op: "equal",
    operands: [
      [0, -0, 1, 2],
      [-0, 0, 1, 3],
    ],
  },
  {
    name: "less_equal_ties",
    note: "less_equal on both sides of a tie and at it",
    op: "less_equal",
    operands: [
      [1, 2, 3],
      [2, 2, 2],
    ],
  },
  {
    name: "logical_or_both",
    note: "the truth of two truths is 1",
    op: "logical_or",
    operands: [
      [1, 0, 2, 0],
      [1, 0, 0, -3],
    ],
  },
  { name: "abs_at_zero", note: "|x| on both sides and at 0", op: "abs", operands: [[0, 2, -3]] },
  { name: "square", note: "x² reads x twice", op: "square", operands: [[3, -5]] },
  {
    name: "minimum_ties",
    note: "ties of minimum, by the convention for ties",
    op: "minimum",
    operands: [
      [1, 2, 5],
      [1, 3, 4],
    ],
  },
  {
    name: "clip_at_bounds",
    note: "inside, outside and at the bounds: there the cotangent belongs to x",
    op: "clip",
    operands: [
      [1, 3, 2, 0, 9],
      [1, 1, 1, 1, 1],
      [3, 3, 3, 3, 3],
    ],
  },
  {
    name: "remainder_signs",
    note: "the remainder has the sign of the divisor, and the divisor a derivative",
    op: "remainder",
    operands: [
      [7, -7, 7, -7],
      [3, 3, -3, -3],
    ],
  },
  {
    name: "copysign_of_negative",
    note: "the derivative is −1 where a sign is turned",
    op: "copysign",
    operands: [
      [-5, 5, -5, 5],
      [3, -3, -3, 3],
    ],
  },
  {
    name: "round_halves",
    note: "halves are rounded to even",
    op: "round",
    operands: [[0.5, 1.5, 2.5, -0.5, -1.5, 2.25, -2.75]],
  },
  { name: "sigmoid", note: "s · (1 − s)", op: "sigmoid", operands: [[-2, 0.5, 3]] },
  {
    name: "silu",
    note: "x · sigmoid x: both factors have a derivative",
    op: "silu",
    operands: [[-2, 0.5, 3]],
  },
  {
    name: "softplus_large",
    note: "softplus is not yet x at 5 or 20",
    op: "softplus",
    operands: [[-3, 1, 5, 20]],
  },
  {
    name: "leaky_relu_steep",
    note: "a slope over one, and one below zero: the operand decides, not the result",
    op: "leaky_relu",
    attributes: { slope: 2 },
    operands: [[-1, 1]],
  },
  {
    name: "elu_alpha",
    note: "left of 0 the derivative is α · eˣ",
    op: "elu",
    attributes: { alpha: 1.5 },
    operands: [[-2, 1]],
  },
  {
    name: "gelu_erf",
    note: "gelu by the error function, of which others are approximations",
    op: "gelu",
    attributes: { approximate: "none" },
    operands: [[-1, 1, 2]],
  },
  {
    name: "logaddexp_both",
    note: "the derivatives of logaddexp sum to 1",
    op: "logaddexp",
    operands: [
      [1, 3, 2],
      [2, 1, 2],
    ],
  },
];

/** Vectors of elementwise operators that expose a planted fault: each point with its own cotangent. */
export const strengthPoints: readonly VectorText[] = applied.map(
  ({ name, note, op, attributes, operands }) => {
    const size = operands[0]?.length ?? 0;
    return {
      name,
      clause: "2.5",
      note,
      inputs: Object.fromEntries(operands.map((elements, n) => [`x${n}`, [[size], elements] as const])),
      nodes: [attributes === undefined ? [op, inputsOf(operands)] : [op, inputsOf(operands), attributes]],
      seeds: { [operands.length]: [[size], Array.from({ length: size }, (_, i) => 1.5 + i / 4)] },
    };
  },
);

function inputsOf(operands: readonly unknown[]): readonly number[] {
  return operands.map((_, n) => n);
}

/** One operator on one tensor that exposes a planted fault. */
interface Arranged {
  readonly name: string;
  readonly note: string;
  readonly op: string;
  readonly attributes: object;
  readonly shape: readonly number[];
  readonly elements: readonly number[];
  /** The shape of the result. */
  readonly to: readonly number[];
}

const square = { shape: [3, 3], elements: [1, 2, 3, 4, 5, 6, 7, 8, 9], to: [3, 3] };
const rows = { shape: [2, 3], elements: [2, -3, 4, 5, 7, -6], to: [2] };
const alongRows = { axes: [1], keepdims: false };

const arranged: readonly Arranged[] = [
  { name: "mean_of_rows", note: "the mean of three of six", op: "mean", attributes: alongRows, ...rows },
  { name: "prod_of_signs", note: "a product of both signs", op: "prod", attributes: alongRows, ...rows },
  {
    name: "norm_of_rows",
    note: "nothing is added below the root",
    op: "norm",
    attributes: alongRows,
    ...rows,
  },
  {
    name: "var_corrected",
    note: "the sum of squares divided by two, not three",
    op: "var",
    attributes: { ...alongRows, correction: 1 },
    ...rows,
  },
  {
    name: "max_ties",
    note: "several largest elements: the first receives the cotangent",
    op: "max",
    attributes: alongRows,
    ...rows,
    elements: [4, 4, 1, 2, 5, 5],
  },
  {
    name: "cumulative_prod_of_signs",
    note: "products of both signs, row by row",
    op: "cumulative_prod",
    attributes: { axis: 1 },
    ...rows,
    to: [2, 3],
  },
  { name: "flip_rows", note: "the first row last", op: "flip", attributes: { axes: [0] }, ...square },
  { name: "roll_by_one", note: "to the right", op: "roll", attributes: { shift: 1, axis: 1 }, ...square },
  {
    name: "tril",
    note: "what is cut off receives nothing",
    op: "tril",
    attributes: { offset: 0 },
    ...square,
  },
  {
    name: "triu",
    note: "nothing below the diagonal is kept",
    op: "triu",
    attributes: { offset: 0 },
    ...square,
  },
  {
    name: "sort_rows",
    note: "the cotangent goes back to where an element came from",
    op: "sort",
    attributes: { axis: 1, descending: false },
    ...rows,
    to: [2, 3],
  },
  {
    name: "trace_beside",
    note: "the next diagonal",
    op: "trace",
    attributes: { offset: 1 },
    ...square,
    to: [],
  },
];

/** Vectors of moves and reductions that expose a planted fault: one node, generic cotangents. */
export const strengthArrangements: readonly VectorText[] = arranged.map(
  ({ name, note, op, attributes, shape, elements, to }) => {
    const size = to.reduce((product, extent) => product * extent, 1);
    const cotangents = Array.from({ length: size }, (_, i) => 1.5 + i * i);
    return {
      name,
      clause: "2.5",
      note,
      inputs: { x: [shape, elements] },
      nodes: [[op, [0], attributes]],
      seeds: { 1: [to, cotangents] },
    };
  },
);
