import type { Obligation } from "../obligation.ts";
import { adjointFormulaObligations } from "./adjoint_formulas.ts";
import { algebraObligations } from "./algebra.ts";
import { ballObligations } from "./balls.ts";
import { boundedObligations } from "./bounded.ts";
import { eliminationObligations } from "./elimination.ts";
import { formulaObligations } from "./formulas.ts";
import { furtherObligations } from "./further.ts";
import { growthObligations } from "./growth.ts";
import { intervalObligations } from "./intervals.ts";
import { setObligations } from "./sets.ts";
import { softmaxFormulaObligations } from "./softmax_formulas.ts";
import { sumObligations } from "./sums.ts";
import { tightObligations } from "./tight.ts";
import { tightEnclosureObligations } from "./tight_enclosures.ts";
import { tightGrowthObligations } from "./tight_growth.ts";

/**
 * States what each step of the bound owes: that what it says of true and engine's numbers holds, of the code
 * that computes it, run on unknown numbers.
 */
export function truthObligations(): readonly Obligation[] {
  return [
    ...sumObligations(),
    ...boundedObligations(),
    ...algebraObligations(),
    ...furtherObligations(),
    ...eliminationObligations(),
    ...formulaObligations(),
    ...adjointFormulaObligations(),
    ...softmaxFormulaObligations(),
    ...ballObligations(),
    ...intervalObligations(),
    ...growthObligations(),
    ...setObligations(),
    ...tightObligations(),
    ...tightGrowthObligations(),
    ...tightEnclosureObligations(),
  ];
}
