import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const atan: Kernel<"atan"> = smooth(
  Math.atan,
  (c, x, _y, isSingle) => c / rounded(1 + rounded(x * x, isSingle), isSingle),
);
