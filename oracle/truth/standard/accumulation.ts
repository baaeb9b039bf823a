import { type CompositeName, operatorNames } from "../../../spec/composites/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { formats } from "../../../spec/wire/index.ts";
import { formatOf, type Standard } from "./standard.ts";

/** These primitives add up many numbers, in their values or in what they hand back. */
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
 * An accumulator is how the sums inside one operator are held, as an engine declares it: in the precision
 * itself, in any order or one after the other; or in any order in a wider format, whose standard this is, and
 * rounded once.
 */
export type Accumulator =
  | { readonly kind: "any" | "sequential" }
  | { readonly kind: "wide"; readonly standard: Standard };

/** Returns the accumulator of a primitive; in a composite, which may add in any order, the composite's. */
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

/** What is evaluated for a standard is remembered by it, so that one is made for each width. */
const insides = new WeakMap<Standard, Map<string, Standard>>();

/** Returns the standard of what a composite computes inside, where every sum has the width declared of it. */
export function withWidthOf(standard: Standard, composite: CompositeName): Standard {
  const { width } = standard.accumulation[composite] ?? {};
  if (width === undefined) return standard;
  const known = insides.get(standard) ?? new Map<string, Standard>();
  insides.set(standard, known);
  const accumulation = Object.fromEntries(operatorNames.map((op) => [op, { width }]));
  const inside = known.get(width) ?? { ...standard, accumulation };
  known.set(width, inside);
  return inside;
}

/** Returns the standard of a width that is wider than the precision; `exact` arithmetic makes no error. */
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
