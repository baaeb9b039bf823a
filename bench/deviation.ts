/** The precisions that contestants compute in. */
export type Precision = "float64" | "float32";

/** Numbers of an answer, in order. */
export type Numbers = ArrayLike<number>;

/**
 * How far `actual` is from `expected`: the largest difference over the largest expected magnitude. Infinite where one
 * has a number too many, a NaN or an infinity that the other lacks; 0 for the same numbers.
 */
export function deviationOf(expected: Numbers, actual: Numbers): number {
  if (expected.length !== actual.length) return Number.POSITIVE_INFINITY;
  let difference = 0;
  let magnitude = 0;
  for (let place = 0; place < expected.length; place++) {
    const [x, y] = [expected[place] ?? 0, actual[place] ?? 0];
    if (Object.is(x, y)) continue;
    if (!(Number.isFinite(x) && Number.isFinite(y))) return Number.POSITIVE_INFINITY;
    difference = Math.max(difference, Math.abs(x - y));
    magnitude = Math.max(magnitude, Math.abs(x));
  }
  if (difference === 0) return 0;
  for (let place = 0; place < expected.length; place++) {
    magnitude = Math.max(magnitude, Math.abs(expected[place] ?? 0));
  }
  return difference / magnitude;
}

/** The distance from 1 to the next number, halved: the relative error of one rounding. */
export const unitRoundoff: Readonly<Record<Precision, number>> = { float64: 2 ** -53, float32: 2 ** -24 };

/**
 * Whether a deviation is that of the same function computed otherwise: more than half of the digits of the precision are
 * the same, or as many as a sum of `terms` numbers, one after the other, may lose. A benchmark's question, whether
 * contestants do the same work; whether an engine is right is the judge's.
 */
export function isSameFunction(deviation: number, precision: Precision, terms = 1): boolean {
  const u = unitRoundoff[precision];
  return deviation <= Math.max(Math.sqrt(u), terms * u);
}
