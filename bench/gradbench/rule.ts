/** GradBench's comparison has this tolerance [python/gradbench/gradbench/comparison.py, line 13]. */
const TOLERANCE = 1e-4;

/**
 * Tells whether GradBench's evaluations take `actual` for `expected`: `|x − y| / max(1, |x| + |y|) ≤
 * 10⁻⁴` for every number. So any number passes for any other if both are below 10⁻⁴, and any relative
 * fault below 2·10⁻⁴ passes. Source: https://github.com/gradbench/gradbench at f26651a7,
 * python/gradbench/gradbench/comparison.py, lines 5–10 and 71
 */
export function gradbenchAccepts(expected: readonly number[], actual: readonly number[]): boolean {
  return (
    expected.length === actual.length &&
    expected.every((x, place) => {
      const y = actual[place] ?? Number.NaN;
      // As in theirs, NaN is not greater than anything, and passes.
      return !(Math.abs(x - y) / Math.max(1, Math.abs(x) + Math.abs(y)) > TOLERANCE);
    })
  );
}
