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

/** A format in which tensors are kept, and what is lost there. */
export interface StorageFormat {
  readonly name: string;
  /** For each element. */
  readonly bits: number;
  /** For each tensor besides: a scale, a zero point. */
  readonly bitsBeside: number;
  /** How it adds exactly, if it does: into an integer of so many bits or a quire. */
  readonly accumulator: "float" | "integer" | "quire";
  /** For each element the most that keeping it moves it, whichever of these numbers it is; infinite where that is not bounded. */
  losses(ranges: ElementRanges): readonly number[];
}

/** Covers the roundings of the handful of operations that compute a loss. */
const UPWARDS = 1 + 2 ** -48;

/** The greatest size in a range. */
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

/** A float is moved by half of the spacing in the binade of the greatest. */
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
  // A float64 within 2⁻³⁰ and 2³⁰ is a posit64: there it has 52 bits of fraction and more.
  const isHeld = (x: number): boolean => x === 0 || (Math.abs(x) >= 2 ** -28 && Math.abs(x) <= 2 ** 28);
  return {
    name: "posit64",
    bits: 64,
    bitsBeside: 0,
    accumulator: "quire",
    losses: elementwise(loss, (x) => (isHeld(x) ? x : Number.NaN)),
  };
}

/** Codes on a grid, with a scale for each tensor and, where they count from 0 on, a zero point. */
function ofCodes(name: GridName): StorageFormat {
  const type = gridTypes[name];
  return {
    name,
    bits: type.bits,
    bitsBeside: type.kind === "sym" ? 32 : 48,
    accumulator: "integer",
    losses: (ranges) => gridLosses(type, ranges),
  };
}

/** Every format that values are kept in, by name. */
export const storageFormats: ReadonlyMap<string, StorageFormat> = new Map(
  [...dataTypes.map(ofNumbers), posit64(), ...gridNames.map(ofCodes)].map((format) => [format.name, format]),
);
