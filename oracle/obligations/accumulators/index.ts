import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import type { Obligation } from "../obligation.ts";
import { layerObligations, mostProducts } from "./layers.ts";
import { type Accumulator, widthObligations } from "./width.ts";

/** The widths of posits whose quires are proved. */
const positWidths = [8, 16, 32, 64] as const;

/**
 * The quire of the posits of `n` bits, in units of its last place: 16n bits; a product of two posits is at most maxPos² = 2^(16n − 32) of them, and
 * 2³¹ − 1 of these are the most, whatever n is [Posit Standard (2022)].
 */
export function quireOf(n: number): Accumulator {
  return { name: `quire_posit${n}`, bits: 16 * n, productBits: 16 * n - 32, most: 2 ** 31 - 1, hasNaR: true };
}

const words = { name: "int32", bits: 32, productBits: 14, hasNaR: false } as const;

/** What products of two signed bytes are summed in: each is at most (−128)² = 2¹⁴. */
export const int32: Accumulator = { ...words, most: mostProducts(words) };

/** A layer of each kind, in the sizes of small networks for digits. */
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

/** How wide accumulators must be: the quires of posits, the words of quantised training, and the sums of layers in those. */
export function accumulatorObligations(): readonly Obligation[] {
  return [
    ...[...positWidths.map(quireOf), int32].flatMap(widthObligations),
    ...[quireOf(32), int32].flatMap((accumulator) =>
      Object.entries(layers).flatMap(([name, layer]) => layerObligations(name, layer, accumulator)),
    ),
  ];
}
export { type Fitting, fitting, type Misfit } from "./fitting.ts";
export { integerIn } from "./width.ts";
