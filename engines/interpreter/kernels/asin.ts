import type { Kernel } from "../kernel.ts";
import { leg } from "./leg.ts";
import { smooth } from "./smooth.ts";

export const asin: Kernel<"asin"> = smooth(Math.asin, (c, x, _y, isSingle) => c / leg(x, isSingle));
