import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const log2: Kernel<"log2"> = smooth(
  Math.log2,
  (c, x, _y, isSingle) => rounded(c / x, isSingle) / rounded(Math.log(2), isSingle),
);
