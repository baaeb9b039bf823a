/** Returns the median of numbers, the upper of two; NaN of none. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
