/** Computes x^y as IEEE 754 does; `**` is NaN for (±1)^±∞ and for 1^NaN, which are 1. */
export function power(x: number, y: number): number {
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return 1;
  return x ** y;
}
