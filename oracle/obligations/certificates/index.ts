/** Refusals are asked again of a solver, without the collection of all obligations. */
export { type Recheck, recheck } from "./recheck.ts";
