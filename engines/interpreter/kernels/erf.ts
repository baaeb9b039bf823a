import { errorFunction } from "../../plan/functions/error_function.ts";
import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

/** `2/√π`, rounded at every step. */
function steepest(isSingle: boolean): number {
  return rounded(2 / rounded(Math.sqrt(rounded(Math.PI, isSingle)), isSingle), isSingle);
}

export const erf: Kernel<"erf"> = smooth(errorFunction, (c, x, _y, isSingle) => {
  const bell = rounded(Math.exp(-rounded(x * x, isSingle)), isSingle);
  return c * rounded(steepest(isSingle) * bell, isSingle);
});
