import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const tan: Kernel<"tan"> = smooth(
  Math.tan,
  (c, _x, t, isSingle) => c * rounded(1 + rounded(t * t, isSingle), isSingle),
);
