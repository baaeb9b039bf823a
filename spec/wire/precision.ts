import {
  boundedPosit,
  largestPosit,
  leastPosit,
  type PositFormat,
  roundToPositNumber,
  standardPosit,
  type Taper,
  taperOf,
} from "./posit_format.ts";

/**
 * The binary formats of IEEE 754 that engines may compute in; bfloat16, a float32 with 16 bits cut off; and
 * posits. Every value of each is a float64, and is held and sent as one.
 */

/** The floating-point formats. */
export type FloatType = "float64" | "float32" | "float16" | "bfloat16";

/** The posits that float64 holds; of posit64 it does not hold every value. */
export type PositType = "posit32" | "posit16" | "posit8" | "bposit32" | "bposit16";

/** The precision an engine computes in. */
export type DataType = FloatType | PositType;

/** A floating-point format, or one of posits. */
export interface FloatFormat {
  /** A number takes so many bytes. */
  readonly bytes: number;
  /** `u`: the largest relative error of rounding to nearest, 2⁻ᵖ for p bits, of posits the least such. */
  readonly unitRoundoff: number;
  /** Rounding moves a number so far, where that depends on its size otherwise than by `u`. */
  readonly taper?: Taper;
  readonly smallestNormal: number;
  /** The smallest subnormal number, which is the spacing of all of them. */
  readonly smallest: number;
  readonly largest: number;
  /** The format's number nearest to `x`, ties to even; beyond {@link largest} ∞, or the largest posit. */
  round(x: number): number;
}

/** The posits, and posits with bounded regimes, by name. */
export const positFormats: { readonly [T in PositType]: PositFormat } = {
  posit32: standardPosit(32),
  posit16: standardPosit(16),
  posit8: standardPosit(8),
  bposit32: boundedPosit(32),
  bposit16: boundedPosit(16),
};

/** The formats by name. */
export const formats: { readonly [T in DataType]: FloatFormat } = {
  float64: formatOf(8, 53, 1023, (x) => x),
  float32: formatOf(4, 24, 127, Math.fround),
  float16: formatOf(2, 11, 15, Math.f16round),
  bfloat16: formatOf(2, 8, 127, roundToBfloat16),
  posit32: positNumbers("posit32"),
  posit16: positNumbers("posit16"),
  posit8: positNumbers("posit8"),
  bposit32: positNumbers("bposit32"),
  bposit16: positNumbers("bposit16"),
};

/** The names of the floating-point formats. */
export const floatTypes: readonly FloatType[] = ["float64", "float32", "float16", "bfloat16"];

/** The names of the formats of posits. */
export const positTypes: readonly PositType[] = ["posit32", "posit16", "posit8", "bposit32", "bposit16"];

/** The names of all formats. */
export const dataTypes: readonly DataType[] = [...floatTypes, ...positTypes];

/** Tells whether a precision is one of floats, whose numbers err by a part of themselves. */
export function isFloatType(dtype: DataType): dtype is FloatType {
  return formats[dtype].taper === undefined;
}

function positNumbers(name: PositType): FloatFormat {
  const format = positFormats[name];
  const { width, exponentBits } = format;
  const [smallest, largest] = [leastPosit(format), largestPosit(format)];
  return {
    bytes: width / 8,
    // A sign, a regime of two bits, the exponent; the first significant one is not written.
    unitRoundoff: 2 ** (2 + exponentBits - width),
    taper: taperOf(format),
    smallestNormal: smallest,
    smallest,
    largest,
    round: (x) => roundToPositNumber(format, x),
  };
}

function formatOf(
  bytes: number,
  significantBits: number,
  largestExponent: number,
  round: (x: number) => number,
): FloatFormat {
  const smallestNormal = 2 ** (1 - largestExponent);
  return {
    bytes,
    unitRoundoff: 2 ** -significantBits,
    smallestNormal,
    smallest: smallestNormal * 2 ** (1 - significantBits),
    largest: (2 - 2 ** (1 - significantBits)) * 2 ** largestExponent,
    round,
  };
}

const bits: DataView = new DataView(new ArrayBuffer(8));

/**
 * Returns the greatest power of two that is not greater than `|x|`, of which rounding to nearest moves a
 * number by at most `u`; NaN and the infinities stay, and float64's subnormals become 0.
 */
export function binadeOf(x: number): number {
  bits.setFloat64(0, Math.abs(x));
  const high = bits.getUint32(0);
  if (high >= 0x7ff00000) return Math.abs(x);
  bits.setUint32(0, high & 0x7ff00000);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** Adding and subtracting it rounds a float64 below 2⁵¹ in size to an integer, ties to even. */
const ROUNDS_TO_INTEGER = 1.5 * 2 ** 52;

/**
 * Returns the bfloat16 nearest to `x`. Scaled so that its last place is 1, `x` is rounded to an integer;
 * scaling by powers of two is exact, so nothing is rounded twice, as it would be by way of float32.
 */
function roundToBfloat16(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  bits.setFloat64(0, x);
  const exponent = ((bits.getUint16(0) >>> 4) & 0x7ff) - 1023;
  const lastPlace = 2 ** (Math.max(exponent, -126) - 7);
  const size = (Math.abs(x) / lastPlace + ROUNDS_TO_INTEGER - ROUNDS_TO_INTEGER) * lastPlace;
  const bounded = size < 2 ** 128 ? size : Number.POSITIVE_INFINITY;
  return x < 0 ? -bounded : bounded;
}

/**
 * Integer codes on a grid for a whole tensor: `sym8` has 8 bits around 0 and a scale from the greatest size,
 * `asym8` counts from 0 on, with a zero point, from least to greatest: `reference/numerics/storage/`.
 */
export const gridNames = ["sym4", "sym8", "sym12", "sym16", "asym4", "asym8", "asym12", "asym16"] as const;
export type GridName = (typeof gridNames)[number];

/** A tape may keep values in these: numbers of a precision, or codes of which a tensor has the scale. */
export type SavedFormat = DataType | GridName;

/** Tells whether a format is one of codes. */
export function isGridName(format: string): format is GridName {
  return (gridNames as readonly string[]).includes(format);
}

/** Tells whether a format has so few bits that an answer within the bounds that it leaves proves nothing. */
export function isCoarse(format: SavedFormat): boolean {
  return format === "sym4" || format === "asym4";
}
