import type { Along } from "../../spec/contract/index.ts";
import { InvariantError, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { randomBits } from "../interpretation/index.ts";

/** Draws a number of a direction from uniform ones, which lie above 0 and up to 1. */
export type Draw = (uniform: () => number) => number;

/** These laws draw numbers with mean 0 and variance 1. */
export const draws: Readonly<Record<Exclude<Along["law"], "given">, Draw>> = {
  rademacher: (uniform) => (uniform() > 0.5 ? 1 : -1),
  // Source: Box and Muller, A Note on the Generation of Random Normal Deviates (1958).
  gaussian: (uniform) => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
};

/** Makes, from a seed, uniform numbers above 0 and up to 1, multiples of 2⁻³². */
export type Uniforms = (seed: number) => () => number;

/** Draws Threefry's words for a counter, so that neighbouring seeds are independent. */
export const uniforms: Uniforms = (seed) => {
  let counter = 0;
  return () => (randomBits(seed, 0, 0, counter++) + 1) / 2 ** 32;
};

/** Returns a given direction, or draws one number by number; equal seeds give equal directions. */
export function directionOf(
  along: Along,
  shapes: readonly Shape[],
  by: typeof draws = draws,
  from: Uniforms = uniforms,
): readonly FlatTensor[] {
  if (along.law === "given") return along.tangents;
  const { law, seed } = along;
  const uniform = from(seed);
  const draw = by[law];
  return shapes.map((shape) => ({
    shape,
    data: Float64Array.from({ length: sizeOf(shape) }, () => draw(uniform)),
  }));
}

/** Computes `Σ ⟨c, ṡ⟩` over the seeds in float64, term after term. */
export function slopeOf(
  seeds: readonly { readonly id: number; readonly cotangent: FlatTensor }[],
  tangentOf: (id: number) => FlatTensor | undefined,
): number {
  let slope = 0;
  for (const { id, cotangent } of seeds) {
    const tangent = tangentOf(id);
    if (tangent === undefined) throw new InvariantError(`there is no tangent of ${id}`);
    cotangent.data.forEach((c, i) => {
      slope += c * (tangent.data[i] ?? Number.NaN);
    });
  }
  return slope;
}
