import type { VectorText } from "./vector_text.ts";

const ordinary = [0.5, -0.5, 1, -1, 2.5, -3.25, 7];
const tiny = [2 ** -20, -(2 ** -20), 2 ** -40];

/** Where each elementwise function is asked: ordinary points, and those where careless implementations lose digits. */
const points: Readonly<Record<string, readonly number[]>> = {
  negative: [0, -0, ...ordinary],
  exp: [0, -0, ...ordinary, ...tiny, -20, 20, -60, 60],
  log: [0.5, 1, 2, 2.5, 3, 7, 10, 1 + 2 ** -20, 1 - 2 ** -20, 2 ** -40, 2 ** 40],
  sin: [0, -0, ...ordinary, ...tiny, 3.140625, 22, 100, 1000, 12345],
  cos: [0, -0, ...ordinary, ...tiny, 1.5703125, 11, 100, 1000, 12345],
  tanh: [0, -0, ...ordinary, ...tiny, 2 ** -8, -0.0625, 12, -20],
  sqrt: [0.25, 1, 2, 3, 7, 2 ** -40, 2 ** 40],
};

const denominators = [3, -7, 10, 0.75, 2.5, -0.3125, 49];

/** Accuracy at telling points: one operator on a vector, with a different cotangent for each element. */
export const accuracies: readonly VectorText[] = [
  ...Object.entries(points).map(
    ([op, x]): VectorText => ({
      name: op,
      clause: "7.3",
      defects: ["F04"],
      note: `${op} at ordinary points and where digits are easily lost`,
      inputs: { x: [[x.length], x] },
      nodes: [[op, [0]]],
      seeds: { 1: [[x.length], x.map((_, i) => 1 + i / 4)] },
    }),
  ),
  {
    name: "divide",
    clause: "7.3",
    defects: ["F04"],
    note: "quotients that are not representable: a division by reciprocal is off in the last place",
    inputs: { x: [[denominators.length], [1, 3, 3, 7, 3, 5, 1]], y: [[denominators.length], denominators] },
    nodes: [["divide", [0, 1]]],
    seeds: { 2: [[denominators.length], denominators.map((_, i) => 1 + i / 4)] },
  },
  {
    name: "long_sum",
    clause: "7.3",
    note: "a sum of 300 terms, in whatever order",
    inputs: { x: [[300], Array.from({ length: 300 }, (_, i) => ((i * 37) % 64) / 8 - 3.5)] },
    nodes: [["sum", [0], { axes: [0], keepdims: false }]],
    seeds: { 1: [[], [3]] },
  },
  {
    name: "inner_product",
    clause: "7.3",
    defects: ["F04"],
    note: "a dot product of length 128 with cancellation",
    inputs: {
      x: [[1, 128], Array.from({ length: 128 }, (_, i) => ((i * 29) % 32) / 8 - 2)],
      y: [[128, 1], Array.from({ length: 128 }, (_, i) => ((i * 13) % 64) / 16 - 2)],
    },
    nodes: [["matmul", [0, 1]]],
    seeds: { 2: [[1, 1], [3]] },
  },
];
