/**
 * Rounds the result of an operation, if it is used before it is stored; a store into an array rounds by
 * itself. For `+ − × ÷ √` of float32 numbers the detour through float64 changes nothing, because 53 ≥ 2 · 24
 * + 2 bits [Figueroa 1995].
 */
export function rounded(result: number, isSingle: boolean): number {
  return isSingle ? Math.fround(result) : result;
}
