import { counted, type FindingText, faultsOf } from "./finding_text.ts";

const divides = "the derivative is the product divided by the factor, which is 0/0 where the factor is 0";
const digits = "a float32 function that loses its last digits";

const ofTensorFlow: readonly FindingText[] = faultsOf("tfjs", {
  "cumulative_sum_transposed (cumulative_sum, float32): the gradient along any axis but the last comes back transposed; where the shape tells, it throws":
    "cumulative_sum 0 axis=0 at x=[[2,3],[4,5]] seeded 1=[[3,5],[7,9]]",
  "avg_pool_padded_gradient (avg_pool, float32): the value counts what is no padding, the gradient divides by the whole window":
    "avg_pool 0 window=[2] strides=[2] padding=[[1,1]] count_include_pad=false at x=[[[1,2,3,4]]]",
  "einsum_summed_apart (einsum, float32): an axis of the second operand that only it has is not summed: a vector where the result is a scalar":
    "einsum 0 1 equation=ij,kj-> at x=[[1,2]] y=[[3,4],[5,6]]",
  "pow_of_exponent_zero (pow, float32): x⁰ is constant; its gradient at 0 is computed as 0 · 0⁻¹":
    "pow 0 1 at x=0 y=0",
  "take_spreads_infinity (take, float32): one infinity in the cotangent of take makes NaN of every entry":
    "take 0 axis=0 indices=i; sqrt 1 at x=[0,1,2] where i=[0,2] seeded 2=[1,1]",
  "erf_near_zero (erf, float32): an approximation with an absolute error loses small values": counted(
    `erf 0 at x=[${2 ** -20},1]`,
  ),
  "take_from_empty (crashed, float32): the gradient of a take from an axis of extent 0 throws":
    "take 0 axis=1 indices=i at x=[[],[]] where i=[]",
  "split_into_one (crashed, float32): the gradient of a split into one part throws":
    "split 0 axis=0 sections=1 part=0 at x=[1,2]",
  "triangle_of_one_matrix (crashed, float32): the gradient of linalg.bandPart of a single matrix throws, as that of unstack of one":
    "tril 0 offset=0 at x=[[1,2],[3,4]] seeded 1=[[3,5],[7,9]]",
});

const ofJaxJs: readonly FindingText[] = faultsOf("jaxjs", {
  "concat_of_take (cotangents): a value taken from x, beside x itself: the gradient is not the sum of both":
    "take 0 axis=0 indices=i; concat 1 0 axis=0 at x=[1] where i=[0]",
  "one_result_twice (crashed): two results of vjp that are one value have one claim between them: the second use throws":
    "concat 0 axis=0 at x=[1,2] seeded 0=[3,5] 1=[7,9]",
  [`prod_at_zero (prod): ${divides}`]: "prod 0 axes=[0] keepdims=false at x=[0,2,3] seeded 1=1",
  [`cumulative_prod_at_zero (cumulative_prod): ${divides}`]: counted("cumulative_prod 0 axis=0 at x=[0,2,3]"),
  "det_singular (det): the gradient goes through the product of the pivots, one of which is 0":
    "det 0 at a=[[1,2],[2,4]] seeded 1=1",
  "clip_crossed (clip): where the bounds cross, NumPy and JAX have the upper one, jax-js the lower":
    "clip 0 1 2 at x=2 low=4 high=1",
  "softplus_overflows (softplus, float32): log(eˣ + 1) as it stands: ∞ at 100":
    counted("softplus 0 at x=[100,1]"),
  "sigmoid_gradient (sigmoid, float32): 1 / (1 + e⁻ˣ) as it stands: its gradient is NaN at −120":
    counted("sigmoid 0 at x=[-120,1]"),
  "elu_passes_nan (elu, float32): the branch that is not taken overflows and makes NaN of the gradient":
    counted("elu 0 alpha=1 at x=[100,1]"),
  "pow_by_logarithm (pow): the power is exp(y log|x|): 3² is 8.999998, and 0⁰ is NaN": counted(
    "pow 0 1 at x=[3,0] y=[2,0]",
  ),
  "norm_by_logarithm (norm): the squares are powers: the length of (3, 4) is 4.999999":
    "norm 0 axes=[0] keepdims=false at x=[3,4] seeded 1=1",
  "hypot_overflows (hypot, float32): the squares overflow where the length does not": counted(
    `hypot 0 1 at x=[${2 ** 100},3] y=[${2 ** 100},4]`,
  ),
  "logical_or_adds (logical_or): the disjunction is a sum of Booleans, and true + true is 2 where one is a folded constant":
    "sign 0; logical_or 0 1 at x=2",
  "erf_near_zero (erf, float32): an approximation with an absolute error loses small values": counted(
    `erf 0 at x=[${2 ** -20},1]`,
  ),
  "tile_nothing (crashed): no repetition is refused by the reshape inside":
    "tile 0 repetitions=[0] at x=[1,2]",
  "einsum_scalar_and_empty (crashed): the gradient of a scalar times a transposed empty matrix":
    "einsum 0 1 equation=,ij->ji at x=2 y=[[],[]]",
  [`atan_digits (atan, float32): ${digits}`]: counted("atan 0 at x=[1,3]"),
  "acos_at_one (acos, float32): acos(1) is 9.5·10⁻⁷": counted("acos 0 at x=[1,0.5]"),
  [`asin_at_one (asin, float32): ${digits}`]: counted("asin 0 at x=[1,0.5]"),
  [`log1p_digits (log1p, float32): ${digits}`]: counted("log1p 0 at x=[-0.25,2.5]"),
  [`log2_digits (log2, float32): ${digits}`]: counted("log2 0 at x=[1.75,3]"),
  [`asinh_digits (asinh, float32): ${digits}`]: counted("asinh 0 at x=[-1,3]"),
  [`acosh_digits (acosh, float32): ${digits}`]: counted("acosh 0 at x=[2,3]"),
  [`atanh_digits (atanh, float32): ${digits}`]: counted("atanh 0 at x=[0.25,0.75]"),
  [`expm1_digits (expm1, float32): ${digits}`]: counted("expm1 0 at x=[0.375,3]"),
  [`sinh_digits (sinh, float32): ${digits}`]: counted("sinh 0 at x=[0.375,3]"),
  "erf_float64 (erf): a float64 function computed with a float32 polynomial": counted("erf 0 at x=[0.5,1]"),
});

/** Lists the faults found in the JavaScript libraries beyond the first operators asked. */
export const findingsOfJavaScript: readonly FindingText[] = [...ofTensorFlow, ...ofJaxJs];
