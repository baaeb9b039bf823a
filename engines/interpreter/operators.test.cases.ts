import type { FlatTensor, Node, PrimitiveName } from "../../spec/index.ts";
import { node, type Question, question, scalar, tensor } from "../asking.test.kit.ts";

/** One node, asked in all three ways; every number was worked out by hand and is exact in float32. */
export interface ByHand extends Question {
  readonly value: FlatTensor;
  /** One per input. */
  readonly tangents: readonly FlatTensor[];
  readonly tangent: FlatTensor;
  /** The seed at the node. */
  readonly cotangent: FlatTensor;
  /** One per input. */
  readonly pulled: readonly FlatTensor[];
}

/** For each operator a point where its answers are told from those of its likely faults. */
export const byHand: { readonly [K in PrimitiveName]: ByHand } = {
  constant: {
    ...question([scalar(7)], [node("constant", { name: "c" })], { c: ["real", tensor([3, -0])] }),
    value: tensor([3, -0]),
    tangents: [scalar(1)],
    tangent: tensor([0, 0]),
    cotangent: tensor([1, 10]),
    pulled: [scalar(0)],
  },
  stop_gradient: {
    ...question([tensor([3, -0])], [node("stop_gradient", {}, 0)]),
    value: tensor([3, -0]),
    tangents: [tensor([1, 10])],
    tangent: tensor([0, 0]),
    cotangent: tensor([1, 10]),
    pulled: [tensor([0, 0])],
  },
  negative: {
    ...question([tensor([3, 0])], [node("negative", {}, 0)]),
    value: tensor([-3, -0]),
    tangents: [tensor([1, 0])],
    tangent: tensor([-1, -0]),
    cotangent: tensor([2, 0]),
    pulled: [tensor([-2, -0])],
  },
  exp: {
    ...question([tensor([0, -Infinity])], [node("exp", {}, 0)]),
    value: tensor([1, 0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 0]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 0])],
  },
  log: {
    ...question([tensor([1, 0])], [node("log", {}, 0)]),
    value: tensor([0, -Infinity]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, Infinity]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([5, -Infinity])],
  },
  sin: {
    ...question([tensor([0, -0])], [node("sin", {}, 0)]),
    value: tensor([0, -0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 3]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 7])],
  },
  cos: {
    ...question([tensor([0, -0])], [node("cos", {}, 0)]),
    value: tensor([1, 1]),
    tangents: [tensor([2, 3])],
    tangent: tensor([-0, 0]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([-0, 0])],
  },
  tanh: {
    ...question([tensor([0, Infinity])], [node("tanh", {}, 0)]),
    value: tensor([0, 1]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 0]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 0])],
  },
  sqrt: {
    ...question([tensor([4, 0.0625])], [node("sqrt", {}, 0)]),
    value: tensor([2, 0.25]),
    tangents: [tensor([1, 3])],
    tangent: tensor([0.25, 6]),
    cotangent: tensor([8, 5]),
    pulled: [tensor([2, 10])],
  },
  relu: {
    ...question([tensor([-2, 3, 0, Number.NaN])], [node("relu", {}, 0)]),
    value: tensor([0, 3, 0, 0]),
    tangents: [tensor([5, 6, 7, 8])],
    tangent: tensor([0, 6, 0, 0]),
    cotangent: tensor([-1, -2, -3, -4]),
    pulled: [tensor([0, -2, 0, 0])],
  },
  expm1: {
    ...question([tensor([0, -Infinity])], [node("expm1", {}, 0)]),
    value: tensor([0, -1]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 0]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 0])],
  },
  log1p: {
    ...question([tensor([0, -1])], [node("log1p", {}, 0)]),
    value: tensor([0, -Infinity]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, Infinity]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([5, -Infinity])],
  },
  log2: {
    ...question([tensor([0, Infinity])], [node("log2", {}, 0)]),
    value: tensor([-Infinity, Infinity]),
    tangents: [tensor([2, 3])],
    tangent: tensor([Infinity, 0]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([Infinity, -0])],
  },
  tan: {
    ...question([tensor([0, -0])], [node("tan", {}, 0)]),
    value: tensor([0, -0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 3]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 7])],
  },
  asin: {
    ...question([tensor([0, -0])], [node("asin", {}, 0)]),
    value: tensor([0, -0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 3]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 7])],
  },
  acos: {
    ...question([tensor([1, 1])], [node("acos", {}, 0)]),
    value: tensor([0, 0]),
    tangents: [tensor([2, -3])],
    tangent: tensor([-Infinity, Infinity]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([-Infinity, Infinity])],
  },
  atan: {
    ...question([tensor([0, -0])], [node("atan", {}, 0)]),
    value: tensor([0, -0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 3]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 7])],
  },
  sinh: {
    ...question([tensor([0, -0])], [node("sinh", {}, 0)]),
    value: tensor([0, -0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 3]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 7])],
  },
  cosh: {
    ...question([tensor([0, -0])], [node("cosh", {}, 0)]),
    value: tensor([1, 1]),
    tangents: [tensor([2, 3])],
    tangent: tensor([0, -0]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([0, -0])],
  },
  asinh: {
    ...question([tensor([0, -0])], [node("asinh", {}, 0)]),
    value: tensor([0, -0]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, 3]),
    cotangent: tensor([5, 7]),
    pulled: [tensor([5, 7])],
  },
  acosh: {
    ...question([tensor([1, 1])], [node("acosh", {}, 0)]),
    value: tensor([0, 0]),
    tangents: [tensor([2, -3])],
    tangent: tensor([Infinity, -Infinity]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([Infinity, -Infinity])],
  },
  atanh: {
    ...question([tensor([0, 1])], [node("atanh", {}, 0)]),
    value: tensor([0, Infinity]),
    tangents: [tensor([2, 3])],
    tangent: tensor([2, Infinity]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([5, -Infinity])],
  },
  erf: {
    ...question([tensor([Infinity, -Infinity])], [node("erf", {}, 0)]),
    value: tensor([1, -1]),
    tangents: [tensor([2, 3])],
    tangent: tensor([0, 0]),
    cotangent: tensor([5, -7]),
    pulled: [tensor([0, -0])],
  },
  add: {
    ...question([tensor([3, -1]), tensor([4, 0.5])], [node("add", {}, 0, 1)]),
    value: tensor([7, -0.5]),
    tangents: [tensor([1, 2]), tensor([10, 20])],
    tangent: tensor([11, 22]),
    cotangent: tensor([5, 6]),
    pulled: [tensor([5, 6]), tensor([5, 6])],
  },
  subtract: {
    ...question([tensor([3, -1]), tensor([4, 0.5])], [node("subtract", {}, 0, 1)]),
    value: tensor([-1, -1.5]),
    tangents: [tensor([1, 2]), tensor([10, 20])],
    tangent: tensor([-9, -18]),
    cotangent: tensor([5, 6]),
    pulled: [tensor([5, 6]), tensor([-5, -6])],
  },
  multiply: {
    ...question([tensor([3, -1]), tensor([4, 0.5])], [node("multiply", {}, 0, 1)]),
    value: tensor([12, -0.5]),
    tangents: [tensor([1, 2]), tensor([10, 20])],
    tangent: tensor([34, -19]),
    cotangent: tensor([5, 6]),
    pulled: [tensor([20, 3]), tensor([15, -6])],
  },
  divide: {
    ...question([tensor([3, 1]), tensor([4, 0.5])], [node("divide", {}, 0, 1)]),
    value: tensor([0.75, 2]),
    tangents: [tensor([1, 2]), tensor([4, 3])],
    tangent: tensor([-0.5, -8]),
    cotangent: tensor([8, 3]),
    pulled: [tensor([2, 6]), tensor([-1.5, -12])],
  },
  maximum: {
    ...question([tensor([1, 5, 2]), tensor([3, 4, 2])], [node("maximum", {}, 0, 1)]),
    value: tensor([3, 5, 2]),
    tangents: [tensor([1, 2, 3]), tensor([10, 20, 30])],
    tangent: tensor([10, 2, 3]),
    cotangent: tensor([5, 6, 7]),
    pulled: [tensor([0, 6, 7]), tensor([5, 0, 0])],
  },
  // A base of 1 and of 0, where the logarithm is no matter, and a negative one.
  pow: {
    ...question([tensor([1, 0, 0, -2]), tensor([3, 0, 2, 3])], [node("pow", {}, 0, 1)]),
    value: tensor([1, 1, 0, -8]),
    tangents: [tensor([2, 5, 3, 1]), tensor([5, 7, 9, 0])],
    tangent: tensor([6, 0, 0, 12]),
    cotangent: tensor([7, 11, 13, 2]),
    pulled: [tensor([21, 0, 0, 24]), tensor([0, 0, 0, Number.NaN])],
  },
  // The point (2, 0), and the origin.
  atan2: {
    ...question([tensor([0, 0]), tensor([2, 0])], [node("atan2", {}, 0, 1)]),
    value: tensor([0, 0]),
    tangents: [tensor([3, 1]), tensor([5, 1])],
    tangent: tensor([1.5, Number.NaN]),
    cotangent: tensor([7, 1]),
    pulled: [tensor([3.5, Number.NaN]), tensor([-0, Number.NaN])],
  },
  hypot: {
    ...question([tensor([-2, 0]), tensor([0, 0])], [node("hypot", {}, 0, 1)]),
    value: tensor([2, 0]),
    tangents: [tensor([3, 1]), tensor([5, 1])],
    tangent: tensor([-3, Number.NaN]),
    cotangent: tensor([7, 1]),
    pulled: [tensor([-7, Number.NaN]), tensor([0, Number.NaN])],
  },
  where: {
    ...question(
      [tensor([2, 0, -0, Number.NaN]), tensor([1, 2, 3, 4]), tensor([5, 6, 7, 8])],
      [node("where", {}, 0, 1, 2)],
    ),
    value: tensor([1, 6, 7, 4]),
    tangents: [tensor([9, 9, 9, 9]), tensor([1, 2, 3, 4]), tensor([10, 20, 30, 40])],
    tangent: tensor([1, 20, 30, 4]),
    cotangent: tensor([5, 6, 7, 8]),
    pulled: [tensor([0, 0, 0, 0]), tensor([5, 0, 0, 8]), tensor([0, 6, 7, 0])],
  },
  sum: {
    ...question(
      [tensor([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [2, 3, 2])],
      [node("sum", { axes: [0, 2], keepdims: true }, 0)],
    ),
    value: tensor([18, 26, 34], [1, 3, 1]),
    tangents: [tensor([1, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 8], [2, 3, 2])],
    tangent: tensor([1, 6, 8], [1, 3, 1]),
    cotangent: tensor([1, 10, 100], [1, 3, 1]),
    pulled: [tensor([1, 1, 10, 10, 100, 100, 1, 1, 10, 10, 100, 100], [2, 3, 2])],
  },
  broadcast_to: {
    ...question([tensor([1, 2], [2, 1])], [node("broadcast_to", { shape: [2, 2, 2] }, 0)]),
    value: tensor([1, 1, 2, 2, 1, 1, 2, 2], [2, 2, 2]),
    tangents: [tensor([3, 4], [2, 1])],
    tangent: tensor([3, 3, 4, 4, 3, 3, 4, 4], [2, 2, 2]),
    cotangent: tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2]),
    pulled: [tensor([14, 22], [2, 1])],
  },
  reshape: {
    ...question([tensor([1, 2, 3, 4, 5, 6], [2, 3])], [node("reshape", { shape: [3, 2] }, 0)]),
    value: tensor([1, 2, 3, 4, 5, 6], [3, 2]),
    tangents: [tensor([6, 5, 4, 3, 2, 1], [2, 3])],
    tangent: tensor([6, 5, 4, 3, 2, 1], [3, 2]),
    cotangent: tensor([1, 3, 5, 2, 4, 6], [3, 2]),
    pulled: [tensor([1, 3, 5, 2, 4, 6], [2, 3])],
  },
  // The cycle of three axes is not its own inverse: element [i,j,k] goes to [k,i,j].
  permute_dims: {
    ...question([tensor([1, 2, 3, 4, 5, 6], [1, 2, 3])], [node("permute_dims", { axes: [2, 0, 1] }, 0)]),
    value: tensor([1, 4, 2, 5, 3, 6], [3, 1, 2]),
    tangents: [tensor([10, 20, 30, 40, 50, 60], [1, 2, 3])],
    tangent: tensor([10, 40, 20, 50, 30, 60], [3, 1, 2]),
    cotangent: tensor([1, 2, 3, 4, 5, 6], [3, 1, 2]),
    pulled: [tensor([1, 3, 5, 2, 4, 6], [1, 2, 3])],
  },
  concat: {
    ...question(
      [tensor([1, 2], [2, 1]), tensor([], [2, 0]), tensor([3, 4, 5, 6], [2, 2])],
      [node("concat", { axis: 1 }, 0, 1, 2)],
    ),
    value: tensor([1, 3, 4, 2, 5, 6], [2, 3]),
    tangents: [tensor([10, 20], [2, 1]), tensor([], [2, 0]), tensor([30, 40, 50, 60], [2, 2])],
    tangent: tensor([10, 30, 40, 20, 50, 60], [2, 3]),
    cotangent: tensor([1, 2, 3, 4, 5, 6], [2, 3]),
    pulled: [tensor([1, 4], [2, 1]), tensor([], [2, 0]), tensor([2, 3, 5, 6], [2, 2])],
  },
  take: {
    ...question([tensor([1, 2, 3, 4, 5, 6], [2, 3])], [node("take", { axis: 1, indices: "i" }, 0)], {
      i: ["index", tensor([2, 0, 2, 2])],
    }),
    value: tensor([3, 1, 3, 3, 6, 4, 6, 6], [2, 4]),
    tangents: [tensor([10, 20, 30, 40, 50, 60], [2, 3])],
    tangent: tensor([30, 10, 30, 30, 60, 40, 60, 60], [2, 4]),
    cotangent: tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 4]),
    pulled: [tensor([2, 0, 8, 6, 0, 20], [2, 3])],
  },
  // A batch of two: [1 2]·[3 4; 5 6] and [7 8]·[9 10; 11 12].
  matmul: {
    ...question(
      [tensor([1, 2, 7, 8], [2, 1, 2]), tensor([3, 4, 5, 6, 9, 10, 11, 12], [2, 2, 2])],
      [node("matmul", {}, 0, 1)],
    ),
    value: tensor([13, 16, 151, 166], [2, 1, 2]),
    tangents: [tensor([1, 0, 0, 1], [2, 1, 2]), tensor([1, 0, 0, 0, 0, 0, 0, 1], [2, 2, 2])],
    tangent: tensor([4, 4, 11, 20], [2, 1, 2]),
    cotangent: tensor([1, 10, 2, 3], [2, 1, 2]),
    pulled: [tensor([43, 65, 48, 58], [2, 1, 2]), tensor([1, 10, 2, 20, 14, 21, 16, 24], [2, 2, 2])],
  },
};

