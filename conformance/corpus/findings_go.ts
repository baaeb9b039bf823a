import { type FindingText, faultsOf } from "./finding_text.ts";

/** Lists every finding in gorgonia that a case shows. */
export const findingsOfGo: readonly FindingText[] = faultsOf("gorgonia", {
  "log2_gradient (log2): the gradient is ln 2 / x instead of 1 / (x ln 2)": "log2 0 at x0=[2,3]",
  "outer_gradient (outer): each gradient is multiplied by its own operand instead of the other":
    "outer 0 1 at x0=[2,3] x1=[5,7]",
  "take_repeated (take): an index that occurs twice: its cotangents are not added":
    "take 0 axis=1 indices=i at x0=[[5,6],[7,8]] where i=[1,1,0]",
  "take_of_one (take): of a vector of one element a number is taken instead of a vector":
    "take 0 axis=0 indices=i at x0=[5] where i=[0]",
  "sum_of_four_axes (sum): the sum over an axis within four is that of other elements":
    "sum 0 axes=[2] keepdims=false at x0=[[[[2],[3],[4]],[[5],[6],[7]]]]",
  "logsumexp (logsumexp): the maximum is added before the logarithm":
    "logsumexp 0 axes=[0] keepdims=false at x0=[2]",
  "avg_pool (avg_pool): the sum is divided by the width of the image":
    "avg_pool 0 window=[2,2] strides=[1,1] padding=[[0,0],[0,0]] count_include_pad=true at x0=[[[[1,2],[3,6]]]]",
  "avg_pool_rows (avg_pool): over one axis it is the greatest element":
    "avg_pool 0 window=[2] strides=[1] padding=[[0,0]] count_include_pad=true at x0=[[[1,2,5]]]",
  "slice_step (slice): the last element is left out where the step does not divide the extent":
    "slice 0 starts=[0] stops=[5] steps=[2] at x0=[1,2,3,4,5]",
  "softmax_twice (log_softmax): softmax and its logarithm of one operand are one node":
    "softmax 0 axis=1; log_softmax 0 axis=1 at x0=[[1,5]]",
  "reshape_sums (cotangents, 3.2): a reshape shares memory, in which cotangents are added up: twice":
    "reshape 0 shape=[2]; multiply 0 1 at x0=[2,3]",
  "scalar_of_vector (crashed): a number that a reshape made is no number to relu":
    "reshape 0 shape=[]; relu 1 at x0=[2]",
  "maximum_scalars (crashed): numbers are refused, arrays are not": "maximum 0 1 at x0=2 x1=3",
  "divide_by_zero (divide): a quotient by 0 is ∞, whatever is divided":
    "divide 0 1 at x0=[-3,0,1] x1=[0,0,2]",
  "pow_of_base_zero (pow): the exponent's gradient is 0 · log 0": "pow 0 1 at x0=[0,2] x1=[3,5]",
  "relu_passes_nan (relu, 6.4): the mask is multiplied to what may be infinite":
    "relu 0; sqrt 1 at x0=[-1,4]",
  "maximum_passes_nan (maximum, 6.4): the operand that was not chosen gets 0 · ∞":
    "maximum 0 1; sqrt 2 at x0=[-1,4] x1=[0,2]",
  "sigmoid_saturates (sigmoid): 1 beyond 19, in float64 too": "sigmoid 0 at x0=[20,1]",
  "softplus_large (softplus): x beyond 16, in float64 too": "softplus 0 at x0=[20,1]",
  "sin_float32 (sin, float32): the angle is reduced in float32: digits are lost as it grows":
    "sin 0 at x0=[1000,1]",
});
