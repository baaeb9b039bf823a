import { primitiveNames } from "../../../spec/index.ts";
import type { Obligation } from "../obligation.ts";
import { adjointObligations } from "./adjoint.ts";
import { elementObligations } from "./elements.ts";
import { kinkObligations } from "./kinks.ts";
import { remainderObligations } from "./remainder.ts";
import { slopeObligations } from "./slopes.ts";
import { solutionObligations } from "./solutions.ts";
import { stoppedObligations } from "./stopped.ts";

/** States for each primitive at small uses: its pullback is adjoint to its tangent map, its derivative. */
export function operatorObligations(): readonly Obligation[] {
  return primitiveNames.flatMap((op) => [
    ...adjointObligations(op),
    ...remainderObligations(op),
    ...kinkObligations(op),
    ...slopeObligations(op),
    ...elementObligations(op),
    ...stoppedObligations(op),
    ...solutionObligations(op),
  ]);
}
