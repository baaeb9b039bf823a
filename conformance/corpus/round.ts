import { approximateRational } from "../../oracle/truth/centre/index.ts";
import { compareRationals, type Rational, rationalFromNumber } from "../../reference/index.ts";

/** Returns the greatest float64 that is at most `q`; −∞ if there is none. */
export function floatBelow(q: Rational): number {
  let x = approximateRational(q);
  while (isAbove(x, q)) x = neighbour(x, -1n);
  while (!isAbove(neighbour(x, 1n), q)) x = neighbour(x, 1n);
  return x;
}

/** Returns the smallest float64 that is at least `q`; ∞ if there is none. */
export function floatAbove({ numerator, denominator }: Rational): number {
  return -floatBelow({ numerator: -numerator, denominator }) + 0;
}

function isAbove(x: number, q: Rational): boolean {
  if (!Number.isFinite(x)) return x > 0;
  return compareRationals(rationalFromNumber(x), q) === 1;
}

const bits: DataView = new DataView(new ArrayBuffer(8));

/** Returns the float64 above `x` for 1 and below it for −1; both zeros count as one. */
function neighbour(x: number, step: 1n | -1n): number {
  if (x === 0) return Number(step) * Number.MIN_VALUE;
  bits.setFloat64(0, x);
  bits.setBigInt64(0, bits.getBigInt64(0) + (x > 0 ? step : -step));
  return bits.getFloat64(0);
}
