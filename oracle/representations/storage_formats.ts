import { type ElementRanges, gridLosses, gridTypes } from "../../reference/numerics/storage/index.ts";
import {
  binadeOf,
  type DataType,
  dataTypes,
  formats,
  type GridName,
  gridNames,
  type Taper,
  taperOf,
} from "../../spec/wire/index.ts";

/** Tensors are kept in a storage format, which loses something. */
export interface StorageFormat {
  readonly name: string;
  /** This counts the bits of each element. */
  readonly bits: number;
  /** Each tensor has this many bits besides, for a scale and a zero point. */
  readonly bitsBeside: number;
  /** Sums are exact in an integer of this many bits or a quire, or rounded as floats. */
  readonly accumulator: "float" | "integer" | "quire";
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
function ofNumbers(name: DataType): StorageFormat {
  const { bytes, unitRoundoff, smallest, largest, taper, round } = formats[name];
  const loss = (size: number): number =>
    size > largest
      ? Number.POSITIVE_INFINITY
      : taper === undefined
        ? Math.max(binadeOf(size) * unitRoundoff, smallest / 2)
        : taper.errorUpTo(size);
  const accumulator = taper === undefined ? "float" : "quire";
  return { name, bits: 8 * bytes, bitsBeside: 0, accumulator, losses: elementwise(loss, round) };
}

function posit64(): StorageFormat {
  const taper: Taper = taperOf(64);
  const largest = 2 ** 248;
  const loss = (size: number): number =>
    size > largest ? Number.POSITIVE_INFINITY : taper.errorUpTo(Math.max(size, 1 / largest));
  // A float64 of size 2⁻²⁸ to 2²⁸ is a posit64, which has 52 bits of fraction and more there.
  const isHeld = (x: number): boolean => x === 0 || (Math.abs(x) >= 2 ** -28 && Math.abs(x) <= 2 ** 28);
  return {
    name: "posit64",
    bits: 64,
    bitsBeside: 0,
    accumulator: "quire",
    losses: elementwise(loss, (x) => (isHeld(x) ? x : Number.NaN)),
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

/** Keeps codes on a grid, with a scale for each tensor and, in asymmetric ones, a zero point. */
function ofCodes(name: GridName): StorageFormat {
  const type = gridTypes[name];
  return {
    name,
    bits: type.bits,
    bitsBeside: type.kind === "sym" ? 32 : 48,
    accumulator: "integer",
    losses: (ranges) => gridLosses(type, unaided(ranges)).slice(0, ranges.low.length),
  };
}

/** Names every format that values are kept in. */
export const storageFormats: ReadonlyMap<string, StorageFormat> = new Map(
  [...dataTypes.map(ofNumbers), posit64(), ...gridNames.map(ofCodes)].map((format) => [format.name, format]),
);
