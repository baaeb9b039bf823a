import { array, tensor } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const { NaN: NAR } = Number;

type Asked = Pick<VectorText, "dtype" | "inputs" | "nodes">;

/** Applies an operator of two operands to pairs of posit8, the first of each among `x`. */
function paired(op: "add" | "multiply" | "divide", x: readonly number[], y: readonly number[]): Asked {
  return { dtype: "posit8", inputs: { x: array(x), y: array(y) }, nodes: [[op, [0, 1]]] };
}

/** Applies an operator of one operand to numbers of posit8. */
function each(op: "sqrt" | "negative" | "floor", x: readonly number[]): Asked {
  return { dtype: "posit8", inputs: { x: array(x) }, nodes: [[op, [0]]] };
}

/** Sums products of pairs: a quire rounds once, other sums round at each term. */
function inner(dtype: "posit8" | "posit16", x: readonly number[], y: readonly number[]): Asked {
  return { dtype, inputs: { x: tensor([1, x.length], x), y: tensor([y.length, 1], y) }, nodes: "matmul 0 1" };
}

/** Vectors of posits, for engines that have them: ties, thresholds, extremes, NaR and quires. */
export const posits: readonly VectorText[] = vectors({
  "products_on_thresholds (6.2, P03): 17/16 and 19/16 lie between two codes: ties go to the even one; 9 · 2¹⁶ lies beyond a mean and below the threshold":
    paired(
      "multiply",
      [1.0625, 1.125, 1.375, 1.625, 2 ** 16, 2 ** 10, 1.25],
      [1, 1.5, 1.5, 1.25, 9, 3 * 2 ** 6, 1.25],
    ),
  "products_beyond_the_ends (6.2): what is beyond the greatest posit is the greatest, and what is below the least is the least: never NaR, never 0":
    paired(
      "multiply",
      [2 ** 18, 2 ** -18, -(2 ** 20), 2 ** -18, 2 ** -18],
      [2 ** 18, 2 ** -18, 2 ** 20, -(2 ** -20), 9],
    ),
  "products_near_the_greatest (6.2): 2⁵⁷ · 2⁵⁷ is the posit 2¹¹⁴; the crate softposit 0.4.0 answers 2¹¹²": {
    ...paired(
      "multiply",
      [2 ** 57, 1.25 * 2 ** 57, -(2 ** 58), 2 ** -57],
      [2 ** 57, 2 ** 57, 2 ** 56, 2 ** -57],
    ),
    dtype: "posit32",
  },
  "products_with_nar (6.2): 0 · NaR is NaR": paired("multiply", [NAR, 0, NAR], [0, NAR, NAR]),
  "sums_on_thresholds (6.2): sums of which the half of the last place is cut off": paired(
    "add",
    [1, 1.125, 2, 2 ** 18, 2 ** 16, 3, -1],
    [0.0625, 0.0625, 0.125, 2 ** 17, 2 ** 10, 1 / 64, -0.0625],
  ),
  "sums_with_nar (6.2): NaR + x is NaR": paired("add", [NAR, 1], [1, NAR]),
  "sums_of_sixteen_bits (6.2): posit16 has 11 bits of fraction near 1, and fewer with each regime": {
    ...paired(
      "add",
      [1, 1 + 2 ** -11, 1, 4096, 2 ** 20],
      [2 ** -12, 2 ** -12, 2 ** -12 + 2 ** -20, 1, 2 ** 14],
    ),
    dtype: "posit16",
  },
  "quotients (6.2): each is rounded once: no product with a rounded reciprocal is; x / 0 is NaR": paired(
    "divide",
    [1, 3, 1, 9, 5, 13, 7, 1.75],
    [0, 0, 3, 7, 3, 11, 6, 3],
  ),
  "roots (6.2): rounded once; of less than 0 it is NaR": each("sqrt", [-4, -1, 2, 3, 3.75, 15, 2 ** 16]),
  "negatives (6.2): −NaR is NaR, and −0 is 0": each("negative", [NAR, 1, 0, -(2 ** 24)]),
  "floors (6.2): down, and not towards 0": each("floor", [-1.5, -0.25, 1.75, -3]),
  "just_above_a_tie (6.3, P01): 1 + 1/16 is a tie of posit8, and 2⁻²⁰ more is above it: the quire's lower words decide":
    inner("posit8", [1, 0.0625, 2 ** -20], [1, 1, 1]),
  "far_below_a_tie (6.3, P01): 128 · 9/16 = 72 is a tie between 64 and 80, and 2⁻¹²·21/16 more is above it; the crate fast_posit 0.2.0 answers 64":
    inner("posit8", [128, -0.0068359375], [0.5625, -0.046875]),
  "a_far_term_is_left (6.3, P02, P05): 4096 + 2⁻²⁰ − 4096 is 2⁻²⁰ in a quire, and 0 where each sum is rounded or far bits are forgotten":
    inner("posit16", [4096, 2 ** -20, -4096], [1, 1, 1]),
  "a_product_is_not_rounded (6.3, P05): (1 + 2⁻¹¹)² − 1 − 2⁻¹⁰ is 2⁻²², which a product that is rounded before it enters has lost":
    inner("posit16", [1 + 2 ** -11, -1, -(2 ** -10)], [1 + 2 ** -11, 1, 1]),
  "the_least_product (6.3): 2⁻⁶⁰ lies in the last places of a quire of 256 bits, and is the least posit":
    inner("posit16", [2 ** -30], [2 ** -30]),
  "beyond_the_greatest_product (6.3): 2 · 2⁴⁸ is in the carry guard, and is rounded to the greatest posit":
    inner("posit8", [2 ** 24, 2 ** 24], [2 ** 24, 2 ** 24]),
  "a_sum_with_nar (6.3): a product with NaR makes the sum NaR": inner("posit16", [1, NAR], [2, 1]),
  "a_sum_with_signs (6.3): 3 · (−5) + 1 · 2 is −13": inner("posit16", [3, 1], [-5, 2]),
});
