import type { Random } from "fast-check";
import type { Scope, Value } from "../../spec/builder/index.ts";
import type { AttributesOf, CompositeName } from "../../spec/composites/index.ts";
import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens } from "../random/index.ts";

/** An operand of a composite is drawn so that what the composite adds up is {@link lopsided}. */
export type Drawn = "terms" | "roots" | "logarithms" | "ones" | "zeros";

/** A composite adds up some hundred numbers. */
export interface LongSum {
  inputs(n: number): readonly Shape[];
  /** It says how each operand is drawn. */
  readonly drawn: readonly Drawn[];
  /** Every index is 0 or 1. */
  indices?(n: number): Shape;
  write(scope: Scope, operands: readonly Value[], n: number, indices: string): unknown;
}

/** Writes a row of the table: a composite of `operands`, whose attributes may name an entry of indices. */
function row<K extends CompositeName>(
  op: K,
  operands: readonly (readonly [Drawn, ...Extent[]])[],
  attributes: AttributesOf[K] | ((n: number, indices: string) => AttributesOf[K]),
  indices?: (n: number) => Shape,
): readonly [CompositeName, LongSum] {
  const inputs = (n: number): Shape[] =>
    operands.map(([, ...extents]) => extents.map((extent) => (extent === "n" ? n : extent)));
  const write: LongSum["write"] = (scope, values, n, entry) =>
    scope.apply(op, typeof attributes === "function" ? attributes(n, entry) : attributes, values);
  return [op, { inputs, drawn: operands.map(([drawn]) => drawn), ...(indices && { indices }), write }];
}

/** An extent is this number, or as many as are added up. */
type Extent = number | "n";

const all = { axes: [0], keepdims: false };
const plainWindows = { strides: [1], padding: [[0, 0] as const] };
const kernel = { ...plainWindows, dilations: [1], groups: 1 };
const many = (n: number): Shape => [n];

/**
 * Each composite that adds up has a sum in which it does, unless its bounds have as much room for other
 * algorithms as a sum may lose: `var`, and those of matrices, have backward errors that grow with n. So
 * what is declared of these is believed, and of `cross_entropy`, which adds up as `log_softmax` does. What
 * is added up in the cotangents of offsets, biases and weights, and of what is repeated, is the seeds.
 */
