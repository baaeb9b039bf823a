import { isExactQuire, quireBits, quirePlaces } from "../../reference/numerics/index.ts";
import { type ElementRanges, gridLosses, gridTypes } from "../../reference/numerics/storage/index.ts";
import {
  binadeOf,
  type FloatType,
  floatTypes,
  formats,
  type GridName,
  gridNames,
  largestPosit,
  type PositFormat,
  positFormats,
  positName,
  positTypes,
  standardPosit,
  taperOf,
} from "../../spec/wire/index.ts";

/** The sums of posits of a format are taken in so many bits. */
export interface Quire {
  readonly kind: "quire";
  readonly bits: number;
  /** A product that ends below 2 to minus this power is rounded to it as it enters; else all are exact. */
  readonly roundsAt?: number;
}

/** Tensors are kept in a storage format, which loses something. */
export interface StorageFormat {
  readonly name: string;
  /** This counts the bits of each element. */
  readonly bits: number;
  /** Each tensor has this many bits besides, for a scale and a zero point. */
  readonly bitsBeside: number;
  /** Sums are exact in an integer that holds them, taken in the posits' quire, or rounded as floats. */
  readonly accumulator: { readonly kind: "float" | "integer" } | Quire;
  /** Bounds for each element how far keeping it moves it, over its range; infinite if unbounded. */
  losses(ranges: ElementRanges): readonly number[];
}

/** This factor covers the roundings of the handful of operations that compute a loss. */
const UPWARDS = 1 + 2 ** -48;

/** Returns the greatest size in a range. */
export function greatestSize(low: number, high: number): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  return Number.isFinite(size) ? size : Number.POSITIVE_INFINITY;
}

function elementwise(loss: (size: number) => number, round?: (x: number) => number): StorageFormat["losses"] {
  return ({ low, high }) =>
    low.map((least, i) => {
      const most = high[i] ?? Number.NaN;
      if (least === most && round?.(least) === least) return 0;
      const size = greatestSize(least, most);
      return size === Number.POSITIVE_INFINITY ? size : loss(size) * UPWARDS;
    });
}

/** A float moves by at most half of the spacing in the binade of the greatest. */
function ofFloats(name: FloatType): StorageFormat {
  const { bytes, unitRoundoff, smallest, largest, round } = formats[name];
  const loss = (size: number): number =>
    size > largest ? Number.POSITIVE_INFINITY : Math.max(binadeOf(size) * unitRoundoff, smallest / 2);
  return {
    name,
    bits: 8 * bytes,
    bitsBeside: 0,
    accumulator: { kind: "float" },
    losses: elementwise(loss, round),
  };
}

/** Keeps posits of a format; `round` tells which float64s are posits, by not moving them. */
function ofPosits(format: PositFormat, round: (x: number) => number): StorageFormat {
  const taper = taperOf(format);
  const largest = largestPosit(format);
  const loss = (size: number): number => (size > largest ? Number.POSITIVE_INFINITY : taper.errorUpTo(size));
  return {
    name: positName(format),
    bits: format.width,
    bitsBeside: 0,
    accumulator: {
      kind: "quire",
      bits: quireBits(format),
      ...(isExactQuire(format) ? {} : { roundsAt: quirePlaces(format) }),
    },
    losses: elementwise(loss, round),
  };
}

/**
 * Widens the range of a single element to 0 and to a second element. The scale of its own that a code of four
 * bits comes with would be the number itself, a float32 in disguise: no format is chosen for what its scale
 * holds, so a single element is said to lose half a step of the grid that its range fills.
 */
function unaided(ranges: ElementRanges): ElementRanges {
  const [[low], [high]] = [ranges.low, ranges.high];
  if (ranges.low.length !== 1 || low === undefined || high === undefined) return ranges;
  return { low: [Math.min(low, 0), 0], high: [Math.max(high, 0), 0] };
}

/** Keeps a float64 from 2⁻²⁸ to 2²⁸, since a posit64 has 52 bits of fraction and more there. */
function roundToPosit64(x: number): number {
  return x === 0 || (Math.abs(x) >= 2 ** -28 && Math.abs(x) <= 2 ** 28) ? x : Number.NaN;
}

/** Keeps codes on a grid, with a scale for each tensor and, in asymmetric ones, a zero point. */
function ofCodes(name: GridName): StorageFormat {
  const type = gridTypes[name];
  return {
    name,
    bits: type.bits,
    bitsBeside: type.kind === "sym" ? 32 : 48,
    accumulator: { kind: "integer" },
    losses: (ranges) => gridLosses(type, unaided(ranges)).slice(0, ranges.low.length),
  };
}

/** Names every format that values are kept in. */
export const storageFormats: ReadonlyMap<string, StorageFormat> = new Map(
  [
    ...floatTypes.map(ofFloats),
    ...positTypes.map((name) => ofPosits(positFormats[name], formats[name].round)),
    ofPosits(standardPosit(64), roundToPosit64),
    ...gridNames.map(ofCodes),
  ].map((format) => [format.name, format]),
);
