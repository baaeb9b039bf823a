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
