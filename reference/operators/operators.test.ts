import { describe, expect, test } from "vitest";
import {
  forUnary,
  type NoAttributes,
  type PrimitiveAttributes,
  type PrimitiveName,
  present,
  primitiveNames,
  type Shape,
  type UnaryName,
  unaryFunctions,
} from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import type { EnvironmentValue } from "../environment.ts";
import type { Tensor } from "../tensor.ts";
import { application, type Use, vjpOf } from "./apply.test.kit.ts";
import { rules } from "./rules.ts";

type Numbers = readonly number[];

/** A result computed by hand: operands, their value, a cotangent, and what it is pulled back to. */
interface Example<A> {
  readonly attributes: A;
  readonly operands: readonly Tensor<number>[];
  readonly value: Tensor<number>;
  readonly cotangent: Numbers;
  /** `undefined` where an operand is not differentiated. */
  readonly bars: readonly (Numbers | undefined)[];
}

const tensor = (shape: Shape, ...data: Numbers): Tensor<number> => ({ shape, data });
const vector = (...data: Numbers): Tensor<number> => tensor([data.length], ...data);

/** An elementwise example on vectors. */
const elementwise = (
  operands: readonly Numbers[],
  value: Numbers,
  cotangent: Numbers,
  ...bars: readonly (Numbers | undefined)[]
): Example<NoAttributes> => ({
  attributes: {},
  operands: operands.map((data) => vector(...data)),
  value: vector(...value),
  cotangent,
  bars,
});

const environment: ReadonlyMap<string, EnvironmentValue<number>> = new Map<string, EnvironmentValue<number>>([
  ["c", { kind: "real", tensor: vector(5, -0) }],
  ["i", { kind: "index", shape: [4], indices: [2, 0, 2, 2] }],
  ["none", { kind: "index", shape: [0], indices: [] }],
  ["key", { kind: "index", shape: [2], indices: [0, 42] }],
  ["picks", { kind: "index", shape: [2, 4], indices: [2, 0, 2, 2, 0, 1, 1, 0] }],
  ["cells", { kind: "index", shape: [4, 2], indices: [1, 2, 0, 1, 1, 2, 1, 2] }],
  ["rows", { kind: "index", shape: [3, 1], indices: [1, 0, 1] }],
  ["cell", { kind: "index", shape: [2], indices: [1, 0] }],
  ["nowhere", { kind: "index", shape: [0, 2], indices: [] }],
]);

const grid = tensor([2, 3], 1, 2, 3, 4, 5, 6);

/** Its sum upwards is 1; downwards it is 0, since 1 − 10¹⁶ rounds to −10¹⁶. */
const telling = vector(1e16, -1e16, 1);

const { acos, asin, atan2, cos, cosh, E, exp, LN2, log, PI, sin, sinh, SQRT2, tan, tanh } = Math;
const { POSITIVE_INFINITY: infinity, NaN: nan } = Number;

/** Takes the example that the table has of a function, where nothing more telling stands below. */
function ofTable(name: UnaryName): readonly Example<NoAttributes>[] {
  const { at, value, slope } = unaryFunctions[name].example;
  return [elementwise([at], value, [2, 3], [2 * slope[0], 3 * slope[1]])];
}

