import { fail, type Issue, ok, type Result } from "../shapes/index.ts";

/**
 * Three numbers tell posits apart, written ⟨n, rS, eS⟩ [Jonnalagadda, Thotli and Gustafson 2026]: all bits,
 * the bits that a regime has at most, and those of the exponent. A regime that long has no bit that ends it.
 */
export interface PositFormat {
  readonly width: number;
  /** A regime of n − 1 bits fills the word, so that this many bound nothing. */
  readonly regimeBits: number;
  readonly exponentBits: number;
}

/** Posits are offered in these widths. With fewer bits no regime ends, and nobody asks for more. */
export const LEAST_WIDTH = 3;
export const GREATEST_WIDTH = 64;

/** Numbers up to 2 to this power are offered, so that doubles have room for products of two of them. */
export const GREATEST_REACH = 256;

/** Returns the format of the standard's posits of `width` bits [Posit Standard (2022), 3.3]. */
export function standardPosit(width: number): PositFormat {
  return { width, regimeBits: width - 1, exponentBits: 2 };
}

/** Returns the format of b-posits of `width` bits, ⟨n, 6, 5⟩ [Jonnalagadda, Thotli and Gustafson 2026]. */
export function boundedPosit(width: number): PositFormat {
  return { width, regimeBits: Math.min(6, width - 1), exponentBits: 5 };
}

/** Tells whether a regime may be ended by its length, before the word ends. */
export function isBounded({ width, regimeBits }: PositFormat): boolean {
  return regimeBits < width - 1;
}

/**
 * Returns the exponent E of a format's range: positive posits lie from 2⁻ᴱ to 2ᴱ. Where regimes are bounded
 * the ends are no posits, of others they are the least and the greatest.
 */
export function positReach(format: PositFormat): number {
  const regimes = isBounded(format) ? format.regimeBits : format.width - 2;
  return regimes * 2 ** format.exponentBits;
}

/** Returns the format whose posits are the thresholds between those of `format`: it has a bit more. */
export function oneBitMore(format: PositFormat): PositFormat {
  return {
    ...format,
    width: format.width + 1,
    regimeBits: format.regimeBits + (isBounded(format) ? 0 : 1),
  };
}

/** Returns a format's name: `posit16`, `bposit16`, or `posit16r6e3` with its regime and exponent bits. */
export function positName(format: PositFormat): string {
  const { width, regimeBits, exponentBits } = format;
  if (exponentBits === 2 && !isBounded(format)) return `posit${width}`;
  if (exponentBits === 5 && regimeBits === boundedPosit(width).regimeBits) return `bposit${width}`;
  return `posit${width}r${regimeBits}e${exponentBits}`;
}

const named = /^(b?)posit([0-9]{1,4})(?:r([0-9]{1,4})e([0-9]{1,2}))?$/;

/**
 * Reads what {@link positName} writes; `undefined` if it is no name of posits. Fails: `posit/width`,
 * `posit/format`.
 */
export function positFormatNamed(name: string): Result<PositFormat, Issue> | undefined {
  const [, bounded, width, regimeBits, exponentBits] = named.exec(name) ?? [];
  if (width === undefined || (bounded === "b" && regimeBits !== undefined)) return undefined;
  const bits = Number(width);
  if (regimeBits === undefined)
    return checkPositFormat(bounded === "b" ? boundedPosit(bits) : standardPosit(bits));
  return checkPositFormat({
    width: bits,
    regimeBits: Number(regimeBits),
    exponentBits: Number(exponentBits),
  });
}

/** Returns a format if posits are offered in it. Fails: `posit/width`, `posit/format`. */
export function checkPositFormat(format: PositFormat): Result<PositFormat, Issue> {
  const { width, regimeBits, exponentBits } = format;
  if (!isBetween(width, LEAST_WIDTH, GREATEST_WIDTH)) return fail(noWidth(width));
  const isFormat = isBetween(regimeBits, 1, width - 1) && isBetween(exponentBits, 0, 8);
  return isFormat && positReach(format) <= GREATEST_REACH ? ok(format) : fail(noFormat(format));
}

function isBetween(x: number, least: number, greatest: number): boolean {
  return Number.isInteger(x) && x >= least && x <= greatest;
}

function noWidth(width: number): Issue {
  return {
    code: "posit/width",
    pointer: "",
    message: `there are no posits of ${width} bits.`,
    hint: `a width is an integer from ${LEAST_WIDTH} to ${GREATEST_WIDTH}: posit8, posit16, posit32 and posit64 have names in the standard`,
  };
}

function noFormat({ width, regimeBits, exponentBits }: PositFormat): Issue {
  return {
    code: "posit/format",
    pointer: "",
    message: `there are no posits of ${width} bits with regimes of up to ${regimeBits} and exponents of ${exponentBits}.`,
    hint: `regimes have from 1 to ${width - 1} bits, and numbers are up to 2^${GREATEST_REACH}: posit16r15e1, or bposit16, which is posit16r6e5`,
  };
}

/*
 * The rounding of posits in doubles, for widths up to 32, by the place where the posits near a number end
 * [Posit Standard (2022), 3.3 and 4.1]. The reference and the engines have definitions of their own.
 */

