/** An exact fraction in lowest terms with a positive denominator: the power to which a base is taken. */
export interface Exponent {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Returns `numerator / denominator` in lowest terms; the denominator is not 0. */
export function exponentOf(numerator: bigint, denominator: bigint = 1n): Exponent {
  if (denominator === 1n) return { numerator, denominator };
  const divisor = greatestCommonDivisor(numerator, denominator);
  const signed = denominator < 0n ? -divisor : divisor;
  return { numerator: numerator / signed, denominator: denominator / signed };
}

/** Returns the greatest common divisor, which is not negative; of two zeros it is 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Returns `x + y`. */
export function addExponents(x: Exponent, y: Exponent): Exponent {
  return exponentOf(x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator);
}

/** Returns `x · y`. */
export function multiplyExponents(x: Exponent, y: Exponent): Exponent {
  return exponentOf(x.numerator * y.numerator, x.denominator * y.denominator);
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Writes an exponent behind a base: nothing for 1, `⁻²` for an integer, `^(1/2)` for a fraction. */
export function formatExponent({ numerator, denominator }: Exponent): string {
  if (denominator !== 1n) return `^(${numerator}/${denominator})`;
  if (numerator === 1n) return "";
  return [...numerator.toString()]
    .map((digit) => (digit === "-" ? "⁻" : (superscripts[Number(digit)] ?? digit)))
    .join("");
}

/** The digits that superscripts stand for, `-` for `⁻`; `undefined` for another character. */
export function plainDigit(superscript: string): string | undefined {
  if (superscript === "⁻") return "-";
  const digit = superscripts.indexOf(superscript);
  return digit < 0 ? undefined : digit.toString();
}
