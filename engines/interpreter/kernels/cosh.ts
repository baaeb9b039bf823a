import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const cosh: Kernel<"cosh"> = smooth(
  Math.cosh,
  (c, x, _y, isSingle) => c * rounded(Math.sinh(x), isSingle),
);
