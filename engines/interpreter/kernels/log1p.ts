import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const log1p: Kernel<"log1p"> = smooth(
  Math.log1p,
  (c, x, _y, isSingle) => c / rounded(1 + x, isSingle),
);
