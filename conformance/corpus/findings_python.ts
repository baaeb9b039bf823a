import type { OperatorName } from "../../spec/index.ts";
import { array, type Nested } from "./case_text.ts";
import type { FindingText } from "./finding_text.ts";

/** One operator of tensors, with the verdict that it gets in float64. */
function finding(
  engine: "jax" | "autograd",
  name: string,
  op: OperatorName,
  note: string,
  operands: readonly Nested[],
  more: Partial<Pick<FindingText, "verdict" | "seeds" | "tangents">> & { readonly attributes?: object } = {},
): FindingText {
  const { attributes = {}, verdict = "disagrees", ...rest } = more;
  return {
    name: `${engine}_${name}`,
    note,
    engine,
    dtype: "float64",
    clause: verdict === "crashed" ? "2.5" : "7.3",
    verdict,
    ...(verdict === "disagrees" ? { blames: op } : {}),
    inputs: Object.fromEntries(operands.map((x, place) => [`x${place}`, array(x)])),
    nodes: [[op, operands.map((_, place) => place), attributes]],
    ...rest,
  };
}

const digits = "the last digits are lost";

const ofJax: readonly FindingText[] = [
  finding("jax", "log1p", "log1p", "128 ulp off just above √2 − 2, where one series ends", [
    [-0.4141670667437971, 0.5],
  ]),
  finding("jax", "atanh", "atanh", "computed with log1p: 128 ulp off where that is", [
    [-0.4141865331710577, 0.5],
  ]),
  finding("jax", "sinh", "sinh", "ln 2 is subtracted in the exponent, which rounds: 15 ulp", [
    [19.405843327479786, 0.5],
  ]),
  finding("jax", "cosh", "cosh", "ln 2 is subtracted in the exponent, which rounds: 16 ulp", [
    [-18.713613542931355, 0.5],
  ]),
  finding("jax", "expm1", "expm1", digits, [[-0.03141577973623761, 0.5]]),
  finding("jax", "expm1_derivative", "expm1", "the derivative is the value plus 1, which cancels: 0 at −40", [
    [-40, 0.5],
  ]),
  finding(
    "jax",
    "pow_of_exponent_zero",
    "pow",
    "x⁰ is constant; its derivative at 0 is computed as 0 · 0⁻¹",
    [
      [0, 2],
      [0, 1],
    ],
  ),
  finding("jax", "det_of_one", "det", "the determinant of [[7]] is computed as exp(ln 7)", [[[7]]]),
];

const ofAutograd: readonly FindingText[] = [
  finding(
    "autograd",
    "tile_fewer",
    "tile",
    "with fewer repetitions than axes, the cotangent is cut along the first axes instead of the last",
    [
      [
        [2, 3],
        [4, 5],
        [6, 7],
      ],
    ],
    { attributes: { repetitions: [3] } },
  ),
  finding(
    "autograd",
    "norm_kept_axis",
    "norm",
    "a kept axis is added once more: the tangent has another shape, the cotangent is summed wrongly",
    [
      [
        [3, 4],
        [6, 8],
      ],
    ],
    { attributes: { axes: [1], keepdims: true }, verdict: "crashed" },
  ),
  finding(
    "autograd",
    "prod_at_zero",
    "prod",
    "the derivative is the product divided by the factor, which is 0/0 where the factor is 0",
    [[0, 2]],
    { attributes: { axes: [0], keepdims: false } },
  ),
  finding("autograd", "det_of_one", "det", "the determinant of [[3]] is computed as exp(ln 3)", [[[3]]]),
  finding(
    "autograd",
    "det_singular",
    "det",
    "a singular matrix has a determinant and a gradient; the inverse that is used has none",
    [
      [
        [1, 2],
        [2, 4],
      ],
    ],
    { verdict: "crashed" },
  ),
  finding(
    "autograd",
    "var_forward",
    "var",
    "forward, over a tuple of axes: NameError",
    [
      [
        [1, 2],
        [4, 8],
      ],
    ],
    { attributes: { axes: [0, 1], keepdims: false, correction: 0 }, verdict: "crashed" },
  ),
  finding(
    "autograd",
    "einsum_diagonal",
    "einsum",
    "the cotangent of a diagonal is asked of einsum with an axis twice in the result",
    [
      [
        [1, 2],
        [4, 8],
      ],
    ],
    { attributes: { equation: "ii->i" }, verdict: "crashed" },
  ),
  finding(
    "autograd",
    "expm1_derivative",
    "expm1",
    "the derivative is the value plus 1, which cancels: 0 at −40",
    [[-40, 0.5]],
  ),
];

/** What was found in JAX and in autograd by asking them the operators beyond the first ones. */
export const findingsOfPython: readonly FindingText[] = [...ofJax, ...ofAutograd];
