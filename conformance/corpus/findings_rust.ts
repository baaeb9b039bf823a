import type { OperatorName } from "../../spec/operators/index.ts";
import { array, type Nested, rows } from "./case_text.ts";
import type { FindingText } from "./finding_text.ts";

/** Asks candle one operator, in float64. */
function finding(
  name: string,
  op: OperatorName,
  note: string,
  operands: readonly Nested[],
  more: Partial<Pick<FindingText, "verdict">> & { readonly attributes?: object } = {},
): FindingText {
  const { attributes = {}, verdict = "disagrees" } = more;
  return {
    name: `candle_${name}`,
    note,
    engine: "candle",
    dtype: "float64",
    clause: verdict === "crashed" ? "2.5" : "7.3",
    verdict,
    ...(verdict === "disagrees" ? { blames: op } : {}),
    inputs: Object.fromEntries(operands.map((x, place) => [`x${place}`, array(x)])),
    nodes: [[op, operands.map((_, place) => place), attributes]],
  };
}

/** Takes √ of an operator's result at 0, whose infinite cotangent must not reach one of the operands. */
function infinite(name: string, op: OperatorName, note: string, ...operands: readonly Nested[]): FindingText {
  const { nodes, ...rest } = finding(name, op, note, operands, {
    attributes: op === "cumulative_sum" ? { axis: 0 } : {},
  });
  return { ...rest, clause: "6.4", nodes: [...nodes, ["sqrt", [operands.length]]] };
}

const spatial = { padding: [[0, 0]], groups: 1, dilations: [1] };

/** Lists every finding in candle that a case shows. */
export const findingsOfRust: readonly FindingText[] = [
  finding(
    "conv_batches",
    "conv",
    "one spatial axis, two entries and two kernels: the gradient is that of other elements",
    [
      [[[2]], [[3]]],
      [[[1]], [[1]]],
    ],
    { attributes: { ...spatial, strides: [1] } },
  ),
  {
    ...finding(
      "conv_of_transposed_kernels",
      "conv",
      "transposed kernels are copied into order, and the copy is not used",
      [],
    ),
    inputs: { x: array([[[1], [10]]]), w: rows([[1], [2]], [[3], [4]]) },
    nodes: [
      ["permute_dims", [1], { axes: [1, 0, 2] }],
      ["conv", [0, 2], { ...spatial, strides: [1] }],
    ],
  },
  finding(
    "conv_gradient_of_a_rest",
    "conv",
    "two spatial axes, windows that leave a column over but no row: vjp throws",
    [
      [
        [
          [
            [1, 2, 3],
            [4, 5, 6],
          ],
        ],
      ],
      [
        [
          [
            [1, 1],
            [1, 1],
          ],
        ],
      ],
    ],
    {
      verdict: "crashed",
      attributes: {
        strides: [2, 2],
        padding: [
          [0, 0],
          [0, 0],
        ],
        dilations: [1, 1],
        groups: 1,
      },
    },
  ),
  finding("gelu_gradient", "gelu", "1/√2π is written with six digits in the derivative", [[2, -1]], {
    attributes: { approximate: "none" },
  }),
  finding("gelu_tanh_gradient", "gelu", "√(2/π) is written with six digits in the derivative", [[2, -1]], {
    attributes: { approximate: "tanh" },
  }),
  finding("pow_by_logarithm", "pow", "x^y is exp(y log x), which has no powers of negative numbers", [
    [-2, 3],
    [3, 5],
  ]),
  finding("elu_cancels", "elu", "eˣ − 1 is subtracted", [[-1e-10, 1]], { attributes: { alpha: 1 } }),
  infinite("maximum_passes_nan", "maximum", "the operand that was not chosen gets 0 · ∞", [-1, 2], [0, 1]),
  infinite(
    "cumulative_sum_passes_nan",
    "cumulative_sum",
    "the sums are a product with a matrix of ones and zeros: ∞ · 0 reaches later elements",
    [0, 3],
  ),
  finding("sort_of_nothing", "sort", "an empty axis: a panic", [[]], {
    verdict: "crashed",
    attributes: { axis: 0, descending: false },
  }),
  finding("roll_of_nothing", "roll", "an empty axis: a panic", [[]], {
    verdict: "crashed",
    attributes: { shift: 1, axis: 0 },
  }),
  finding(
    "cumulative_sum_of_rank_four",
    "cumulative_sum",
    "an axis that is not the last of four: refused",
    [
      [
        [
          [
            [1, 2],
            [3, 4],
          ],
        ],
        [
          [
            [5, 6],
            [7, 8],
          ],
        ],
      ],
    ],
    { verdict: "crashed", attributes: { axis: 1 } },
  ),
];
