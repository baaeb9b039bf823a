import type { CompositeName } from "../../spec/composites/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import { formats } from "../../spec/wire/index.ts";
import { formatOf, type Standard } from "./standard.ts";

/** The primitives that add up many numbers, in their values or in what they hand back. */
export const accumulating: ReadonlySet<PrimitiveName> = new Set([
  "sum",
  "broadcast_to",
  "take",
  "take_along_axis",
  "gather",
  "scatter_add",
  "cumulative_sum",
  "matmul",
]);

/**
 * How the sums inside one operator are held, as far as an engine declares it: in any order or one after the other in
 * the precision itself, or in any order in a wider one, of this standard, and rounded once.
 */
export type Accumulator =
  | { readonly kind: "any" | "sequential" }
  | { readonly kind: "wide"; readonly standard: Standard };

/**
 * The accumulator of a primitive, which may stand in a composite: then it is that of the composite, whose order of sums is its
 * own affair.
 */
export function accumulatorOf(
  standard: Standard,
  op: PrimitiveName,
  composite: CompositeName | undefined,
): Accumulator {
  const declared = accumulating.has(op) ? standard.accumulation[composite ?? op] : undefined;
  const wide = widened(standard, declared?.width);
  if (wide !== undefined) return { kind: "wide", standard: wide };
  return { kind: composite === undefined && declared?.order === "sequential" ? "sequential" : "any" };
}

/** The standard of arithmetic in a width, if it is wider than the precision; `exact` arithmetic errs by nothing. */
function widened(
  standard: Standard,
  width: "float32" | "float64" | "exact" | undefined,
): Standard | undefined {
  if (width === undefined) return undefined;
  if (width === "exact") {
    return {
      ...standard,
      dtype: "float64",
      unitRoundoff: 0,
      taper: undefined,
      underflow: 0,
      largest: Number.POSITIVE_INFINITY,
    };
  }
  if (formats[width].unitRoundoff >= formats[standard.dtype].unitRoundoff) return undefined;
  const wide = formatOf(width, standard.flushesSubnormals);
  // A standard that rounds nothing stays one.
  return { ...standard, ...wide, unitRoundoff: Math.min(standard.unitRoundoff, wide.unitRoundoff) };
}
