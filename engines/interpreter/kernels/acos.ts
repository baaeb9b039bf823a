import type { Kernel } from "../kernel.ts";
import { leg } from "./leg.ts";
import { smooth } from "./smooth.ts";

export const acos: Kernel<"acos"> = smooth(Math.acos, (c, x, _y, isSingle) => -(c / leg(x, isSingle)));
