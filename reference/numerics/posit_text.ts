import type { PositFormat } from "../../spec/wire/index.ts";
import { notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { formatRational, type Rational, rational, rationalOf } from "../algebras/rational.ts";

/** The code in hexadecimal digits, as many as the width needs: what stands in files. */
export function formatPosit(format: PositFormat, x: Posit): string {
  return `0x${BigInt.asUintN(format.width, x).toString(16).padStart(digitsOf(format), "0")}`;
}

function digitsOf({ width }: PositFormat): number {
  return Math.ceil(width / 4);
}

const code = /^0x[0-9a-f]+$/i;

/**
 * Reads a code with all its digits, `NaR`, or a number that is rounded once: decimals, p/q, and hexadecimal
 * floats with point or exponent. A code with too many bits or too few digits is not read.
 */
export function parsePosit(format: PositFormat, text: string): Posit | undefined {
  if (code.test(text)) {
    const bits = BigInt(text);
    const isCode = text.length === 2 + digitsOf(format) && bits < 1n << BigInt(format.width);
    return isCode ? BigInt.asIntN(format.width, bits) : undefined;
  }
  if (/^nar$/i.test(text)) return notReal(format);
  const x = rational.parse(text);
  return x && roundToPosit(format, x);
}

/** Describes, for people, what {@link parsePosit} reads. */
export function positNotation(format: PositFormat): string {
  const [first, last] = [formatPosit(format, 0n), formatPosit(format, -1n)];
  return `numbers such as 0.1, 1/10 or 0x1.8p-3, a code from ${first} to ${last} with all its digits, or NaR`;
}

/** More digits than a posit of 64 bits needs. */
const MOST_DIGITS = 24;

/**
 * The decimal with the fewest digits that rounds to a posit, `NaR` or `0`: for people, who read no codes.
 * Law: {@link parsePosit} reads it as the posit. Cost: a rounding for each digit.
 */
export function decimalOfPosit(format: PositFormat, x: Posit): string {
  if (x === notReal(format)) return "NaR";
  if (x < 0n) return `-${decimalOfPosit(format, -x)}`;
  const value = positValue(format, x);
  if (x === 0n || (value.denominator === 1n && value.numerator < 10n ** 6n)) return formatRational(value);
  const scale = decimalScale(value);
  for (let count = 1; count < MOST_DIGITS; count++) {
    const digits = nearestInteger(value, count - 1 - scale);
    const text = writtenDecimal(digits, scale - count + 1);
    if (parsePosit(format, text) === x) return text;
  }
  return formatRational(value);
}

/** Returns `⌊log₁₀ x⌋` of a positive number. */
function decimalScale({ numerator, denominator }: Rational): number {
  const estimate = numerator.toString().length - denominator.toString().length;
  const isLess =
    estimate >= 0
      ? numerator < denominator * 10n ** BigInt(estimate)
      : numerator * 10n ** BigInt(-estimate) < denominator;
  return isLess ? estimate - 1 : estimate;
}

/** Returns x · 10^power to the nearest integer. */
function nearestInteger(x: Rational, power: number): bigint {
  const ten = 10n ** BigInt(Math.abs(power));
  const { numerator, denominator } =
    power >= 0 ? rationalOf(x.numerator * ten, x.denominator) : rationalOf(x.numerator, x.denominator * ten);
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Returns `digits · 10^scale`, with an exponent where it would have many zeros. */
function writtenDecimal(digits: bigint, scale: number): string {
  const all = digits.toString();
  const text = all.replace(/0+$/, "");
  const exponent = scale + all.length - text.length;
  const point = text.length + exponent;
  if (point > 7 || point < -3) {
    const rest = text.slice(1);
    return `${text.slice(0, 1)}${rest === "" ? "" : `.${rest}`}e${point - 1}`;
  }
  if (exponent >= 0) return text + "0".repeat(exponent);
  return point > 0 ? `${text.slice(0, point)}.${text.slice(point)}` : `0.${"0".repeat(-point)}${text}`;
}