/** Rounding to nearest moves a number so far where precision tapers off. Both are monotone. */
export interface Taper {
  /** Returns the most by which it moves a number of at most this size: the least positive number, or more. */
  errorUpTo(size: number): number;
  /** The most that neighbours of at most this size, and the one above, are apart. */
  gapUpTo(size: number): number;
}

/** Returns the bits that follow the longest regime. */
function roomAtEnds({ width, regimeBits }: PositFormat): number {
  return width - 1 - regimeBits;
}

/** Returns the greatest posit: 2ᴱ, or where regimes are bounded what the bits behind the longest reach. */
export function largestPosit(format: PositFormat): number {
  const [reach, room] = [positReach(format), roomAtEnds(format)];
  if (!isBounded(format)) return 2 ** reach;
  const fraction = room - format.exponentBits;
  return fraction < 0 ? 2 ** (reach - 2 ** -fraction) : 2 ** reach - 2 ** (reach - 1 - fraction);
}

/** Returns the least positive posit. Where regimes are bounded it is more than 2⁻ᴱ, whose code 0 has. */
export function leastPosit(format: PositFormat): number {
  const [reach, room] = [positReach(format), roomAtEnds(format)];
  if (!isBounded(format)) return 2 ** -reach;
  const fraction = room - format.exponentBits;
  return fraction <= 0 ? 2 ** (2 ** -fraction - reach) : 2 ** -reach + 2 ** -(reach + fraction);
}

/** The posits around a positive number: `lower` is not above it, `upper` is next, `threshold` parts them. */
interface Cell {
  readonly lower: number;
  readonly threshold: number;
  readonly upper: number;
  /** The code of `lower` is even. */
  readonly isLowerEven: boolean;
}

/** Returns the cell of a number from the least positive posit to below the greatest. */
function cellOf({ width, regimeBits, exponentBits }: PositFormat, size: number): Cell {
  const scale = scaleOf(size);
  const regime = scale >> exponentBits;
  const run = regime < 0 ? -regime : regime + 1;
  // What the sign and the regime leave of the bits.
  const room = width - 1 - (run < regimeBits ? run + 1 : run);
  if (room > 0 && room >= exponentBits) {
    const gap = 2 ** (scale - (room - exponentBits));
    const steps = Math.floor(size / gap);
    // Without a fraction the last bit is the exponent's.
    const last = room > exponentBits ? steps : scale;
    const lower = steps * gap;
    return { lower, threshold: lower + gap / 2, upper: lower + gap, isLowerEven: last % 2 === 0 };
  }
  // So many bits of the exponent are missing; the next one parts the neighbours.
  const missing = exponentBits - room;
  const lower = 2 ** ((scale >> missing) << missing);
  const threshold = missing === 0 ? 1.5 * lower : lower * 2 ** (2 ** (missing - 1));
  // Without an exponent the last bit is the one that ends the regime.
  const isLowerEven = room > 0 ? ((scale >> missing) & 1) === 0 : regime >= 0;
  return { lower, threshold, upper: lower * 2 ** (2 ** missing), isLowerEven };
}

/** Returns `⌊log₂ size⌋` of a positive number that is no subnormal. */
function scaleOf(size: number): number {
  bits.setFloat64(0, size);
  return (bits.getUint16(0) >>> 4) - 1023;
}

const bits: DataView = new DataView(new ArrayBuffer(8));

/**
 * Returns the posit nearest to `x`, as a number: by the threshold, on it to the even code; never beyond the
 * greatest, and 0 of 0 alone. NaN stands for NaR, also of infinities. Zero keeps its sign, though posits have
 * one zero.
 */
export function roundToPositNumber(format: PositFormat, x: number): number {
  if (x === 0) return x;
  const size = Math.abs(x);
  if (!Number.isFinite(size)) return Number.NaN;
  const rounded = roundedSize(format, size);
  return x < 0 ? -rounded : rounded;
}

function roundedSize(format: PositFormat, size: number): number {
  const [least, largest] = [leastPosit(format), largestPosit(format)];
  if (size >= largest) return largest;
  if (size <= least) return least;
  const { lower, threshold, upper, isLowerEven } = cellOf(format, size);
  return size < threshold || (size === threshold && isLowerEven) ? lower : upper;
}

/** Bounds how far rounding to posits moves a number, up to the greatest; beyond it there is no bound. */
export function taperOf(format: PositFormat): Taper {
  const [least, largest] = [leastPosit(format), largestPosit(format)];
  // This is in the last cell.
  const most = largest * (1 - 2 ** -52);
  const cellUpTo = (size: number): Cell | undefined =>
    size < least ? undefined : cellOf(format, Math.min(size, most));
  // What lies between 0 and the least goes to the least.
  return {
    errorUpTo: (size) => {
      const cell = cellUpTo(size);
      return cell === undefined
        ? least
        : Math.max(least, cell.threshold - cell.lower, cell.upper - cell.threshold);
    },
    gapUpTo: (size) => {
      const cell = cellUpTo(size);
      return cell === undefined ? least : Math.max(least, cell.upper - cell.lower);
    },
  };
}
