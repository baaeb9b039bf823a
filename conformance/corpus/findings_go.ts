import type { OperatorName } from "../../spec/operators/index.ts";
import { array, type Nested } from "./case_text.ts";
import type { FindingText } from "./finding_text.ts";

/** Asks gorgonia one operator, in float64 unless given. */
function finding(
  name: string,
  op: OperatorName,
  note: string,
  operands: readonly Nested[],
  more: Partial<Pick<FindingText, "verdict" | "dtype">> & { readonly attributes?: object } = {},
): FindingText {
  const { attributes = {}, verdict = "disagrees", dtype = "float64" } = more;
  return {
    name: `gorgonia_${name}`,
    note,
    engine: "gorgonia",
    dtype,
    clause: verdict === "crashed" ? "2.5" : "7.3",
    verdict,
    ...(verdict === "disagrees" ? { blames: op } : {}),
    inputs: Object.fromEntries(operands.map((x, place) => [`x${place}`, array(x)])),
    nodes: [[op, operands.map((_, place) => place), attributes]],
  };
}

/** Makes a case whose operators are all right while cotangents are accumulated wrongly. */
function accumulated(name: string, note: string, x: Nested): FindingText {
  const { blames: _, ...rest } = finding(name, "add", note, [x]);
  return { ...rest, clause: "3.2" };
}

const spatial = {
  strides: [1, 1],
  padding: [
    [0, 0],
    [0, 0],
  ],
  count_include_pad: true,
};

/** Lists every finding in gorgonia that a case shows. */
export const findingsOfGo: readonly FindingText[] = [
  finding("log2_gradient", "log2", "the gradient is ln 2 / x instead of 1 / (x ln 2)", [[2, 3]]),
  finding("outer_gradient", "outer", "each gradient is multiplied by its own operand instead of the other", [
    [2, 3],
    [5, 7],
  ]),
  {
    ...finding("take_repeated", "take", "an index that occurs twice: its cotangents are not added", [
      [
        [5, 6],
        [7, 8],
      ],
    ]),
    nodes: "take 0 axis=1 indices=i",
    indices: { i: [1, 1, 0] },
  },
  {
    ...finding("take_of_one", "take", "of a vector of one element a number is taken instead of a vector", [
      [5],
    ]),
    nodes: "take 0 axis=0 indices=i",
    indices: { i: [0] },
  },
  finding(
    "sum_of_four_axes",
    "sum",
    "the sum over an axis within four is that of other elements",
    [
      [
        [
          [[2], [3], [4]],
          [[5], [6], [7]],
        ],
      ],
    ],
    { attributes: { axes: [2], keepdims: false } },
  ),
  finding("logsumexp", "logsumexp", "the maximum is added before the logarithm", [[2]], {
    attributes: { axes: [0], keepdims: false },
  }),
  finding(
    "avg_pool",
    "avg_pool",
    "the sum is divided by the width of the image",
    [
      [
        [
          [
            [1, 2],
            [3, 6],
          ],
        ],
      ],
    ],
    { attributes: { window: [2, 2], ...spatial } },
  ),
  finding("avg_pool_rows", "avg_pool", "over one axis it is the greatest element", [[[[1, 2, 5]]]], {
    attributes: { window: [2], strides: [1], padding: [[0, 0]], count_include_pad: true },
  }),
  finding(
    "slice_step",
    "slice",
    "the last element is left out where the step does not divide the extent",
    [[1, 2, 3, 4, 5]],
    { attributes: { starts: [0], stops: [5], steps: [2] } },
  ),
  {
    ...finding("softmax_twice", "log_softmax", "softmax and its logarithm of one operand are one node", [
      [[1, 5]],
    ]),
    nodes: "softmax 0 axis=1; log_softmax 0 axis=1",
  },
  {
    ...accumulated(
      "reshape_sums",
      "a reshape shares memory, in which cotangents are added up: twice",
      [2, 3],
    ),
    nodes: "reshape 0 shape=[2]; multiply 0 1",
  },
  {
    ...finding("scalar_of_vector", "relu", "a number that a reshape made is no number to relu", [[2]], {
      verdict: "crashed",
    }),
    nodes: "reshape 0 shape=[]; relu 1",
  },
  finding("maximum_scalars", "maximum", "numbers are refused, arrays are not", [2, 3], {
    verdict: "crashed",
  }),
  finding("divide_by_zero", "divide", "a quotient by 0 is ∞, whatever is divided", [
    [-3, 0, 1],
    [0, 0, 2],
  ]),
  finding("pow_of_base_zero", "pow", "the exponent's gradient is 0 · log 0", [
    [0, 2],
    [3, 5],
  ]),
  {
    ...finding("relu_passes_nan", "relu", "the mask is multiplied to what may be infinite", [[-1, 4]]),
    clause: "6.4",
    nodes: "relu 0; sqrt 1",
  },
  {
    ...finding("maximum_passes_nan", "maximum", "the operand that was not chosen gets 0 · ∞", [
      [-1, 4],
      [0, 2],
    ]),
    clause: "6.4",
    nodes: "maximum 0 1; sqrt 2",
  },
  finding("sigmoid_saturates", "sigmoid", "1 beyond 19, in float64 too", [[20, 1]]),
  finding("softplus_large", "softplus", "x beyond 16, in float64 too", [[20, 1]]),
  finding("sin_float32", "sin", "the angle is reduced in float32: digits are lost as it grows", [[1000, 1]], {
    dtype: "float32",
  }),
];
