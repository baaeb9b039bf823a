import { decode, encode, halfAway, type StorageType } from "../../reference/numerics/index.ts";
import { binadeOf, type DataType, dataTypes, formats, type Taper, taperOf } from "../../spec/index.ts";

/** What a tensor ranges over, element by element: `low[i] ≤ x[i] ≤ high[i]`; not finite where nothing is known. */
export interface ElementRanges {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

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

/** Half a step, and what float32 makes of a number, of the scale and of their quotient: after the conventions of es-ude/OnDeviceTraining (docs/conventions/arithmetic-sym.md). */
const halfStep = (scale: number, codes: number): number => scale * (1 + 2 ** -22) * (0.5 + codes * 2 ** -22);

/** Below it a float32 scale is subnormal, and nothing is promised. */
const LEAST_SCALE = 2 ** -126;

/** The scale of a step, if it is a number that float32 holds: with nothing to hold it is 1. */
function scaleOf(span: number, codes: number): number {
  if (span === 0) return 0;
  const scale = span / codes;
  return scale >= LEAST_SCALE && span < 2 ** 127 ? scale : Number.POSITIVE_INFINITY;
}

/** Where it is known which tensor is kept, what becomes of it. */
function lossesOfPoints(type: StorageType, { low, high }: ElementRanges): readonly number[] | undefined {
  if (!low.every((x, i) => x === high[i])) return undefined;
  const stored = encode(type, low, halfAway);
  if (!stored.ok) return low.map(() => Number.POSITIVE_INFINITY);
  return decode(stored.value).map((x, i) => Math.abs(x - (low[i] ?? Number.NaN)) * UPWARDS);
}

/** SYM: codes around 0, one scale for a tensor, from its greatest size. */
function symmetric(bits: number): StorageFormat {
  const codes = 2 ** (bits - 1) - 1;
  return {
    name: `sym${bits}`,
    bits,
    bitsBeside: 32,
    accumulator: "integer",
    losses: ({ low, high }) => {
      const exact = lossesOfPoints({ kind: "sym", bits }, { low, high });
      if (exact !== undefined) return exact;
      const span = low.reduce((most, x, i) => Math.max(most, greatestSize(x, high[i] ?? Number.NaN)), 0);
      // A run may fill less of the range: its step is smaller then, but for what underflows.
      const loss = halfStep(scaleOf(span, codes), codes) + (span === 0 ? 0 : LEAST_SCALE * codes);
      return low.map(() => loss);
    },
  };
}

/** ASYM: codes from 0 on, a scale and a zero point for a tensor, from its least and greatest and 0. */
function asymmetric(bits: number): StorageFormat {
  const codes = 2 ** bits - 1;
  return {
    name: `asym${bits}`,
    bits,
    bitsBeside: 48,
    accumulator: "integer",
    losses: ({ low, high }) => {
      const exact = lossesOfPoints({ kind: "asym", bits }, { low, high });
      if (exact !== undefined) return exact;
      const isKnown = [...low, ...high].every(Number.isFinite);
      const least = low.reduce((a, b) => Math.min(a, b), 0);
      const span = isKnown ? high.reduce((a, b) => Math.max(a, b), 0) - least : Number.POSITIVE_INFINITY;
      const loss = halfStep(scaleOf(span, codes), codes) + (span === 0 ? 0 : LEAST_SCALE * codes);
      return low.map(() => loss);
    },
  };
}

/** Every format that values are kept in, by name. */
export const storageFormats: ReadonlyMap<string, StorageFormat> = new Map(
  [
    ...dataTypes.map(ofNumbers),
    posit64(),
    ...[4, 8, 12, 16].map(symmetric),
    ...[4, 8, 12, 16].map(asymmetric),
  ].map((format) => [format.name, format]),
);