const examples: { readonly [K in PrimitiveName]: readonly Example<PrimitiveAttributes[K]>[] } = {
  ...forUnary(ofTable),
  constant: [{ attributes: { name: "c" }, operands: [], value: vector(5, -0), cotangent: [2, 3], bars: [] }],
  full: [
    {
      attributes: { shape: [2], value: 0.1 },
      operands: [],
      value: vector(0.1, 0.1),
      cotangent: [2, 3],
      bars: [],
    },
    { attributes: { shape: [0], value: 1 }, operands: [], value: vector(), cotangent: [], bars: [] },
  ],
  iota: [
    {
      attributes: { shape: [2, 1, 3], axis: 2 },
      operands: [],
      value: tensor([2, 1, 3], 0, 1, 2, 0, 1, 2),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [],
    },
    {
      attributes: { shape: [2, 3], axis: 0 },
      operands: [],
      value: tensor([2, 3], 0, 0, 0, 1, 1, 1),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [],
    },
  ],
  // jax.random.bits of the key (0, 42): 7d1c13a2 ae0730d9 9dc3f9f9 8f9ec1d7 735d7315 95fb4ed8.
  bernoulli_mask: (
    [
      [0, [1, 1, 1, 1, 1, 1]],
      [0.5, [0, 1, 1, 1, 0, 1]],
      [0xae0730d9 / 2 ** 32, [0, 1, 0, 0, 0, 0]],
      [(0xae0730d9 + 1) / 2 ** 32, [0, 0, 0, 0, 0, 0]],
      [1, [0, 0, 0, 0, 0, 0]],
    ] as const
  ).map(([rate, mask]) => ({
    attributes: { shape: [3, 2], key: "key", rate },
    operands: [],
    value: tensor([3, 2], ...mask),
    cotangent: [1, 2, 3, 4, 5, 6],
    bars: [],
  })),
  stop_gradient: [elementwise([[3, -0]], [3, -0], [2, 5], undefined)],
  negative: [elementwise([[3, 0, -2]], [-3, -0, 2], [2, 5, -7], [-2, -5, 7])],
  exp: [elementwise([[0, 1, -infinity]], [1, E, 0], [7, 2, 3], [7, 2 * E, 0])],
  log: [elementwise([[1, 2, 0]], [0, LN2, -infinity], [7, 3, 1], [7, 1.5, infinity])],
  sin: [elementwise([[0, 1]], [0, sin(1)], [7, 3], [7, 3 * cos(1)])],
  cos: [elementwise([[0, 1]], [1, cos(1)], [7, 3], [-0, -3 * sin(1)])],
  tanh: [elementwise([[0, infinity, 1]], [0, 1, tanh(1)], [7, 3, 2], [7, 0, 2 * (1 - tanh(1) ** 2)])],
  sqrt: [
    elementwise([[4, 2, 0]], [2, SQRT2, 0], [8, SQRT2, 1], [2, 0.5, infinity]),
    // c / (√x + √x): c / √x would overflow.
    elementwise([[0.25]], [0.5], [1.5e308], [1.5e308]),
  ],
  relu: [elementwise([[3, -3, 0, -0, nan]], [3, 0, 0, 0, nan], [2, 5, 7, 9, 1], [2, 0, 0, 0, 0])],
  expm1: [
    elementwise(
      [[0, -0, 1, 2 ** -60, -infinity]],
      [0, -0, E - 1, 2 ** -60, -1],
      [7, 5, 2, 3, 4],
      [7, 5, 2 * E, 3, 0],
    ),
  ],
  log1p: [
    elementwise([[0, 1, 2 ** -60, -1]], [0, LN2, 2 ** -60, -infinity], [7, 3, 5, 1], [7, 1.5, 5, infinity]),
  ],
  log2: [elementwise([[1, 8, 0]], [0, 3, -infinity], [7, 4, 1], [7 / LN2, 0.5 / LN2, infinity])],
  tan: [elementwise([[0, -0, 1]], [0, -0, tan(1)], [7, 5, 3], [7, 5, 3 * (1 + tan(1) ** 2)])],
  asin: [
    elementwise([[0, 0.6, 1]], [0, asin(0.6), PI / 2], [7, 4, 1], [7, 5, infinity]),
    // 1 − x² would be 2⁻³⁹ without its last digits.
    elementwise([[1 - 2 ** -40]], [asin(1 - 2 ** -40)], [1], [1 / Math.sqrt(2 ** -39 - 2 ** -80)]),
  ],
  acos: [elementwise([[0, 0.6, 1]], [PI / 2, acos(0.6), 0], [7, 4, 1], [-7, -5, -infinity])],
  atan: [elementwise([[0, 1, infinity]], [0, PI / 4, PI / 2], [7, 3, 2], [7, 1.5, 0])],
  sinh: [elementwise([[0, -0, 1]], [0, -0, sinh(1)], [7, 5, 3], [7, 5, 3 * cosh(1)])],
  cosh: [elementwise([[0, 1]], [1, cosh(1)], [7, 3], [0, 3 * sinh(1)])],
  // √(1 + x²) would overflow.
  asinh: [elementwise([[0, -0, 0.75, 2 ** 600]], [0, -0, LN2, 601 * LN2], [7, 5, 5, 2 ** 600], [7, 5, 4, 1])],
  acosh: [elementwise([[1.25, 1, 2 ** 600]], [LN2, 0, 601 * LN2], [3, 1, 2 ** 600], [4, infinity, 1])],
  atanh: [elementwise([[0, 0.5, 1]], [0, log(3) / 2, infinity], [7, 3, 1], [7, 4, infinity])],
  erf: [
    elementwise(
      [[0, -0, 6, -infinity, nan]],
      [0, -0, 1, -1, nan],
      [7, 5, 0, 3, 1],
      [7 * (2 / Math.sqrt(PI)), 5 * (2 / Math.sqrt(PI)), 0, 0, nan],
    ),
    // Abramowitz & Stegun, table 7.1, to all its digits and more.
    elementwise([[0.5]], [0.5204998778130465], [1], [(2 / Math.sqrt(PI)) * exp(-0.25)]),
  ],
  floor: [
    elementwise(
      [[1.5, -1.5, 2, -0, infinity, nan]],
      [1, -2, 2, -0, infinity, nan],
      [1, 2, 3, 4, 5, 6],
      undefined,
    ),
  ],
  add: [
    elementwise(
      [
        [1, -0],
        [2, -0],
      ],
      [3, -0],
      [5, 7],
      [5, 7],
      [5, 7],
    ),
  ],
  subtract: [
    elementwise(
      [
        [1, 0],
        [2, 0],
      ],
      [-1, 0],
      [5, 7],
      [5, 7],
      [-5, -7],
    ),
  ],
  multiply: [
    elementwise(
      [
        [2, -3],
        [5, 4],
      ],
      [10, -12],
      [7, 11],
      [35, 44],
      [14, -33],
    ),
  ],
  divide: [
    // −(c · q) / y: c · x would overflow.
    elementwise([[2 ** 600], [2 ** 600]], [1], [2 ** 600], [1], [-1]),
    elementwise(
      [
        [6, 1],
        [3, 4],
      ],
      [2, 0.25],
      [9, 8],
      [3, 2],
      [-6, -0.5],
    ),
    elementwise([[1], [0]], [infinity], [1], [infinity], [-infinity]),
  ],
  maximum: [
    elementwise(
      [
        [2, 3, 4],
        [5, 3, 1],
      ],
      [5, 3, 4],
      [7, 11, 13],
      [0, 11, 13],
      [7, 0, 0],
    ),
    elementwise(
      [
        [0, -0],
        [-0, 0],
      ],
      [0, -0],
      [7, 11],
      [7, 11],
      [0, 0],
    ),
    elementwise(
      [
        [nan, 1, nan, infinity],
        [1, nan, nan, infinity],
      ],
      [nan, nan, nan, infinity],
      [7, 11, 13, 17],
      [7, 0, 0, 17],
      [0, 11, 13, 0],
    ),
  ],
  pow: [
    elementwise(
      [
        [2, 4, -2, 0, 0, 5, 0],
        [3, 0.5, 3, 2, 0, 0, 0.5],
      ],
      [8, 2, -8, 0, 1, 1, 0],
      [1, 8, 1, 7, 11, 13, 17],
      [12, 2, 12, 0, 0, 0, infinity],
      [8 * LN2, 8 * (2 * log(4)), nan, 0, 0, 13 * log(5), 0],
    ),
    // IEEE 754's values, where ECMAScript's are NaN.
    elementwise(
      [
        [1, -1, 1, nan],
        [infinity, -infinity, nan, 0],
      ],
      [1, 1, 1, 1],
      [0, 0, 0, 3],
      [nan, nan, nan, 0],
      [0, nan, 0, nan],
    ),
  ],
  atan2: [
    elementwise(
      [
        [1, 0, -3, 0],
        [0, 2, 4, 0],
      ],
      [PI / 2, 0, atan2(-3, 4), 0],
      [7, 3, 25, 1],
      [0, 1.5, 4, nan],
      [-7, -0, 3, nan],
    ),
    // Dividing by x² + y² would overflow.
    elementwise([[0], [2 ** 600]], [0], [2 ** 600], [1], [-0]),
  ],
  hypot: [
    elementwise(
      [
        [3, 0, 0, 3 * 2 ** 600],
        [4, 0, -2, 4 * 2 ** 600],
      ],
      [5, 0, 2, 5 * 2 ** 600],
      [10, 1, 7, 5],
      [6, nan, 0, 3],
      [8, nan, -7, 4],
    ),
  ],
  less: [
    elementwise(
      [
        [1, 2, 3, -0, nan, 1],
        [2, 2, 1, 0, 1, nan],
      ],
      [1, 0, 0, 0, 0, 0],
      [1, 2, 3, 4, 5, 6],
      undefined,
      undefined,
    ),
  ],
  equal: [
    elementwise(
      [
        [1, 2, 3, -0, nan, infinity],
        [2, 2, 1, 0, nan, infinity],
      ],
      [0, 1, 0, 1, 0, 1],
      [1, 2, 3, 4, 5, 6],
      undefined,
      undefined,
    ),
  ],
  where: [
    elementwise(
      [
        [1, 0, -0, nan],
        [2, nan, nan, 5],
        [nan, 3, 4, nan],
      ],
      [2, 3, 4, 5],
      [7, 11, 13, 17],
      undefined,
      [7, 0, 0, 17],
      [0, 11, 13, 0],
    ),
  ],
  sum: [
    {
      attributes: { axes: [1], keepdims: false },
      operands: [grid],
      value: vector(6, 15),
      cotangent: [7, 9],
      bars: [[7, 7, 7, 9, 9, 9]],
    },
    {
      attributes: { axes: [0], keepdims: true },
      operands: [grid],
      value: tensor([1, 3], 5, 7, 9),
      cotangent: [1, 2, 3],
      bars: [[1, 2, 3, 1, 2, 3]],
    },
    {
      attributes: { axes: [1, 0], keepdims: false },
      operands: [grid],
      value: tensor([], 21),
      cotangent: [5],
      bars: [[5, 5, 5, 5, 5, 5]],
    },
    {
      attributes: { axes: [], keepdims: false },
      operands: [vector(4, -0)],
      value: vector(4, 0),
      cotangent: [5, 6],
      bars: [[5, 6]],
    },
    {
      attributes: { axes: [0], keepdims: false },
      operands: [tensor([0, 2])],
      value: vector(0, 0),
      cotangent: [5, 6],
      bars: [[]],
    },
    {
      attributes: { axes: [0], keepdims: false },
      operands: [telling],
      value: tensor([], 1),
      cotangent: [5],
      bars: [[5, 5, 5]],
    },
  ],
  broadcast_to: [
    {
      attributes: { shape: [3] },
      operands: [tensor([], 7)],
      value: vector(7, 7, 7),
      cotangent: telling.data,
      bars: [[1]],
    },
    {
      attributes: { shape: [2, 3] },
      operands: [tensor([2, 1], 7, 8)],
      value: tensor([2, 3], 7, 7, 7, 8, 8, 8),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [[6, 15]],
    },
    {
      attributes: { shape: [2, 2] },
      operands: [vector(7, 8)],
      value: tensor([2, 2], 7, 8, 7, 8),
      cotangent: [1, 2, 3, 4],
      bars: [[4, 6]],
    },
    {
      attributes: { shape: [0] },
      operands: [tensor([1], 7)],
      value: tensor([0]),
      cotangent: [],
      bars: [[0]],
    },
  ],
  reshape: [
    {
      attributes: { shape: [3, 2] },
      operands: [grid],
      value: tensor([3, 2], 1, 2, 3, 4, 5, 6),
      cotangent: [6, 5, 4, 3, 2, 1],
      bars: [[6, 5, 4, 3, 2, 1]],
    },
  ],
  permute_dims: [
    {
      attributes: { axes: [1, 0] },
      operands: [grid],
      value: tensor([3, 2], 1, 4, 2, 5, 3, 6),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [[1, 3, 5, 2, 4, 6]],
    },
    {
      attributes: { axes: [2, 0, 1] },
      operands: [tensor([2, 1, 3], 1, 2, 3, 4, 5, 6)],
      value: tensor([3, 2, 1], 1, 4, 2, 5, 3, 6),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [[1, 3, 5, 2, 4, 6]],
    },
  ],
  concat: [
    {
      attributes: { axis: 1 },
      operands: [tensor([2, 1], 1, 2), tensor([2, 0]), tensor([2, 2], 3, 4, 5, 6)],
      value: tensor([2, 3], 1, 3, 4, 2, 5, 6),
      cotangent: [10, 20, 30, 40, 50, 60],
      bars: [[10, 40], [], [20, 30, 50, 60]],
    },
    {
      attributes: { axis: 0 },
      operands: [vector(1), vector(2, 3)],
      value: vector(1, 2, 3),
      cotangent: [7, 8, 9],
      bars: [[7], [8, 9]],
    },
  ],
  take: [
    {
      attributes: { axis: 0, indices: "i" },
      operands: [vector(7, 8, 9)],
      value: vector(9, 7, 9, 9),
      cotangent: [1e16, 5, -1e16, 1],
      bars: [[5, 0, 1]],
    },
    {
      attributes: { axis: 0, indices: "i" },
      operands: [vector(7, 8, 9)],
      value: vector(9, 7, 9, 9),
      cotangent: [1, 2, 3, 4],
      bars: [[2, 0, 8]],
    },
    {
      attributes: { axis: 1, indices: "i" },
      operands: [grid],
      value: tensor([2, 4], 3, 1, 3, 3, 6, 4, 6, 6),
      cotangent: [1, 2, 3, 4, 5, 6, 7, 8],
      bars: [[2, 0, 8, 6, 0, 20]],
    },
    {
      attributes: { axis: 0, indices: "none" },
      operands: [vector(7, 8)],
      value: vector(),
      cotangent: [],
      bars: [[0, 0]],
    },
  ],
  slice: [
    {
      attributes: { starts: [-1, 0], stops: [-3, 3], steps: [-1, 2] },
      operands: [grid],
      value: tensor([2, 2], 4, 6, 1, 3),
      cotangent: [1, 2, 3, 4],
      bars: [[3, 0, 4, 1, 0, 2]],
    },
    {
      attributes: { starts: [1], stops: [99], steps: [3] },
      operands: [vector(1, 2, 3, 4, 5, 6)],
      value: vector(2, 5),
      cotangent: [7, -0],
      bars: [[0, 7, 0, 0, 0, 0]],
    },
    {
      attributes: { starts: [2], stops: [1], steps: [1] },
      operands: [vector(1, 2, 3)],
      value: vector(),
      cotangent: [],
      bars: [[0, 0, 0]],
    },
    {
      attributes: { starts: [], stops: [], steps: [] },
      operands: [tensor([], 7)],
      value: tensor([], 7),
      cotangent: [3],
      bars: [[3]],
    },
  ],
  pad: [
    {
      attributes: { low: [0, 1], high: [1, 0], interior: [1, 0] },
      operands: [tensor([2, 2], 1, -0, 3, 4)],
      value: tensor([4, 3], 0, 1, -0, 0, 0, 0, 0, 3, 4, 0, 0, 0),
      cotangent: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      bars: [[2, 3, 8, 9]],
    },
    {
      attributes: { low: [1], high: [2], interior: [3] },
      operands: [vector()],
      value: vector(0, 0, 0),
      cotangent: [1, 2, 3],
      bars: [[]],
    },
    {
      attributes: { low: [0], high: [1], interior: [2] },
      operands: [vector(1, 2)],
      value: vector(1, 0, 0, 2, 0),
      cotangent: [1, 2, 3, 4, 5],
      bars: [[1, 4]],
    },
  ],
  take_along_axis: [
    {
      attributes: { axis: 1, indices: "picks" },
      operands: [grid],
      value: tensor([2, 4], 3, 1, 3, 3, 4, 5, 5, 4),
      cotangent: [1, 2, 3, 4, 5, 6, 7, 8],
      bars: [[2, 0, 8, 13, 13, 0]],
    },
    {
      attributes: { axis: 0, indices: "i" },
      operands: [vector(7, 8, 9)],
      value: vector(9, 7, 9, 9),
      cotangent: [1e16, 5, -1e16, 1],
      bars: [[5, 0, 1]],
    },
    {
      attributes: { axis: 0, indices: "none" },
      operands: [vector(7, 8)],
      value: vector(),
      cotangent: [],
      bars: [[0, 0]],
    },
  ],
  gather: [
    {
      attributes: { indices: "cells" },
      operands: [grid],
      value: vector(6, 2, 6, 6),
      cotangent: [1e16, 5, -1e16, 1],
      bars: [[0, 5, 0, 0, 0, 1]],
    },
    {
      attributes: { indices: "rows" },
      operands: [grid],
      value: tensor([3, 3], 4, 5, 6, 1, 2, 3, 4, 5, 6),
      cotangent: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      bars: [[4, 5, 6, 8, 10, 12]],
    },
    {
      attributes: { indices: "cell" },
      operands: [tensor([2, 3, 2], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)],
      value: vector(7, 8),
      cotangent: [3, 5],
      bars: [[0, 0, 0, 0, 0, 0, 3, 5, 0, 0, 0, 0]],
    },
    {
      attributes: { indices: "nowhere" },
      operands: [tensor([0, 2])],
      value: vector(),
      cotangent: [],
      bars: [[]],
    },
  ],
  scatter_add: [
    {
      // x comes first, then the updates in order: (1 + 10¹⁶) − 10¹⁶ is 0, and 1 added last stays.
      attributes: { indices: "cells" },
      operands: [tensor([2, 3], -0, 0, 0, 0, 0, 1), vector(1e16, 5, -1e16, 1)],
      value: tensor([2, 3], -0, 5, 0, 0, 0, 1),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [
        [1, 2, 3, 4, 5, 6],
        [6, 2, 6, 6],
      ],
    },
    {
      attributes: { indices: "rows" },
      operands: [grid, tensor([3, 3], 10, 20, 30, 40, 50, 60, 100, 200, 300)],
      value: tensor([2, 3], 41, 52, 63, 114, 225, 336),
      cotangent: [1, 2, 3, 4, 5, 6],
      bars: [
        [1, 2, 3, 4, 5, 6],
        [4, 5, 6, 1, 2, 3, 4, 5, 6],
      ],
    },
    {
      attributes: { indices: "cell" },
      operands: [tensor([2, 1], 1, 2), tensor([], 10)],
      value: tensor([2, 1], 1, 12),
      cotangent: [3, 5],
      bars: [[3, 5], [5]],
    },
    {
      attributes: { indices: "nowhere" },
      operands: [tensor([1, 1], 7), vector()],
      value: tensor([1, 1], 7),
      cotangent: [3],
      bars: [[3], []],
    },
  ],
  cumulative_sum: [
    {
      attributes: { axis: 1 },
      operands: [grid],
      value: tensor([2, 3], 1, 3, 6, 4, 9, 15),
      cotangent: [1, 10, 100, 2, 20, 200],
      bars: [[111, 110, 100, 222, 220, 200]],
    },
    {
      attributes: { axis: 0 },
      operands: [grid],
      value: tensor([2, 3], 1, 2, 3, 5, 7, 9),
      cotangent: [1, 10, 100, 2, 20, 200],
      bars: [[3, 30, 300, 2, 20, 200]],
    },
    {
      // Upwards from zero; the cotangents downwards: 1 − 10¹⁶ rounds to −10¹⁶.
      attributes: { axis: 0 },
      operands: [vector(-0, 1e16, -1e16, 1)],
      value: vector(0, 1e16, 0, 1),
      cotangent: [0, ...telling.data],
      bars: [[0, 0, -1e16, 1]],
    },
    {
      attributes: { axis: 0 },
      operands: [tensor([0, 2])],
      value: tensor([0, 2]),
      cotangent: [],
      bars: [[]],
    },
  ],
  matmul: [
    {
      attributes: {},
      operands: [tensor([1, 3], ...telling.data), tensor([3, 1], 1, 1, 1)],
      value: tensor([1, 1], 1),
      cotangent: [3],
      bars: [
        [3, 3, 3],
        [3e16, -3e16, 3],
      ],
    },
    {
      attributes: {},
      operands: [grid, tensor([3, 1], 7, 8, 9)],
      value: tensor([2, 1], 50, 122),
      cotangent: [2, 3],
      bars: [
        [14, 16, 18, 21, 24, 27],
        [14, 19, 24],
      ],
    },
    {
      attributes: {},
      operands: [tensor([2, 1, 2], 1, 2, 3, 4), tensor([2, 2, 1], 5, 6, 7, 8)],
      value: tensor([2, 1, 1], 17, 53),
      cotangent: [10, 100],
      bars: [
        [50, 60, 700, 800],
        [10, 20, 300, 400],
      ],
    },
    {
      attributes: {},
      operands: [tensor([1, 0]), tensor([0, 2])],
      value: tensor([1, 2], 0, 0),
      cotangent: [3, 4],
      bars: [[], []],
    },
  ],
  solve: [
    // [0 2; 4 2] has the inverse [−1 1; 2 0] / 4.
    {
      attributes: {},
      operands: [tensor([2, 2], 0, 2, 4, 2), tensor([2, 2], 2, 4, 6, 0)],
      value: tensor([2, 2], 1, -1, 1, 2),
      cotangent: [4, 0, 8, 4],
      bars: [
        [-1, -7, -1, -1],
        // 0 / −8 is −0.
        [3, 2, 1, -0],
      ],
    },
    // Upper triangular with inverse [1 −2 −1; 0 1 −1; 0 0 1], and 2 I.
    {
      attributes: {},
      operands: [
        tensor([2, 3, 3], 1, 2, 3, 0, 1, 1, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0, 0, 2),
        tensor([2, 3, 1], 1, 2, 3, 2, 4, 6),
      ],
      value: tensor([2, 3, 1], -6, -1, 3, 1, 2, 3),
      cotangent: [1, 10, 100, 2, 4, 6],
      bars: [
        [6, 1, -3, 48, 8, -24, 534, 89, -267, -1, -2, -3, -2, -4, -6, -3, -6, -9],
        [1, 8, 89, 1, 2, 3],
      ],
    },
    {
      attributes: {},
      operands: [tensor([1, 1], 4), tensor([1, 2], 8, -2)],
      value: tensor([1, 2], 2, -0.5),
      cotangent: [4, 8],
      bars: [[-1], [1, 2]],
    },
    {
      attributes: {},
      operands: [tensor([1, 1], 0), tensor([1, 1], 3)],
      value: tensor([1, 1], infinity),
      cotangent: [1],
      bars: [[-infinity], [infinity]],
    },
    {
      attributes: {},
      operands: [tensor([0, 0]), tensor([0, 2])],
      value: tensor([0, 2]),
      cotangent: [],
      bars: [[], []],
    },
  ],
  det: [
    {
      attributes: {},
      operands: [tensor([2, 2, 2], 1, 3, 2, 6, 0, 1, 1, 0)],
      value: vector(0, -1),
      cotangent: [5, 2],
      bars: [[30, -10, -15, 5, 0, -2, -2, 0]],
    },
    // A matrix of rank 2, where no inverse could be multiplied by the determinant.
    {
      attributes: {},
      operands: [tensor([3, 3], 1, 2, 3, 4, 5, 6, 7, 8, 9)],
      value: tensor([], 0),
      cotangent: [1],
      bars: [[-3, 6, -3, 6, -12, 6, -3, 6, -3]],
    },
    {
      attributes: {},
      operands: [tensor([4, 4], 0, 0, 0, 2, 0, 0, 3, 0, 0, 5, 0, 0, 7, 0, 0, 0)],
      value: tensor([], 210),
      cotangent: [1],
      bars: [[0, 0, 0, 105, 0, 0, 70, 0, 0, 42, 0, 0, 30, 0, 0, 0]],
    },
    {
      attributes: {},
      operands: [tensor([2, 1, 1], 3, -0)],
      value: vector(3, -0),
      cotangent: [5, 7],
      bars: [[5, 7]],
    },
    {
      attributes: {},
      operands: [tensor([2, 0, 0])],
      value: vector(1, 1),
      cotangent: [5, 7],
      bars: [[]],
    },
  ],
};

function check<K extends PrimitiveName>(
  op: K,
  { attributes, operands, value, cotangent, bars }: Example<PrimitiveAttributes[K]>,
): void {
  const use: Use<K, number> = { op, attributes, environment };
  const forward = rules[op].forward(application(use, float64, operands));
  expect(forward).toEqual(value);
  const pulledBack = vjpOf(rules[op], use, float64, operands, { shape: value.shape, data: cotangent });
  const expected = bars.map(
    (data, place) => data && { shape: present(operands[place], "an operand").shape, data },
  );
  expect(pulledBack).toEqual(expected);
}

describe("the rules give what is computed by hand", () => {
  test.each(primitiveNames)("%s", (op) => {
    expect(examples[op].length).toBeGreaterThan(0);
    checkAll(op);
  });
});

function checkAll<K extends PrimitiveName>(op: K): void {
  const all: readonly Example<PrimitiveAttributes[K]>[] = examples[op];
  for (const example of all) check(op, example);
}
