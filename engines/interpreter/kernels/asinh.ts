import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const asinh: Kernel<"asinh"> = smooth(
  Math.asinh,
  (c, x, _y, isSingle) => c / rounded(Math.hypot(1, x), isSingle),
);
