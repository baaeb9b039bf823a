import type { Kernel } from "../kernel.ts";
import { rounded } from "../machine.ts";
import { smooth } from "./smooth.ts";

export const sinh: Kernel<"sinh"> = smooth(
  Math.sinh,
  (c, x, _y, isSingle) => c * rounded(Math.cosh(x), isSingle),
);
