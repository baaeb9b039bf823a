import { type FindingText, faultsOf } from "./finding_text.ts";

/** Lists every finding in candle that a case shows. */
export const findingsOfRust: readonly FindingText[] = faultsOf("candle", {
  "conv_batches (conv): one spatial axis, two entries and two kernels: the gradient is that of other elements":
    "conv 0 1 padding=[[0,0]] groups=1 dilations=[1] strides=[1] at x0=[[[2]],[[3]]] x1=[[[1]],[[1]]]",
  "conv_of_transposed_kernels (conv): transposed kernels are copied into order, and the copy is not used":
    "permute_dims 1 axes=[1,0,2]; conv 0 2 padding=[[0,0]] groups=1 dilations=[1] strides=[1] at x=[[[1],[10]]] w=[[[1],[2]],[[3],[4]]]",
  "conv_gradient_of_a_rest (crashed): two spatial axes, windows that leave a column over but no row: vjp throws":
    "conv 0 1 strides=[2,2] padding=[[0,0],[0,0]] dilations=[1,1] groups=1 at x0=[[[[1,2,3],[4,5,6]]]] x1=[[[[1,1],[1,1]]]]",
  "gelu_gradient (gelu): 1/√2π is written with six digits in the derivative":
    "gelu 0 approximate=none at x0=[2,-1]",
  "gelu_tanh_gradient (gelu): √(2/π) is written with six digits in the derivative":
    "gelu 0 approximate=tanh at x0=[2,-1]",
  "pow_by_logarithm (pow): x^y is exp(y log x), which has no powers of negative numbers":
    "pow 0 1 at x0=[-2,3] x1=[3,5]",
  "elu_cancels (elu): eˣ − 1 is subtracted": "elu 0 alpha=1 at x0=[-1e-10,1]",
  "maximum_passes_nan (maximum, 6.4): the operand that was not chosen gets 0 · ∞":
    "maximum 0 1; sqrt 2 at x0=[-1,2] x1=[0,1]",
  "cumulative_sum_passes_nan (cumulative_sum, 6.4): the sums are a product with a matrix of ones and zeros: ∞ · 0 reaches later elements":
    "cumulative_sum 0 axis=0; sqrt 1 at x0=[0,3]",
  "sort_of_nothing (crashed): an empty axis: a panic": "sort 0 axis=0 descending=false at x0=[]",
  "roll_of_nothing (crashed): an empty axis: a panic": "roll 0 shift=1 axis=0 at x0=[]",
  "cumulative_sum_of_rank_four (crashed): an axis that is not the last of four: refused":
    "cumulative_sum 0 axis=1 at x0=[[[[1,2],[3,4]]],[[[5,6],[7,8]]]]",
});
