import { type VectorText, vectors } from "./vector_text.ts";

const ordinary = [0.5, -0.5, 1, -1, 2.5, -3.25, 7];
const tiny = [2 ** -20, -(2 ** -20), 2 ** -40];

/** Lists where each elementwise function is asked: ordinary points, and those where digits get lost. */
const points: Readonly<Record<string, readonly number[]>> = {
  negative: [0, -0, ...ordinary],
  exp: [0, -0, ...ordinary, ...tiny, -20, 20, -60, 60],
  log: [0.5, 1, 2, 2.5, 3, 7, 10, 1 + 2 ** -20, 1 - 2 ** -20, 2 ** -40, 2 ** 40],
  sin: [0, -0, ...ordinary, ...tiny, 3.140625, 22, 100, 1000, 12345],
  cos: [0, -0, ...ordinary, ...tiny, 1.5703125, 11, 100, 1000, 12345],
  tanh: [0, -0, ...ordinary, ...tiny, 2 ** -8, -0.0625, 12, -20],
  sqrt: [0.25, 1, 2, 3, 7, 2 ** -40, 2 ** 40],
  expm1: [0, -0, ...ordinary, ...tiny, -40, 20, 60],
  log1p: [0, -0, 0.5, -0.5, 1, 2.5, 7, ...tiny, -1 + 2 ** -20, 2 ** 40],
  log2: [0.5, 1, 2, 3, 8, 10, 1 + 2 ** -20, 1 - 2 ** -20, 2 ** -40, 2 ** 40],
  tan: [0, -0, ...ordinary, ...tiny, 1.5703125, 22, 100, 12345],
  asin: [0, -0, 0.5, -0.5, 0.75, ...tiny, 1 - 2 ** -20, -1 + 2 ** -20],
  acos: [0, 0.5, -0.5, 0.75, ...tiny, 1 - 2 ** -20, -1 + 2 ** -20],
  atan: [0, -0, ...ordinary, ...tiny, 2 ** 40, -(2 ** 40)],
  sinh: [0, -0, ...ordinary, ...tiny, 20, -20],
  cosh: [0, -0, ...ordinary, ...tiny, 20, -20],
  asinh: [0, -0, ...ordinary, ...tiny, 2 ** 40, -(2 ** 40)],
  acosh: [1.25, 2, 3, 7, 1 + 2 ** -8, 1 + 2 ** -20, 2 ** 40],
  atanh: [0, -0, 0.5, -0.5, 0.75, ...tiny, 1 - 2 ** -20, -1 + 2 ** -20],
  erf: [0, -0, ...ordinary, ...tiny, 1 + 2 ** -8, 1.75, -4, 5.5],
};

/** Lists pairs of operands for the functions of two. */
const pairs: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  pow: [
    [2, 3],
    [4, 0.5],
    [0.5, -2.5],
    [10, -3],
    [1 + 2 ** -10, 1000],
    [7, 2 ** -20],
    [1.5, 30],
    [3, 0],
  ],
  atan2: [
    [1, 2],
    [3, -4],
    [-3, -4],
    [-1, 0.5],
    [2 ** -20, 1],
    [1, 2 ** -20],
    [2 ** -20, -1],
    [2 ** 60, 2 ** 60],
  ],
  hypot: [
    [3, 4],
    [-5, 12],
    [1, 1],
    [1, 2 ** -20],
    [2 ** -60, 2 ** -60],
    [2 ** 100, 2 ** 100],
    [0, -7],
  ],
};

const denominators = [3, -7, 10, 0.75, 2.5, -0.3125, 49];

/** Vectors of accuracy at such points: one operator on a vector, each element with its own cotangent. */
export const accuracies: readonly VectorText[] = [
  ...Object.entries(points).map(
    ([op, x]): VectorText => ({
      name: op,
      clause: "7.3",
      defects: ["F04"],
      note: `${op} at ordinary points and where digits are easily lost`,
      inputs: { x: [[x.length], x] },
      nodes: [[op, [0]]],
      seeds: { 1: [[x.length], x.map((_, i) => 1.25 + i / 4)] },
    }),
  ),
  ...Object.entries(pairs).map(
    ([op, at]): VectorText => ({
      name: op,
      clause: "7.3",
      defects: ["F04"],
      note: `${op} at ordinary points and where digits are easily lost`,
      inputs: { x: [[at.length], at.map(([x]) => x)], y: [[at.length], at.map(([, y]) => y)] },
      nodes: [[op, [0, 1]]],
      seeds: { 2: [[at.length], at.map((_, i) => 1.25 + i / 4)] },
    }),
  ),
  ...vectors({
    "divide (7.3, F04): quotients that are not representable: a division by reciprocal is off in the last place":
      {
        inputs: {
          x: [[denominators.length], [1, 3, 3, 7, 3, 5, 1]],
          y: [[denominators.length], denominators],
        },
        nodes: "divide 0 1",
        seeds: { 2: [[denominators.length], denominators.map((_, i) => 1.25 + i / 4)] },
      },
    "long_sum (7.3): a sum of 300 terms, in whatever order": {
      inputs: { x: [[300], Array.from({ length: 300 }, (_, i) => ((i * 37) % 64) / 8 - 3.5)] },
      nodes: "sum 0 axes=[0] keepdims=false",
    },
    "inner_product (7.3, F04): a dot product of length 128 with cancellation": {
      inputs: {
        x: [[1, 128], Array.from({ length: 128 }, (_, i) => ((i * 29) % 32) / 8 - 2)],
        y: [[128, 1], Array.from({ length: 128 }, (_, i) => ((i * 13) % 64) / 16 - 2)],
      },
      nodes: "matmul 0 1",
    },
  }),
];
