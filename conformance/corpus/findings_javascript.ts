import type { OperatorName } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type NodeText, tensor } from "./case_text.ts";
import type { FindingText } from "./finding_text.ts";

/** Makes a case whose last node the engine gets wrong; `blames` is that node's operator. */
function wrong(engine: "jaxjs" | "tfjs", dtype: DataType, text: Case): FindingText {
  return { engine, dtype, verdict: "disagrees", clause: "7.3", ...text, name: `${engine}_${text.name}` };
}

/** Makes a case at which an engine throws. */
function thrown(engine: "jaxjs" | "tfjs", dtype: DataType, text: Case): FindingText {
  return { engine, dtype, verdict: "crashed", clause: "2.5", ...text, name: `${engine}_${text.name}` };
}

type Case = Omit<FindingText, "engine" | "dtype" | "verdict" | "clause">;

/** Asks one operator of one vector. */
function elementwise(
  op: OperatorName,
  name: string,
  note: string,
  x: readonly number[],
  attributes: object = {},
): Case {
  const node: NodeText = [op, [0], attributes];
  return {
    name,
    note,
    blames: op,
    inputs: { x: [[x.length], x] },
    nodes: [node],
    seeds: { 1: [[x.length], x.map((_, i) => i + 1)] },
  };
}

const divides = "the derivative is the product divided by the factor, which is 0/0 where the factor is 0";
const digits = "a float32 function that loses its last digits";

const ofTensorFlow: readonly FindingText[] = [
  wrong("tfjs", "float32", {
    name: "cumulative_sum_transposed",
    note: "the gradient along any axis but the last comes back transposed; where the shape tells, it throws",
    blames: "cumulative_sum",
    inputs: { x: tensor([2, 2], [2, 3, 4, 5]) },
    nodes: "cumulative_sum 0 axis=0",
    seeds: { 1: tensor([2, 2], [3, 5, 7, 9]) },
  }),
  wrong("tfjs", "float32", {
    name: "avg_pool_padded_gradient",
    note: "the value counts what is no padding, the gradient divides by the whole window",
    blames: "avg_pool",
    inputs: { x: tensor([1, 1, 4], [1, 2, 3, 4]) },
    nodes: "avg_pool 0 window=[2] strides=[2] padding=[[1,1]] count_include_pad=false",
  }),
  wrong("tfjs", "float32", {
    name: "einsum_summed_apart",
    note: "an axis of the second operand that only it has is not summed: a vector where the result is a scalar",
    blames: "einsum",
    inputs: { x: tensor([1, 2], [1, 2]), y: tensor([2, 2], [3, 4, 5, 6]) },
    nodes: "einsum 0 1 equation=ij,kj->",
  }),
  wrong("tfjs", "float32", {
    name: "pow_of_exponent_zero",
    note: "x⁰ is constant; its gradient at 0 is computed as 0 · 0⁻¹",
    blames: "pow",
    inputs: { x: [[], [0]], y: [[], [0]] },
    nodes: "pow 0 1",
  }),
  wrong("tfjs", "float32", {
    name: "take_spreads_infinity",
    note: "one infinity in the cotangent of take makes NaN of every entry",
    blames: "take",
    inputs: { x: [[3], [0, 1, 2]] },
    indices: { i: [0, 2] },
    nodes: "take 0 axis=0 indices=i; sqrt 1",
    seeds: { 2: [[2], [1, 1]] },
  }),
  wrong(
    "tfjs",
    "float32",
    elementwise("erf", "erf_near_zero", "an approximation with an absolute error loses small values", [
      2 ** -20,
      1,
    ]),
  ),
  thrown("tfjs", "float32", {
    name: "take_from_empty",
    note: "the gradient of a take from an axis of extent 0 throws",
    inputs: { x: [[2, 0], []] },
    indices: { i: [] },
    nodes: "take 0 axis=1 indices=i",
  }),
  thrown("tfjs", "float32", {
    name: "split_into_one",
    note: "the gradient of a split into one part throws",
    inputs: { x: [[2], [1, 2]] },
    nodes: "split 0 axis=0 sections=1 part=0",
  }),
  thrown("tfjs", "float32", {
    name: "triangle_of_one_matrix",
    note: "the gradient of linalg.bandPart of a single matrix throws, as that of unstack of one",
    inputs: { x: tensor([2, 2], [1, 2, 3, 4]) },
    nodes: "tril 0 offset=0",
    seeds: { 1: tensor([2, 2], [3, 5, 7, 9]) },
  }),
];

