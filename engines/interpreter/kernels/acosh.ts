import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const acosh: Kernel<"acosh"> = smooth(Math.acosh, (c, x, _y, isSingle) => {
  const below = rounded(Math.sqrt(rounded(x - 1, isSingle)), isSingle);
  const above = rounded(Math.sqrt(rounded(x + 1, isSingle)), isSingle);
  return c / rounded(below * above, isSingle);
});
