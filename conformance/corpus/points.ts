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

/** Asks an operator of one or two vectors, each element with its own cotangent. */
function accurate(op: string, ...operands: readonly (readonly number[])[]): VectorText {
  const size = operands[0]?.length ?? 0;
  return {
    name: op,
    clause: "7.3",
    defects: ["F04"],
    note: `${op} at ordinary points and where digits are easily lost`,
    inputs: Object.fromEntries(operands.map((elements, i) => [["x", "y"][i], [[size], elements]])),
    nodes: [[op, operands.map((_, i) => i)]],
    seeds: { [operands.length]: [[size], Array.from({ length: size }, (_, i) => 1.25 + i / 4)] },
  };
}

/** Vectors of accuracy at such points, of sums and of products. */
export const accuracies: readonly VectorText[] = [
  ...Object.entries(points).map(([op, x]) => accurate(op, x)),
  accurate("pow", [2, 4, 0.5, 10, 1 + 2 ** -10, 7, 1.5, 3], [3, 0.5, -2.5, -3, 1000, 2 ** -20, 30, 0]),
  accurate(
    "atan2",
    [1, 3, -3, -1, 2 ** -20, 1, 2 ** -20, 2 ** 60],
    [2, -4, -4, 0.5, 1, 2 ** -20, -1, 2 ** 60],
  ),
  accurate("hypot", [3, -5, 1, 1, 2 ** -60, 2 ** 100, 0], [4, 12, 1, 2 ** -20, 2 ** -60, 2 ** 100, -7]),
  {
    ...accurate("divide", [1, 3, 3, 7, 3, 5, 1], [3, -7, 10, 0.75, 2.5, -0.3125, 49]),
    note: "quotients that are not representable: a division by reciprocal is off in the last place",
  },
  ...vectors({
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