const ofJaxJs: readonly FindingText[] = [
  wrong("jaxjs", "float64", {
    name: "concat_of_take",
    note: "a value taken from x, beside x itself: the gradient is not the sum of both",
    inputs: { x: [[1], [1]] },
    indices: { i: [0] },
    nodes: "take 0 axis=0 indices=i; concat 1 0 axis=0",
  }),
  thrown("jaxjs", "float64", {
    name: "one_result_twice",
    note: "two results of vjp that are one value have one claim between them: the second use throws",
    inputs: { x: [[2], [1, 2]] },
    nodes: "concat 0 axis=0",
    seeds: { 0: [[2], [3, 5]], 1: [[2], [7, 9]] },
  }),
  wrong("jaxjs", "float64", {
    name: "prod_at_zero",
    note: divides,
    blames: "prod",
    inputs: { x: [[3], [0, 2, 3]] },
    nodes: "prod 0 axes=[0] keepdims=false",
    seeds: { 1: [[], [1]] },
  }),
  wrong("jaxjs", "float64", {
    ...elementwise("cumulative_prod", "cumulative_prod_at_zero", divides, [0, 2, 3], { axis: 0 }),
  }),
  wrong("jaxjs", "float64", {
    name: "det_singular",
    note: "the gradient goes through the product of the pivots, one of which is 0",
    blames: "det",
    inputs: { a: tensor([2, 2], [1, 2, 2, 4]) },
    nodes: "det 0",
    seeds: { 1: [[], [1]] },
  }),
  wrong("jaxjs", "float64", {
    name: "clip_crossed",
    note: "where the bounds cross, NumPy and JAX have the upper one, jax-js the lower",
    blames: "clip",
    inputs: { x: [[], [2]], low: [[], [4]], high: [[], [1]] },
    nodes: "clip 0 1 2",
  }),
  wrong(
    "jaxjs",
    "float32",
    elementwise("softplus", "softplus_overflows", "log(eˣ + 1) as it stands: ∞ at 100", [100, 1]),
  ),
  wrong(
    "jaxjs",
    "float32",
    elementwise(
      "sigmoid",
      "sigmoid_gradient",
      "1 / (1 + e⁻ˣ) as it stands: its gradient is NaN at −120",
      [-120, 1],
    ),
  ),
  wrong(
    "jaxjs",
    "float32",
    elementwise(
      "elu",
      "elu_passes_nan",
      "the branch that is not taken overflows and makes NaN of the gradient",
      [100, 1],
      { alpha: 1 },
    ),
  ),
  wrong("jaxjs", "float64", {
    name: "pow_by_logarithm",
    note: "the power is exp(y log|x|): 3² is 8.999998, and 0⁰ is NaN",
    blames: "pow",
    inputs: { x: [[2], [3, 0]], y: [[2], [2, 0]] },
    nodes: "pow 0 1",
    seeds: { 2: [[2], [1, 2]] },
  }),
  wrong("jaxjs", "float64", {
    name: "norm_by_logarithm",
    note: "the squares are powers: the length of (3, 4) is 4.999999",
    blames: "norm",
    inputs: { x: [[2], [3, 4]] },
    nodes: "norm 0 axes=[0] keepdims=false",
    seeds: { 1: [[], [1]] },
  }),
  wrong("jaxjs", "float32", {
    name: "hypot_overflows",
    note: "the squares overflow where the length does not",
    blames: "hypot",
    inputs: { x: [[2], [2 ** 100, 3]], y: [[2], [2 ** 100, 4]] },
    nodes: "hypot 0 1",
    seeds: { 2: [[2], [1, 2]] },
  }),
  wrong("jaxjs", "float64", {
    name: "logical_or_adds",
    note: "the disjunction is a sum of Booleans, and true + true is 2 where one is a folded constant",
    blames: "logical_or",
    inputs: { x: [[], [2]] },
    nodes: "sign 0; logical_or 0 1",
  }),
  wrong(
    "jaxjs",
    "float32",
    elementwise("erf", "erf_near_zero", "an approximation with an absolute error loses small values", [
      2 ** -20,
      1,
    ]),
  ),
  thrown("jaxjs", "float64", {
    name: "tile_nothing",
    note: "no repetition is refused by the reshape inside",
    inputs: { x: [[2], [1, 2]] },
    nodes: "tile 0 repetitions=[0]",
  }),
  thrown("jaxjs", "float64", {
    name: "einsum_scalar_and_empty",
    note: "the gradient of a scalar times a transposed empty matrix",
    inputs: { x: [[], [2]], y: [[2, 0], []] },
    nodes: "einsum 0 1 equation=,ij->ji",
  }),
  wrong("jaxjs", "float32", elementwise("atan", "atan_digits", digits, [1, 3])),
  wrong("jaxjs", "float32", elementwise("acos", "acos_at_one", "acos(1) is 9.5·10⁻⁷", [1, 0.5])),
  wrong("jaxjs", "float32", elementwise("asin", "asin_at_one", digits, [1, 0.5])),
  wrong("jaxjs", "float32", elementwise("log1p", "log1p_digits", digits, [-0.25, 2.5])),
  wrong("jaxjs", "float32", elementwise("log2", "log2_digits", digits, [1.75, 3])),
  wrong("jaxjs", "float32", elementwise("asinh", "asinh_digits", digits, [-1, 3])),
  wrong("jaxjs", "float32", elementwise("acosh", "acosh_digits", digits, [2, 3])),
  wrong("jaxjs", "float32", elementwise("atanh", "atanh_digits", digits, [0.25, 0.75])),
  wrong("jaxjs", "float32", elementwise("expm1", "expm1_digits", digits, [0.375, 3])),
  wrong("jaxjs", "float32", elementwise("sinh", "sinh_digits", digits, [0.375, 3])),
  wrong(
    "jaxjs",
    "float64",
    elementwise("erf", "erf_float64", "a float64 function computed with a float32 polynomial", [0.5, 1]),
  ),
];

/** Lists the faults found in the JavaScript libraries beyond the first operators asked. */
export const findingsOfJavaScript: readonly FindingText[] = [...ofTensorFlow, ...ofJaxJs];
