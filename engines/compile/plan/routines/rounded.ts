/**
 * The result of an operation, rounded as the arithmetic computed in rounds it. Only for a result that is used before it is stored; a
 * store into an array rounds by itself. For `+ − × ÷ √` of float32 numbers the detour through float64 is harmless:
 * 53 ≥ 2 · 24 + 2 bits [Figueroa 1995].
 */
export function rounded(result: number, isSingle: boolean): number {
  return isSingle ? Math.fround(result) : result;
}
