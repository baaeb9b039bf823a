/** Contestants compute in these precisions. */
export type Precision = "float64" | "float32";

/** An answer's numbers stand in order. */
export type Numbers = ArrayLike<number>;

/**
 * Measures how far `actual` is from `expected`: the largest difference over the largest expected magnitude.
 * It is infinite where one has a number too many, or a NaN or an infinity that the other lacks.
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

/** This is half the distance from 1 to the next number: the relative error of one rounding. */
export const unitRoundoff: Readonly<Record<Precision, number>> = { float64: 2 ** -53, float32: 2 ** -24 };

/**
 * Tells whether a deviation is that of the same function computed otherwise: more than half of the
 * precision's digits agree, or as many as a sum of `terms` numbers in a row may lose. It asks whether
 * contestants do the same work; the judge tells whether an engine is right.
 */
export function isSameFunction(deviation: number, precision: Precision, terms = 1): boolean {
  const u = unitRoundoff[precision];
  return deviation <= Math.max(Math.sqrt(u), terms * u);
}
