import { primitiveNames } from "../../../spec/operators/index.ts";
import { madeAll } from "../made.ts";
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
    ...madeAll(`operators/${op}/adjoint`, () => adjointObligations(op)),
    ...madeAll(`operators/${op}/remainder`, () => remainderObligations(op)),
    ...madeAll(`operators/${op}/kinks`, () => kinkObligations(op)),
    ...madeAll(`operators/${op}/slopes`, () => slopeObligations(op)),
    ...madeAll(`operators/${op}/elements`, () => elementObligations(op)),
    ...madeAll(`operators/${op}/stopped`, () => stoppedObligations(op)),
    ...madeAll(`operators/${op}/solutions`, () => solutionObligations(op)),
  ]);
}
export { type Case, type Decision, type Resolved, split } from "./cases.ts";
export { certificateOf } from "./certificate.ts";
export { dischargeModule, dischargeRecord } from "./discharge.ts";
export { readModel, readRational, tabulated } from "./model.ts";
export { isIdentity, polynomialOf } from "./normal_form.ts";
export { anywhere, type Place, placed, placeFor } from "./places.ts";
export { purify, type ValueSymbol } from "./purify.ts";
export {
  dualValueOf,
  environmentOf,
  type Inputs,
  inputsOf,
  primalOf,
  pullbackOf,
  type RuleOf,
  rightForward,
  type Use,
  useOf,
} from "./sides.ts";
export {
  type Claim,
  functionClaims,
  type Goal,
  obliged,
  reciprocalClaims,
  writeStatement,
} from "./statement.ts";
export { tellUsage, type Usage, usages } from "./usages.ts";