/** Points where a function's value and slope are known in closed form, though not exact in binary. */
export const knownSlopes: readonly {
  readonly node: Node;
  readonly x: number;
  readonly value: number;
  readonly slope: number;
}[] = [
  { node: node("exp", {}, 0), x: Math.LN2, value: 2, slope: 2 },
  { node: node("log", {}, 0), x: Math.E, value: 1, slope: 1 / Math.E },
  { node: node("sin", {}, 0), x: Math.PI / 6, value: 0.5, slope: Math.sqrt(0.75) },
  { node: node("cos", {}, 0), x: Math.PI / 6, value: Math.sqrt(0.75), slope: -0.5 },
  { node: node("tanh", {}, 0), x: Math.LN2, value: 0.6, slope: 0.64 },
  { node: node("sqrt", {}, 0), x: 2, value: Math.SQRT2, slope: Math.SQRT1_2 / 2 },
  { node: node("expm1", {}, 0), x: Math.LN2, value: 1, slope: 2 },
  { node: node("log1p", {}, 0), x: Math.E - 1, value: 1, slope: 1 / Math.E },
  { node: node("log2", {}, 0), x: 8, value: 3, slope: Math.LOG2E / 8 },
  { node: node("tan", {}, 0), x: Math.PI / 4, value: 1, slope: 2 },
  { node: node("asin", {}, 0), x: 0.5, value: Math.PI / 6, slope: 2 / Math.sqrt(3) },
  { node: node("acos", {}, 0), x: 0.5, value: Math.PI / 3, slope: -2 / Math.sqrt(3) },
  { node: node("atan", {}, 0), x: 1, value: Math.PI / 4, slope: 0.5 },
  { node: node("sinh", {}, 0), x: Math.LN2, value: 0.75, slope: 1.25 },
  { node: node("cosh", {}, 0), x: Math.LN2, value: 1.25, slope: 0.75 },
  { node: node("asinh", {}, 0), x: 0.75, value: Math.LN2, slope: 0.8 },
  { node: node("acosh", {}, 0), x: 1.25, value: Math.LN2, slope: 4 / 3 },
  { node: node("atanh", {}, 0), x: 0.6, value: Math.LN2, slope: 1.5625 },
  { node: node("erf", {}, 0), x: 0.5, value: 0.5204998778130465, slope: 0.8787825789354449 },
  { node: node("erf", {}, 0), x: 1.5, value: 0.9661051464753108, slope: 0.11893028922362 },
];
