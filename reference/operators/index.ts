/** This door says what each primitive means, and which of the rules are proved to be adjoint. */
export { bernoulliMask } from "./bernoulli_mask.ts";
export { type Discharge, discharged } from "./discharged.ts";
export { coordinatesOf, positionOf } from "./index_map.ts";
export type { Application, Pullback, Rule } from "./rule.ts";
export { rules } from "./rules.ts";
export { threefry2x32 } from "./threefry.ts";