export const longSums: ReadonlyMap<string, LongSum> = new Map<string, LongSum>([
  row("mean", [["terms", "n"]], all),
  row("norm", [["roots", "n"]], all),
  row("softmax", [["logarithms", "n"]], { axis: 0 }),
  row("log_softmax", [["logarithms", "n"]], { axis: 0 }),
  row("logsumexp", [["logarithms", "n"]], all),
  row("nll", [["terms", "n", 2]], (_, labels) => ({ labels }), many),
  row(
    "mse",
    [
      ["roots", "n"],
      ["zeros", "n"],
    ],
    {},
  ),
  row(
    "huber",
    [
      ["roots", "n"],
      ["zeros", "n"],
    ],
    { delta: 2 },
  ),
  row(
    "bce_with_logits",
    [
      ["logarithms", "n"],
      ["zeros", "n"],
    ],
    {},
  ),
  row(
    "kl_div",
    [
      ["terms", "n"],
      ["ones", "n"],
    ],
    {},
  ),
  row(
    "vecdot",
    [
      ["terms", "n"],
      ["ones", "n"],
    ],
    { axis: 0 },
  ),
  row(
    "einsum",
    [
      ["terms", 1, "n"],
      ["ones", "n", 1],
    ],
    { equation: "ij,jk->ik" },
  ),
  row("trace", [["terms", 64, 64]], { offset: 0 }),
  row("avg_pool", [["terms", 1, 1, "n"]], (n) => ({
    ...plainWindows,
    window: [n],
    count_include_pad: false,
  })),
  row(
    "conv",
    [
      ["terms", 1, 1, "n"],
      ["ones", 1, 1, "n"],
    ],
    kernel,
  ),
  row(
    "conv_transpose",
    [
      ["terms", 1, "n", 1],
      ["ones", "n", 1, 1],
    ],
    { ...kernel, output_padding: [0] },
  ),
  row(
    "scaled_dot_product_attention",
    [
      ["zeros", "n", 1],
      ["zeros", 1, 1],
      ["ones", 1, 1],
    ],
    { causal: false },
  ),
  row(
    "multi_head_attention",
    [
      ["zeros", "n", 1, 1],
      ["ones", "n", 1, 1],
      ["zeros", 1, 1],
      ["zeros", 1, 1],
      ["ones", 1, 1],
      ["ones", 1, 1],
    ],
    { heads: 1, causal: false },
  ),
  row(
    "transformer_block",
    [
      ["terms", "n", 1, 1],
      ["ones", 1],
      ["zeros", 1],
      ["zeros", 1, 1],
      ["zeros", 1, 1],
      ["ones", 1, 1],
      ["ones", 1, 1],
      ["ones", 1],
      ["zeros", 1],
      ["ones", 1, 1],
      ["ones", 1],
      ["ones", 1, 1],
      ["zeros", 1],
    ],
    { heads: 1, causal: false, epsilon: 0.125 },
  ),
  row(
    "layer_norm",
    [
      ["terms", "n", 2],
      ["ones", 2],
      ["zeros", 2],
    ],
    { axes: [1], epsilon: 0.125 },
  ),
  row(
    "batch_norm_train",
    [
      ["terms", "n", 1],
      ["ones", 1],
      ["zeros", 1],
    ],
    { axis: 1, epsilon: 0.125 },
  ),
  row(
    "batch_norm_eval",
    [
      ["terms", "n", 1],
      ["ones", 1],
      ["zeros", 1],
      ["zeros", 1],
      ["ones", 1],
    ],
    { axis: 1, epsilon: 0.125 },
  ),
  row(
    "group_norm",
    [
      ["terms", "n", 2],
      ["ones", 2],
      ["zeros", 2],
    ],
    { groups: 1, epsilon: 0.125 },
  ),
  row(
    "outer",
    [
      ["ones", 1],
      ["ones", "n"],
    ],
    {},
  ),
  row("tile", [["ones", 1]], (n) => ({ repetitions: [n] })),
  row("embedding", [["ones", 2, 1]], (_, indices) => ({ indices }), many),
  row(
    "elman_cell",
    [
      ["zeros", "n", 1],
      ["zeros", "n", 1],
      ["zeros", 1, 1],
      ["zeros", 1, 1],
      ["zeros", 1],
    ],
    {},
  ),
  row(
    "lstm_cell",
    [
      ["zeros", "n", 1],
      ["zeros", "n", 1],
      ["zeros", "n", 1],
      ["zeros", 4, 1],
      ["zeros", 4, 1],
      ["zeros", 4],
    ],
    { output: "cell" },
  ),
  row(
    "gru_cell",
    [
      ["zeros", "n", 1],
      ["zeros", "n", 1],
      ["zeros", 3, 1],
      ["zeros", 3, 1],
      ["zeros", 3],
      ["zeros", 3],
    ],
    {},
  ),
]);

/**
 * Draws the number of which all terms of a {@link lopsided} sum are multiples: less than half an ulp of 1, in
 * float32 or float64.
 */
export function drawTiny(random: Random): number {
  return (0.625 + random.nextInt(0, 5) / 16) * 2 ** (happens(random, 1, 2) ? -24 : -53);
}

/** This is what stands for a term in an operand. */
const standingFor: Readonly<Record<Drawn, (term: number) => number>> = {
  terms: (term) => term,
  roots: (term) => Math.fround(Math.sqrt(term)),
  logarithms: (term) => Math.fround(Math.log(term)),
  ones: () => 1,
  zeros: () => 0,
};

/**
 * Draws numbers for terms of which a few are 1 and all others `tiny`, in whose sum a narrow format loses each
 * of these. The first and the last are 1, so that they are lost from either side.
 */
export function lopsided(shape: Shape, drawn: Drawn, tiny: number, random: Random): Float64Array {
  const last = sizeOf(shape) - 1;
  const isOne = (place: number): boolean => place === 0 || place === last || happens(random, 1, 256);
  return new Float64Array(last + 1).map((_, place) => standingFor[drawn](isOne(place) ? 1 : tiny));
}
