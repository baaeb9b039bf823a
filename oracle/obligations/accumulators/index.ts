import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import type { Obligation } from "../obligation.ts";
import { layerObligations, mostProducts } from "./layers.ts";
import { type Accumulator, widthObligations } from "./width.ts";

/** The quires of posits of these widths are proved. */
const positWidths = [8, 16, 32, 64] as const;

/**
 * Describes the quire of posits of `n` bits, in units of its last place: it has 16n bits; a product of two
 * posits is at most maxPos² = 2^(16n − 32) units, and 2³¹ − 1 of these are the most, whatever n is
 * [Posit Standard (2022)].
 */
export function quireOf(n: number): Accumulator {
  return { name: `quire_posit${n}`, bits: 16 * n, productBits: 16 * n - 32, most: 2 ** 31 - 1, hasNaR: true };
}

const words = { name: "int32", bits: 32, productBits: 14, hasNaR: false } as const;

/** Products of two signed bytes, each at most (−128)² = 2¹⁴, are summed in this. */
export const int32: Accumulator = { ...words, most: mostProducts(words) };

/** There is a layer of each kind, as large as in small networks for digits. */
const layers: Readonly<Record<string, Graph>> = {
  dense: graph(({ input }) => {
    const [x, w] = [input("x", [32, 784]), input("w", [784, 128])];
    x.matmul(w).sum({ axes: [0, 1], keepdims: false });
  }),
  convolution: graph(({ input }) => {
    const [x, w] = [input("x", [8, 3, 16, 16]), input("w", [16, 3, 3, 3])];
    const padding = [
      [1, 1],
      [1, 1],
    ] as const;
    x.conv(w, { strides: [1, 1], padding, dilations: [1, 1], groups: 1 }).sum({
      axes: [0, 1, 2, 3],
      keepdims: false,
    });
  }),
  attention: graph(({ input }) => {
    const [q, k, v] = [input("q", [2, 10, 64]), input("k", [2, 64, 10]), input("v", [2, 10, 64])];
    q.matmul(k)
      .matmul(v)
      .sum({ axes: [0, 1, 2], keepdims: false });
  }),
};

/** Lists how wide accumulators must be: quires of posits, words of quantised training, sums of layers. */
export function accumulatorObligations(): readonly Obligation[] {
  return [
    ...[...positWidths.map(quireOf), int32].flatMap(widthObligations),
    ...[quireOf(32), int32].flatMap((accumulator) =>
      Object.entries(layers).flatMap(([name, layer]) => layerObligations(name, layer, accumulator)),
    ),
  ];
}
/** Whoever asks whether sums fit tells what came out, without the collection of all obligations. */
export { isProved } from "../prove.ts";
export { explainEntry } from "../show.ts";
export { type Fitting, fitting, type Misfit } from "./fitting.ts";
export { integerIn } from "./width.ts";
