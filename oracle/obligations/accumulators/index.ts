import { int32Register, quireRegister } from "../../../reference/numerics/index.ts";
import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { boundedPosit, standardPosit } from "../../../spec/wire/index.ts";
import type { Obligation } from "../obligation.ts";
import { layerObligations } from "./layers.ts";
import { type Accumulator, accumulatorOf, widthObligations } from "./width.ts";

/** These are proved wide enough: quires of posits and of b-posits, and the words of quantised training. */
export const accumulators: readonly Accumulator[] = [
  ...[8, 16, 32, 64].map((width) => quireRegister(standardPosit(width))),
  ...[16, 32, 64].map((width) => quireRegister(boundedPosit(width))),
  int32Register(8),
].map(accumulatorOf);

/** Sums of layers are proved to fit these. */
const ofLayers: readonly string[] = ["quire_posit32", "quire_bposit32", "int32_8"];

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
  const named = accumulators.filter(({ name }) => ofLayers.includes(name));
  return [
    ...accumulators.flatMap(widthObligations),
    ...named.flatMap((accumulator) =>
      Object.entries(layers).flatMap(([name, layer]) => layerObligations(name, layer, accumulator)),
    ),
  ];
}
/** Whoever asks whether sums fit tells what came out, without the collection of all obligations. */
export { isProved } from "../prove.ts";
export { explainEntry } from "../show.ts";
export { type Fitting, fitting, type Misfit } from "./fitting.ts";
export { integerIn } from "./width.ts";
