import type { VectorText } from "./vector_text.ts";

/** What is said of one elementwise operator at telling points. */
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

/** Elementwise operators where a planted fault shows: one node, a vector of points, a cotangent of its own for each. */
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
