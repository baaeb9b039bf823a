import { question, tensor } from "./case_text.ts";
import { type FindingText, faultsOf } from "./finding_text.ts";

const digits = "the last digits are lost";

const ofJax: readonly FindingText[] = faultsOf("jax", {
  "log1p (log1p): 128 ulp off just above √2 − 2, where one series ends":
    "log1p 0 at x0=[-0.4141670667437971,0.5]",
  "atanh (atanh): computed with log1p: 128 ulp off where that is": "atanh 0 at x0=[-0.4141865331710577,0.5]",
  "sinh (sinh): ln 2 is subtracted in the exponent, which rounds: 15 ulp":
    "sinh 0 at x0=[19.405843327479786,0.5]",
  "cosh (cosh): ln 2 is subtracted in the exponent, which rounds: 16 ulp":
    "cosh 0 at x0=[-18.713613542931355,0.5]",
  [`expm1 (expm1): ${digits}`]: "expm1 0 at x0=[-0.03141577973623761,0.5]",
  "expm1_derivative (expm1): the derivative is the value plus 1, which cancels: 0 at −40":
    "expm1 0 at x0=[-40,0.5]",
  "pow_of_exponent_zero (pow): x⁰ is constant; its derivative at 0 is computed as 0 · 0⁻¹":
    "pow 0 1 at x0=[0,2] x1=[0,1]",
  "det_of_one (det): the determinant of [[7]] is computed as exp(ln 7)": "det 0 at x0=[[7]]",
});

const ofAutograd: readonly FindingText[] = faultsOf("autograd", {
  "tile_fewer (tile): with fewer repetitions than axes, the cotangent is cut along the first axes instead of the last":
    "tile 0 repetitions=[3] at x0=[[2,3],[4,5],[6,7]]",
  "norm_kept_axis (crashed): a kept axis is added once more: the tangent has another shape, the cotangent is summed wrongly":
    "norm 0 axes=[1] keepdims=true at x0=[[3,4],[6,8]]",
  "prod_at_zero (prod): the derivative is the product divided by the factor, which is 0/0 where the factor is 0":
    "prod 0 axes=[0] keepdims=false at x0=[0,2]",
  "det_of_one (det): the determinant of [[3]] is computed as exp(ln 3)": "det 0 at x0=[[3]]",
  "det_singular (crashed): a singular matrix has a determinant and a gradient; the inverse that is used has none":
    "det 0 at x0=[[1,2],[2,4]]",
  "var_forward (crashed): forward, over a tuple of axes: NameError":
    "var 0 axes=[0,1] keepdims=false correction=0 at x0=[[1,2],[4,8]]",
  "einsum_diagonal (crashed): the cotangent of a diagonal is asked of einsum with an axis twice in the result":
    "einsum 0 equation=ii->i at x0=[[1,2],[4,8]]",
  "expm1_derivative (expm1): the derivative is the value plus 1, which cancels: 0 at −40":
    "expm1 0 at x0=[-40,0.5]",
});

const cancels = "1 − x² is taken where 1 − x is small: half of the digits are lost";

/** Explains a slope that is computed through a square. */
const throughSquare =
  "the slope is computed through x², which overflows or underflows where the slope does not";

const ofPyTorch: readonly FindingText[] = faultsOf("pytorch", {
  "det_singular (det): the gradient of a determinant is all zeros wherever the determinant is 0": {
    ...question("constant name=c; det 1; multiply 0 2 at x=1"),
    // A constant, because forward mode would refuse an input's tangent first.
    constants: { c: tensor([2, 2], [1, 2, 2, 4]) },
    seeds: { 2: [[], [3]] },
  },
  "det_singular_forward (crashed): a singular matrix has a determinant and its tangent; the forward rule solves with the matrix":
    "det 0 at x0=[[1,2],[2,4]]",
  "cholesky_zeros (cholesky, 6.4): an infinite cotangent of the triangle that is 0 makes the whole gradient NaN":
    "cholesky 0 upper=false; reciprocal 1 at x=[[2,1],[1,2]] seeded 2=[[3,5],[7,9]]",
  [`asin_near_one (asin): ${cancels}`]: `asin 0 at x0=[${1 - 2 ** -40},0.5]`,
  [`acos_near_one (acos): ${cancels}`]: `acos 0 at x0=[${1 - 2 ** -40},0.5]`,
  [`atanh_near_one (atanh): ${cancels}`]: `atanh 0 at x0=[${1 - 2 ** -40},0.5]`,
  [`acosh_near_one (acosh): ${cancels}`]: `acosh 0 at x0=[${1 + 2 ** -40},2]`,
  [`asinh_derivative_overflows (asinh): ${throughSquare}`]: "asinh 0 at x0=[1e200,0.5]",
  [`acosh_derivative_overflows (acosh): ${throughSquare}`]: "acosh 0 at x0=[1e200,2]",
  [`atan2_derivative_overflows (atan2): ${throughSquare}`]: "atan2 0 1 at x0=[1e200,1] x1=[1e200,2]",
  [`atan2_derivative_underflows (atan2): ${throughSquare}`]: "atan2 0 1 at x0=[1e-200,1] x1=[1e-200,2]",
  "divide_cotangent_overflows (divide): the cotangent of y is computed through (x/y)/y, which overflows where y is subnormal":
    {
      ...question(`divide 0 1 at x0=[${2 ** -1030},3] x1=[${2 ** -1030},4]`),
      seeds: { 2: [[2], [2 ** -60, 1]] },
      tangents: [
        [[2], [2 ** -1060, 1]],
        [[2], [2 ** -1060, 1]],
      ],
    },
  "hypot_tangent_overflows (hypot): forward, x is multiplied by its tangent before the length divides it: infinite near the end of the range":
    {
      ...question(`hypot 0 1 at x0=[${2 ** 1022},3] x1=[${2 ** 1022},4]`),
      tangents: [
        [[2], [5, 1]],
        [[2], [5, 1]],
      ],
    },
  "expm1_derivative (expm1): the derivative is the value plus 1, which cancels: 0 at −40":
    "expm1 0 at x0=[-40,0.5]",
  "conv_without_channels (conv): kernels of no channels give a result of no channels, where it has one for each kernel":
    {
      inputs: { x: [[1, 0, 2], []], w: [[2, 0, 2], []] },
      nodes: "conv 0 1 strides=[1] padding=[[0,0]] dilations=[1] groups=1",
    },
  "avg_pool3d_padding (crashed): over three axes, a window that fits on the padded input alone is refused; over two it is not":
    "avg_pool 0 window=[1,1,2] strides=[1,1,1] padding=[[0,0],[0,0],[1,1]] count_include_pad=true at x0=[[[[[6]]]]]",
  "sqrt_float64 (sqrt): a square root that is not correctly rounded": "sqrt 0 at x0=[4.875,4]",
  "sqrt_float32 (sqrt, float32): a square root that is not correctly rounded": "sqrt 0 at x0=[2.625,4]",
});

