import type { CompositeAttributes } from "../../../spec/index.ts";
import type { Numbers } from "./arrays.test.kit.ts";
import type { ShapedName } from "./naive.test.kit.ts";

/** A composite's value and what it pulls back at one point are computed by hand. */
export interface Telling<A> {
  readonly why: string;
  readonly attributes: A;
  readonly operands: readonly Numbers[];
  /** The entry `labels` of Δ. */
  readonly labels?: readonly number[];
  readonly value: Numbers;
  readonly cotangent: readonly number[];
  readonly bars: readonly (readonly number[])[];
}

const vector = (...data: readonly number[]): Numbers => ({ shape: [data.length], data });
const scalar = (x: number): Numbers => ({ shape: [], data: [x] });
const matrix = (...rows: readonly (readonly number[])[]): Numbers => ({
  shape: [rows.length, rows[0]?.length ?? 0],
  data: rows.flat(),
});

const drop = { axes: [0], keepdims: false } as const;
const { E, LN2, SQRT2 } = Math;

/** Points where careless expansions fail: ties, zeros, repetitions, edges of axes, empty axes. */
export const tellings: { readonly [K in ShapedName]: readonly Telling<CompositeAttributes[K]>[] } = {
  mean: [
    {
      why: "over a kept axis of two",
      attributes: { axes: [1], keepdims: true },
      operands: [matrix([1, 4, 1], [2, 6, -2])],
      value: matrix([2], [2]),
      cotangent: [3, 6],
      bars: [[1, 1, 1, 2, 2, 2]],
    },
  ],
  prod: [
    {
      why: "with one zero",
      attributes: drop,
      operands: [vector(2, 0, 3)],
      value: scalar(0),
      cotangent: [5],
      bars: [[0, 30, 0]],
    },
    {
      why: "with two zeros",
      attributes: drop,
      operands: [vector(2, 0, 0)],
      value: scalar(0),
      cotangent: [5],
      bars: [[0, 0, 0]],
    },
    {
      why: "of nothing",
      attributes: { axes: [0], keepdims: true },
      operands: [{ shape: [0, 2], data: [] }],
      value: matrix([1, 1]),
      cotangent: [5, 7],
      bars: [[]],
    },
  ],
  max: [
    {
      why: "with a tie of the second, third and fifth",
      attributes: drop,
      operands: [vector(1, 4, 4, 2, 4)],
      value: scalar(4),
      cotangent: [3],
      bars: [[0, 3, 0, 0, 0]],
    },
    {
      why: "over two axes named backwards, with a tie that only row-major order breaks",
      attributes: { axes: [2, 0], keepdims: false },
      operands: [{ shape: [2, 1, 2], data: [0, 5, 5, 1] }],
      value: vector(5),
      cotangent: [3],
      bars: [[0, 3, 0, 0]],
    },
    {
      why: "over the outer of two axes",
      attributes: { axes: [0], keepdims: true },
      operands: [matrix([1, 5], [3, 2], [3, 5])],
      value: matrix([3, 5]),
      cotangent: [7, 11],
      bars: [[0, 11, 7, 0, 0, 0]],
    },
  ],
  min: [
    {
      why: "with a tie of the first, third and last",
      attributes: drop,
      operands: [vector(-1, 4, -1, 2, -1)],
      value: scalar(-1),
      cotangent: [3],
      bars: [[3, 0, 0, 0, 0]],
    },
  ],
  var: [
    {
      why: "of a sample",
      attributes: { ...drop, correction: 1 },
      operands: [vector(1, 2, 6)],
      value: scalar(7),
      cotangent: [1],
      bars: [[-2, -1, 3]],
    },
    {
      why: "of deviations that are small beside the mean",
      attributes: { axes: [0], keepdims: true, correction: 0 },
      operands: [vector(2 ** 40 - 1, 2 ** 40 + 1)],
      value: vector(1),
      cotangent: [3],
      bars: [[-3, 3]],
    },
  ],
  logsumexp: [
    {
      why: "at a tie of the largest",
      attributes: drop,
      operands: [vector(5, 5)],
      value: scalar(5 + LN2),
      cotangent: [4],
      bars: [[2, 2]],
    },
    {
      why: "of numbers whose exponentials are no floats",
      attributes: { axes: [1], keepdims: true },
      operands: [matrix([1000, 999], [-1000, -2000])],
      value: matrix([1000 + Math.log1p(1 / E)], [-1000]),
      cotangent: [1, 1],
      bars: [[E / (E + 1), 1 / (E + 1), 1, 0]],
    },
  ],
  norm: [
    {
      why: "of 3 and −4, and of 1 and 1",
      attributes: { axes: [1], keepdims: false },
      operands: [matrix([3, -4], [1, 1])],
      value: vector(5, SQRT2),
      cotangent: [10, SQRT2],
      bars: [[6, -8, 1, 1]],
    },
  ],
  cumulative_prod: [
    {
      why: "with a zero in the middle",
      attributes: { axis: 0 },
      operands: [vector(2, 0, 3, 5)],
      value: vector(2, 0, 0, 0),
      cotangent: [1, 10, 100, 1000],
      bars: [[1, 20 + 600 + 30_000, 0, 0]],
    },
  ],
  argmax: [
    {
      why: "with a tie, which nothing is pulled back through",
      attributes: { axis: 1, keepdims: true },
      operands: [matrix([1, 7, 7], [3, 2, 1])],
      value: matrix([1], [0]),
      cotangent: [5, 5],
      bars: [[0, 0, 0, 0, 0, 0]],
    },
  ],
  stack: [
    {
      why: "along a new last axis",
      attributes: { axis: 1 },
      operands: [vector(1, 2), vector(3, 4)],
      value: matrix([1, 3], [2, 4]),
      cotangent: [5, 6, 7, 8],
      bars: [
        [5, 7],
        [6, 8],
      ],
    },
  ],
  split: [
    {
      why: "the second of three parts",
      attributes: { axis: 0, sections: 3, part: 1 },
      operands: [vector(1, 2, 3, 4, 5, 6)],
      value: vector(3, 4),
      cotangent: [7, 9],
      bars: [[0, 0, 7, 9, 0, 0]],
    },
  ],
  flip: [
    {
      why: "of the columns alone",
      attributes: { axes: [1] },
      operands: [matrix([1, 2, 3], [4, 5, 6])],
      value: matrix([3, 2, 1], [6, 5, 4]),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [[3, 2, 1, 6, 5, 4]],
    },
  ],
  roll: [
    {
      why: "backwards, by more than the extent",
      attributes: { shift: -4, axis: 0 },
      operands: [vector(1, 2, 3)],
      value: vector(2, 3, 1),
      cotangent: [10, 20, 30],
      bars: [[30, 10, 20]],
    },
  ],
  tile: [
    {
      why: "along a new axis and its own",
      attributes: { repetitions: [2, 2] },
      operands: [vector(1, 2)],
      value: matrix([1, 2, 1, 2], [1, 2, 1, 2]),
      cotangent: [1, 2, 3, 4, 50, 60, 70, 80],
      bars: [[1 + 3 + 50 + 70, 2 + 4 + 60 + 80]],
    },
  ],
  one_hot: [
    {
      why: "with a class twice and one never",
      attributes: { indices: "labels", classes: 3 },
      operands: [],
      labels: [2, 0, 2],
      value: matrix([0, 0, 1], [1, 0, 0], [0, 0, 1]),
      cotangent: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      bars: [],
    },
  ],
  diagonal: [
    {
      why: "one below the main one of a wide matrix",
      attributes: { offset: -1 },
      operands: [matrix([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12])],
      value: vector(5, 10),
      cotangent: [3, 4],
      bars: [[0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0]],
    },
    {
      why: "the last one of a wide matrix",
      attributes: { offset: 2 },
      operands: [matrix([1, 2, 3], [4, 5, 6])],
      value: vector(3),
      cotangent: [7],
      bars: [[0, 0, 7, 0, 0, 0]],
    },
    {
      why: "outside the matrix",
      attributes: { offset: -5 },
      operands: [matrix([1, 2], [3, 4])],
      value: vector(),
      cotangent: [],
      bars: [[0, 0, 0, 0]],
    },
  ],
  tril: [
    {
      why: "below the main diagonal",
      attributes: { offset: -1 },
      operands: [matrix([1, 2], [3, 4], [5, 6])],
      value: matrix([0, 0], [3, 0], [5, 6]),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [[0, 0, 3, 0, 5, 6]],
    },
  ],
  triu: [
    {
      why: "with the diagonal below the main one",
      attributes: { offset: -1 },
      operands: [matrix([1, 2], [3, 4], [5, 6])],
      value: matrix([1, 2], [3, 4], [0, 6]),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [[1, 2, 3, 4, 0, 6]],
    },
  ],
  sort: [
    {
      why: "with repeated values, whose cotangents keep their order",
      attributes: { axis: 0, descending: false },
      operands: [vector(3, 1, 3, 1, 2)],
      value: vector(1, 1, 2, 3, 3),
      cotangent: [10, 20, 30, 40, 50],
      bars: [[40, 10, 50, 20, 30]],
    },
    {
      why: "downwards with repeated values, whose cotangents keep their order",
      attributes: { axis: 1, descending: true },
      operands: [matrix([1, 3, 1], [2, 2, 5])],
      value: matrix([3, 1, 1], [5, 2, 2]),
      cotangent: [10, 20, 30, 40, 50, 60],
      bars: [[20, 10, 30, 50, 60, 40]],
    },
  ],
  top_k: [
    {
      why: "with a tie at the edge",
      attributes: { axis: 0, k: 2 },
      operands: [vector(2, 5, 2, 1)],
      value: vector(5, 2),
      cotangent: [10, 20],
      bars: [[20, 10, 0, 0]],
    },
  ],
  vecdot: [
    {
      why: "along the outer axis",
      attributes: { axis: 0 },
      operands: [matrix([1, 2], [3, 4]), matrix([5, 6], [7, 8])],
      value: vector(26, 44),
      cotangent: [1, 10],
      bars: [
        [5, 60, 7, 80],
        [1, 20, 3, 40],
      ],
    },
  ],
  outer: [
    {
      why: "of vectors of different lengths",
      attributes: {},
      operands: [vector(2, 3), vector(5, 7, 11)],
      value: matrix([10, 14, 22], [15, 21, 33]),
      cotangent: [1, 0, 0, 0, 2, 3],
      bars: [
        [5, 47],
        [2, 6, 9],
      ],
    },
  ],
  einsum: [
    {
      why: "a matrix product transposed",
      attributes: { equation: "ij,jk->ki" },
      operands: [matrix([1, 2], [3, 4]), matrix([5], [6])],
      value: matrix([17, 39]),
      cotangent: [1, 10],
      bars: [
        [5, 6, 50, 60],
        [31, 42],
      ],
    },
    {
      why: "a trace",
      attributes: { equation: "ii->" },
      operands: [matrix([1, 2], [3, 4])],
      value: scalar(5),
      cotangent: [3],
      bars: [[3, 0, 0, 3]],
    },
    {
      why: "a product of sums",
      attributes: { equation: "i,j->" },
      operands: [vector(1, 2), vector(3, 4)],
      value: scalar(21),
      cotangent: [2],
      bars: [
        [14, 14],
        [6, 6],
      ],
    },
  ],
  trace: [
    {
      why: "of the diagonal above the main one of a wide matrix",
      attributes: { offset: 1 },
      operands: [matrix([1, 2, 3], [4, 5, 6])],
      value: scalar(8),
      cotangent: [3],
      bars: [[0, 3, 0, 0, 0, 3]],
    },
  ],
  inv: [
    {
      why: "of a matrix whose first pivot is 0",
      attributes: {},
      operands: [matrix([0, 2], [4, 2])],
      // The cotangent of A is −A⁻ᵀ C A⁻ᵀ.
      value: matrix([-0.25, 0.25], [0.5, 0]),
      cotangent: [16, 0, 0, 0],
      bars: [[-1, 2, 1, -2]],
    },
  ],
  cholesky: [
    {
      why: "of a matrix that is not symmetric, as of its symmetric part",
      attributes: { upper: false },
      operands: [matrix([4, 3], [1, 10])],
      value: matrix([2, 0], [1, 3]),
      cotangent: [0, 5, 6, 12],
      // L₂₁ = s/√a and L₂₂ = √(d − s²/a), where s is half of the sum of the two others; L₁₂ is 0.
      bars: [[-0.75 + 0.5, 0.5, 0.5, 2]],
    },
  ],
  triangular_solve: [
    {
      why: "with an upper triangle that is not read",
      attributes: { upper: false },
      operands: [matrix([2, 77], [3, 4]), matrix([4], [14])],
      value: matrix([2], [2]),
      cotangent: [0, 8],
      bars: [
        [6, 0, -4, -4],
        [-3, 2],
      ],
    },
    {
      why: "with a lower triangle that is not read",
      attributes: { upper: true },
      operands: [matrix([2, 3], [77, 4]), matrix([10], [8])],
      value: matrix([2], [2]),
      cotangent: [8, 0],
      bars: [
        [-8, -8, 0, 6],
        [4, -3],
      ],
    },
  ],
};
