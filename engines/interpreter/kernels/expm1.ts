import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const expm1: Kernel<"expm1"> = smooth(
  Math.expm1,
  (c, x, _y, isSingle) => c * rounded(Math.exp(x), isSingle),
);
