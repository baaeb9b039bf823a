import { rounded } from "../machine.ts";

/** `√(1 − x²)` as `√((1 − x)(1 + x))`, which does not cancel. */
export function leg(x: number, isSingle: boolean): number {
  return rounded(Math.sqrt(rounded(rounded(1 - x, isSingle) * rounded(1 + x, isSingle), isSingle)), isSingle);
}
