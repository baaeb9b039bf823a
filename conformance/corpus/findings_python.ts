import type { OperatorName } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { array, type Nested, tensor } from "./case_text.ts";
import type { FindingText } from "./finding_text.ts";

/** Asks one operator of tensors and states the verdict it gets, in float64 unless given. */
function finding(
  engine: "jax" | "autograd" | "pytorch" | "tinygrad",
  name: string,
  op: OperatorName,
  note: string,
  operands: readonly Nested[],
  more: Partial<Pick<FindingText, "verdict" | "seeds" | "tangents" | "dtype">> & {
    readonly attributes?: object;
  } = {},
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

const cancels = "1 − x² is taken where 1 − x is small: half of the digits are lost";

/** Explains a slope that is computed through a square. */
const throughSquare =
  "the slope is computed through x², which overflows or underflows where the slope does not";

function rootOf(dtype: DataType, x: number): FindingText {
  const note = "a square root that is not correctly rounded";
  return finding("pytorch", `sqrt_${dtype}`, "sqrt", note, [[x, 4]], { dtype });
}

const ofPyTorch: readonly FindingText[] = [
  {
    name: "pytorch_det_singular",
    clause: "7.3",
    note: "the gradient of a determinant is all zeros wherever the determinant is 0",
    engine: "pytorch",
    dtype: "float64",
    verdict: "disagrees",
    blames: "det",
    inputs: { x: [[], [1]] },
    // A constant, because forward mode would refuse an input's tangent first.
    constants: { c: tensor([2, 2], [1, 2, 2, 4]) },
    nodes: "constant name=c; det 1; multiply 0 2",
    seeds: { 2: [[], [3]] },
  },
  finding(
    "pytorch",
    "det_singular_forward",
    "det",
    "a singular matrix has a determinant and its tangent; the forward rule solves with the matrix",
    [
      [
        [1, 2],
        [2, 4],
      ],
    ],
    { verdict: "crashed" },
  ),
  {
    name: "pytorch_cholesky_zeros",
    clause: "6.4",
    note: "an infinite cotangent of the triangle that is 0 makes the whole gradient NaN",
    engine: "pytorch",
    dtype: "float64",
    verdict: "disagrees",
    blames: "cholesky",
    inputs: { x: tensor([2, 2], [2, 1, 1, 2]) },
    nodes: "cholesky 0 upper=false; reciprocal 1",
    seeds: { 2: tensor([2, 2], [3, 5, 7, 9]) },
  },
  finding("pytorch", "asin_near_one", "asin", cancels, [[1 - 2 ** -40, 0.5]]),
  finding("pytorch", "acos_near_one", "acos", cancels, [[1 - 2 ** -40, 0.5]]),
  finding("pytorch", "atanh_near_one", "atanh", cancels, [[1 - 2 ** -40, 0.5]]),
  finding("pytorch", "acosh_near_one", "acosh", cancels, [[1 + 2 ** -40, 2]]),
  finding("pytorch", "asinh_derivative_overflows", "asinh", throughSquare, [[1e200, 0.5]]),
  finding("pytorch", "acosh_derivative_overflows", "acosh", throughSquare, [[1e200, 2]]),
  finding("pytorch", "atan2_derivative_overflows", "atan2", throughSquare, [
    [1e200, 1],
    [1e200, 2],
  ]),
  finding("pytorch", "atan2_derivative_underflows", "atan2", throughSquare, [
    [1e-200, 1],
    [1e-200, 2],
  ]),
  finding(
    "pytorch",
    "divide_cotangent_overflows",
    "divide",
    "the cotangent of y is computed through (x/y)/y, which overflows where y is subnormal",
    [
      [2 ** -1030, 3],
      [2 ** -1030, 4],
    ],
    {
      seeds: { 2: [[2], [2 ** -60, 1]] },
      tangents: [
        [[2], [2 ** -1060, 1]],
        [[2], [2 ** -1060, 1]],
      ],
    },
  ),
  finding(
    "pytorch",
    "hypot_tangent_overflows",
    "hypot",
    "forward, x is multiplied by its tangent before the length divides it: infinite near the end of the range",
    [
      [2 ** 1022, 3],
      [2 ** 1022, 4],
    ],
    {
      tangents: [
        [[2], [5, 1]],
        [[2], [5, 1]],
      ],
    },
  ),
  finding(
    "pytorch",
    "expm1_derivative",
    "expm1",
    "the derivative is the value plus 1, which cancels: 0 at −40",
    [[-40, 0.5]],
  ),
  {
    name: "pytorch_conv_without_channels",
    clause: "7.3",
    note: "kernels of no channels give a result of no channels, where it has one for each kernel",
    engine: "pytorch",
    dtype: "float64",
    verdict: "disagrees",
    blames: "conv",
    inputs: { x: [[1, 0, 2], []], w: [[2, 0, 2], []] },
    nodes: "conv 0 1 strides=[1] padding=[[0,0]] dilations=[1] groups=1",
  },
  finding(
    "pytorch",
    "avg_pool3d_padding",
    "avg_pool",
    "over three axes, a window that fits on the padded input alone is refused; over two it is not",
    [[[[[[6]]]]]],
    {
      attributes: {
        window: [1, 1, 2],
        strides: [1, 1, 1],
        padding: [
          [0, 0],
          [0, 0],
          [1, 1],
        ],
        count_include_pad: true,
      },
      verdict: "crashed",
    },
  ),
  rootOf("float64", 4.875),
  rootOf("float32", 2.625),
];

/** Asks tinygrad for a function at some points. */
function ofTinygradAt(
  name: string,
  op: OperatorName,
  note: string,
  x: readonly number[],
  attributes = {},
): FindingText {
  return finding("tinygrad", name, op, note, [x], { attributes });
}

const signOfZero =
  "the magnitude is computed and the sign multiplied to it, which is 0 at 0: so is the derivative";
const polynomial = "a polynomial of eight digits, in float64 too";
const nearZero = "computed as a difference of numbers near each other: digits are lost near 0";
const throughSquares = "computed through x², which overflows";

const ofTinygrad: readonly FindingText[] = [
  ofTinygradAt("asin_at_zero", "asin", signOfZero, [0]),
  ofTinygradAt("erf_at_zero", "erf", signOfZero, [0]),
  ofTinygradAt("asin_float64", "asin", polynomial, [0.25, 0.5]),
  ofTinygradAt("erf_float64", "erf", polynomial, [0.25, 0.5]),
  ofTinygradAt(
    "sin_large",
    "sin",
    "beyond 30 the angle is reduced with too few digits: 8 of 16 are left",
    [100.1, 2],
  ),
  ofTinygradAt("cos_shifted", "cos", "sin(π/2 − x), where π/2 is rounded: 0 at π/2", [Math.PI / 2, 1]),
  ofTinygradAt("exp_large", "exp", "x/ln 2 is rounded before the power of 2 is taken", [700, 300]),
  ofTinygradAt("atan_large", "atan", throughSquares, [1e200, 1]),
  ofTinygradAt("acosh_large", "acosh", throughSquares, [1e200, 2]),
  ofTinygradAt("asinh_negative", "asinh", "x + √(x² + 1) is 0 where x is far below 0: −∞", [-1e10, 1]),
  ofTinygradAt("tanh_cancels", "tanh", nearZero, [1e-10, 1]),
  ofTinygradAt("sinh_cancels", "sinh", nearZero, [1e-10, 1]),
  ofTinygradAt("atanh_cancels", "atanh", nearZero, [1e-10, 0.5]),
  ofTinygradAt("elu_cancels", "elu", nearZero, [-1e-10, 1], { alpha: 1 }),
  ofTinygradAt("softplus_cancels", "softplus", "ln(1 + eˣ) is 0 where eˣ is small", [-40, 1]),
  finding(
    "tinygrad",
    "logical_and",
    "logical_and",
    "no gradient of a conjunction of masks that becomes numbers: it throws",
    [
      [1, 0],
      [2, 3],
    ],
    { verdict: "crashed" },
  ),
  {
    ...ofTinygradAt("quotient_by_itself", "divide", "x/x is taken for 1, at 0 and at ∞ too", [0, 2]),
    nodes: "divide 0 0",
  },
  finding(
    "tinygrad",
    "einsum_diagonal",
    "einsum",
    "a diagonal is put behind the other axes, and its letter before them: the result is transposed",
    [
      [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
    ],
    { attributes: { equation: "iij->ij" } },
  ),
  finding(
    "tinygrad",
    "equal_scalars",
    "multiply",
    "two scalars of the same number are one input: each gets the cotangents of both",
    [2, 2],
  ),
];

/** Lists the faults found in JAX, autograd, PyTorch and tinygrad beyond the first operators asked. */
export const findingsOfPython: readonly FindingText[] = [
  ...ofJax,
  ...ofAutograd,
  ...ofPyTorch,
  ...ofTinygrad,
];
