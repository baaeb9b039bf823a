import { ok, type Result } from "../result.ts";
import type { Shape, ShapeFault } from "../shape.ts";
import { countsSchema, onePerAxis, type Signature } from "./signature.ts";

/** For each axis how many zeros come before the first element, after the last, and between any two. */
export interface PadAttributes {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly interior: readonly number[];
}

export const pad: Signature<"additive", PadAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { low: countsSchema, high: countsSchema, interior: countsSchema },
  smoothness: "linear",
  shape({ low, high, interior }, [x = []]): Result<Shape, ShapeFault> {
    for (const [what, numbers] of Object.entries({ low, high, interior })) {
      const fits = onePerAxis(what, numbers, x.length);
      if (!fits.ok) return fits;
    }
    const padded = x.map((extent, axis) => {
      const gaps = Math.max(extent - 1, 0) * (interior[axis] ?? 0);
      // Beyond the integers it is too large all the same.
      return Math.min(extent + gaps + (low[axis] ?? 0) + (high[axis] ?? 0), Number.MAX_SAFE_INTEGER);
    });
    return ok(padded);
  },
  summary: "x with zeros before, after and between its elements along each axis",
  domain: "everywhere; an axis of extent 0 has nothing to pad between",
  convention: "none needed; the cotangents of the zeros go nowhere",
  source: "https://openxla.org/stablehlo/spec#pad",
};
