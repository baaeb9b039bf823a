import type { PlanMutant } from "../plan_mutant.ts";
import { productNegated } from "./product_negated.ts";
import { shortPolynomials } from "./short_polynomials.ts";

/** The mutants of the WebAssembly backend, behind a door of their own: it loads the generator of WebAssembly. */
export const wasmPlanMutants: readonly PlanMutant[] = [productNegated, shortPolynomials];
