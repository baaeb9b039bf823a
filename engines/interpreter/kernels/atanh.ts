import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const atanh: Kernel<"atanh"> = smooth(
  Math.atanh,
  (c, x, _y, isSingle) => c / rounded(rounded(1 - x, isSingle) * rounded(1 + x, isSingle), isSingle),
);
