import { madeAll } from "../made.ts";
import type { Obligation } from "../obligation.ts";
import { denseObligations } from "./dense.ts";
import { floatObligations } from "./floats.ts";
import { orderObligations } from "./order.ts";
import { realCodeObligations } from "./real_code.ts";
import { sparseObligations } from "./sparse.ts";

/** States what holds of the tape for every graph, and of the real tape on given graphs. */
export function tapeObligations(): readonly Obligation[] {
  return [
    ...denseObligations,
    ...sparseObligations,
    ...orderObligations,
    ...floatObligations,
    ...madeAll("tape/real_code", realCodeObligations),
  ];
}
export { modelInteger } from "./executing.ts";
