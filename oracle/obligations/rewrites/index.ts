import { madeAll } from "../made.ts";
import type { Obligation } from "../obligation.ts";
import { doubleRoundingObligations } from "./double_rounding.ts";
import { gradientBufferObligations } from "./gradient_buffers.ts";
import { loweredObligations } from "./lowered.ts";
import { memoryObligations } from "./memory/index.ts";
import { realObligations } from "./reals.ts";
import { reassociationObligations } from "./reassociation/index.ts";
import { scalarPlanObligations } from "./scalar_plans.ts";
import { softmaxObligations } from "./softmax.ts";
import { structuralObligations } from "./structural.ts";
import { sumObligations } from "./sums.ts";
import { unitObligations } from "./units.ts";

/**
 * States that each rewrite of the engines' planner holds in the algebra that it claims, and, if that is not
 * IEEE arithmetic, does not hold there. The passes make the programs, which run on terms.
 */
export function rewriteObligations(): readonly Obligation[] {
  return [
    ...madeAll("rewrites/structural", structuralObligations),
    ...madeAll("rewrites/unit", unitObligations),
    ...madeAll("rewrites/gradient_buffer", gradientBufferObligations),
    ...madeAll("rewrites/sum", sumObligations),
    ...madeAll("rewrites/scalar_plan", scalarPlanObligations),
    ...madeAll("rewrites/lowered", loweredObligations),
    ...madeAll("rewrites/real", realObligations),
    ...madeAll("rewrites/double_rounding", doubleRoundingObligations),
    ...madeAll("rewrites/reassociation", reassociationObligations),
    ...madeAll("rewrites/softmax", softmaxObligations),
    ...madeAll("rewrites/memory", memoryObligations),
  ];
}
export type { Arithmetic } from "./arithmetic.ts";
export { type Arguments, positionIn, resultsOver } from "./evaluation.ts";