const signOfZero =
  "the magnitude is computed and the sign multiplied to it, which is 0 at 0: so is the derivative";
const polynomial = "a polynomial of eight digits, in float64 too";
const nearZero = "computed as a difference of numbers near each other: digits are lost near 0";
const throughSquares = "computed through x², which overflows";

const ofTinygrad: readonly FindingText[] = faultsOf("tinygrad", {
  [`asin_at_zero (asin): ${signOfZero}`]: "asin 0 at x0=[0]",
  [`erf_at_zero (erf): ${signOfZero}`]: "erf 0 at x0=[0]",
  [`asin_float64 (asin): ${polynomial}`]: "asin 0 at x0=[0.25,0.5]",
  [`erf_float64 (erf): ${polynomial}`]: "erf 0 at x0=[0.25,0.5]",
  "sin_large (sin): beyond 30 the angle is reduced with too few digits: 8 of 16 are left":
    "sin 0 at x0=[100.1,2]",
  "cos_shifted (cos): sin(π/2 − x), where π/2 is rounded: 0 at π/2": `cos 0 at x0=[${Math.PI / 2},1]`,
  "exp_large (exp): x/ln 2 is rounded before the power of 2 is taken": "exp 0 at x0=[700,300]",
  [`atan_large (atan): ${throughSquares}`]: "atan 0 at x0=[1e200,1]",
  [`acosh_large (acosh): ${throughSquares}`]: "acosh 0 at x0=[1e200,2]",
  "asinh_negative (asinh): x + √(x² + 1) is 0 where x is far below 0: −∞": "asinh 0 at x0=[-1e10,1]",
  [`tanh_cancels (tanh): ${nearZero}`]: "tanh 0 at x0=[1e-10,1]",
  [`sinh_cancels (sinh): ${nearZero}`]: "sinh 0 at x0=[1e-10,1]",
  [`atanh_cancels (atanh): ${nearZero}`]: "atanh 0 at x0=[1e-10,0.5]",
  [`elu_cancels (elu): ${nearZero}`]: "elu 0 alpha=1 at x0=[-1e-10,1]",
  "softplus_cancels (softplus): ln(1 + eˣ) is 0 where eˣ is small": "softplus 0 at x0=[-40,1]",
  "logical_and (crashed): no gradient of a conjunction of masks that becomes numbers: it throws":
    "logical_and 0 1 at x0=[1,0] x1=[2,3]",
  "quotient_by_itself (divide): x/x is taken for 1, at 0 and at ∞ too": "divide 0 0 at x0=[0,2]",
  "einsum_diagonal (einsum): a diagonal is put behind the other axes, and its letter before them: the result is transposed":
    "einsum 0 equation=iij->ij at x0=[[[1,2],[3,4]],[[5,6],[7,8]]]",
  "equal_scalars (multiply): two scalars of the same number are one input: each gets the cotangents of both":
    "multiply 0 1 at x0=2 x1=2",
});

/** Lists the faults found in JAX, autograd, PyTorch and tinygrad beyond the first operators asked. */
export const findingsOfPython: readonly FindingText[] = [
  ...ofJax,
  ...ofAutograd,
  ...ofPyTorch,
  ...ofTinygrad,
];
