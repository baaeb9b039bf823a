import { array, type Nested } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

const { NaN: NAR } = Number;

type Pairs = readonly (readonly [x: number, y: number])[];

/** Applies an operator of two operands to pairs. */
function paired(
  about: Pick<VectorText, "name" | "note" | "defects" | "dtype">,
  op: "add" | "multiply" | "divide",
  pairs: Pairs,
): VectorText {
  return {
    clause: "6.2",
    dtype: "posit8",
    ...about,
    inputs: { x: array(pairs.map(([x]) => x)), y: array(pairs.map(([, y]) => y)) },
    nodes: [[op, [0, 1]]],
  };
}

/** Applies an operator of one operand to numbers. */
function each(
  about: Pick<VectorText, "name" | "note">,
  op: "sqrt" | "negative" | "floor",
  numbers: readonly number[],
): VectorText {
  return { clause: "6.2", dtype: "posit8", ...about, inputs: { x: array([...numbers]) }, nodes: [[op, [0]]] };
}

/** Sums products of pairs: a quire rounds once, other sums round at each term. */
function inner(
  about: Pick<VectorText, "name" | "note" | "defects">,
  dtype: "posit8" | "posit16",
  pairs: Pairs,
): VectorText {
  const [row, column]: [Nested, Nested] = [[pairs.map(([x]) => x)], pairs.map(([, y]) => [y])];
  return { clause: "6.3", dtype, ...about, inputs: { x: array(row), y: array(column) }, nodes: "matmul 0 1" };
}

/** Vectors of posits, for engines that have them: ties, thresholds, extremes, NaR and quires. */
export const posits: readonly VectorText[] = [
  paired(
    {
      name: "products_on_thresholds",
      note: "17/16 and 19/16 lie between two codes: ties go to the even one; 9 · 2¹⁶ lies beyond a mean and below the threshold",
      defects: ["P03"],
    },
    "multiply",
    [
      [1.0625, 1],
      [1.125, 1.5],
      [1.375, 1.5],
      [1.625, 1.25],
      [2 ** 16, 9],
      [2 ** 10, 3 * 2 ** 6],
      [1.25, 1.25],
    ],
  ),
  paired(
    {
      name: "products_beyond_the_ends",
      note: "what is beyond the greatest posit is the greatest, and what is below the least is the least: never NaR, never 0",
    },
    "multiply",
    [
      [2 ** 18, 2 ** 18],
      [2 ** -18, 2 ** -18],
      [-(2 ** 20), 2 ** 20],
      [2 ** -18, -(2 ** -20)],
      [2 ** -18, 9],
    ],
  ),
  paired(
    {
      name: "products_near_the_greatest",
      note: "2⁵⁷ · 2⁵⁷ is the posit 2¹¹⁴; the crate softposit 0.4.0 answers 2¹¹²",
      dtype: "posit32",
    },
    "multiply",
    [
      [2 ** 57, 2 ** 57],
      [1.25 * 2 ** 57, 2 ** 57],
      [-(2 ** 58), 2 ** 56],
      [2 ** -57, 2 ** -57],
    ],
  ),
  paired({ name: "products_with_nar", note: "0 · NaR is NaR" }, "multiply", [
    [NAR, 0],
    [0, NAR],
    [NAR, NAR],
  ]),
  paired({ name: "sums_on_thresholds", note: "sums of which the half of the last place is cut off" }, "add", [
    [1, 0.0625],
    [1.125, 0.0625],
    [2, 0.125],
    [2 ** 18, 2 ** 17],
    [2 ** 16, 2 ** 10],
    [3, 1 / 64],
    [-1, -0.0625],
  ]),
  paired({ name: "sums_with_nar", note: "NaR + x is NaR" }, "add", [
    [NAR, 1],
    [1, NAR],
  ]),
  paired(
    {
      name: "sums_of_sixteen_bits",
      note: "posit16 has 11 bits of fraction near 1, and fewer with each regime",
      dtype: "posit16",
    },
    "add",
    [
      [1, 2 ** -12],
      [1 + 2 ** -11, 2 ** -12],
      [1, 2 ** -12 + 2 ** -20],
      [4096, 1],
      [2 ** 20, 2 ** 14],
    ],
  ),
  paired(
    {
      name: "quotients",
      note: "each is rounded once: no product with a rounded reciprocal is; x / 0 is NaR",
    },
    "divide",
    [
      [1, 0],
      [3, 0],
      [1, 3],
      [9, 7],
      [5, 3],
      [13, 11],
      [7, 6],
      [1.75, 3],
    ],
  ),
  each({ name: "roots", note: "rounded once; of less than 0 it is NaR" }, "sqrt", [
    -4,
    -1,
    2,
    3,
    3.75,
    15,
    2 ** 16,
  ]),
  each({ name: "negatives", note: "−NaR is NaR, and −0 is 0" }, "negative", [NAR, 1, 0, -(2 ** 24)]),
  each({ name: "floors", note: "down, and not towards 0" }, "floor", [-1.5, -0.25, 1.75, -3]),
  inner(
    {
      name: "just_above_a_tie",
      note: "1 + 1/16 is a tie of posit8, and 2⁻²⁰ more is above it: the quire's lower words decide",
      defects: ["P01"],
    },
    "posit8",
    [
      [1, 1],
      [0.0625, 1],
      [2 ** -20, 1],
    ],
  ),
  inner(
    {
      name: "far_below_a_tie",
      note: "128 · 9/16 = 72 is a tie between 64 and 80, and 2⁻¹²·21/16 more is above it; the crate fast_posit 0.2.0 answers 64",
      defects: ["P01"],
    },
    "posit8",
    [
      [128, 0.5625],
      [-0.0068359375, -0.046875],
    ],
  ),
  inner(
    {
      name: "a_far_term_is_left",
      note: "4096 + 2⁻²⁰ − 4096 is 2⁻²⁰ in a quire, and 0 where each sum is rounded or far bits are forgotten",
      defects: ["P02", "P05"],
    },
    "posit16",
    [
      [4096, 1],
      [2 ** -20, 1],
      [-4096, 1],
    ],
  ),
  inner(
    {
      name: "a_product_is_not_rounded",
      note: "(1 + 2⁻¹¹)² − 1 − 2⁻¹⁰ is 2⁻²², which a product that is rounded before it enters has lost",
      defects: ["P05"],
    },
    "posit16",
    [
      [1 + 2 ** -11, 1 + 2 ** -11],
      [-1, 1],
      [-(2 ** -10), 1],
    ],
  ),
  inner(
    {
      name: "the_least_product",
      note: "2⁻⁶⁰ lies in the last places of a quire of 256 bits, and is the least posit",
    },
    "posit16",
    [[2 ** -30, 2 ** -30]],
  ),
  inner(
    {
      name: "beyond_the_greatest_product",
      note: "2 · 2⁴⁸ is in the carry guard, and is rounded to the greatest posit",
    },
    "posit8",
    [
      [2 ** 24, 2 ** 24],
      [2 ** 24, 2 ** 24],
    ],
  ),
  inner({ name: "a_sum_with_nar", note: "a product with NaR makes the sum NaR" }, "posit16", [
    [1, 2],
    [NAR, 1],
  ]),
  inner({ name: "a_sum_with_signs", note: "3 · (−5) + 1 · 2 is −13" }, "posit16", [
    [3, -5],
    [1, 2],
  ]),
];
