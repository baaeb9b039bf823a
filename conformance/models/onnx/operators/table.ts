import type { Rule } from "../call.ts";
import { elementwise } from "./elementwise.ts";
import { lookups } from "./lookups.ts";
import { movement } from "./movement.ts";
import { normalization } from "./normalization.ts";
import { products } from "./products.ts";
import { recurrence } from "./recurrence.ts";
import { reductions } from "./reductions.ts";
import { resizes } from "./resize.ts";
import { sources } from "./sources.ts";
import { windows } from "./windows.ts";

/** What each operator of ONNX means, by its name; conditions and loops are written out before. */
export const rules: ReadonlyMap<string, Rule> = new Map(
  [
    elementwise,
    lookups,
    movement,
    normalization,
    products,
    recurrence,
    reductions,
    resizes,
    sources,
    windows,
  ].flatMap((table) => Object.entries(table)),
);
