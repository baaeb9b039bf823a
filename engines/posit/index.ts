export { type PositArithmetic, type PositCode, positArithmetic } from "./arithmetic.ts";
export { type PositEngine, type PositMutant, positEngine, positMutants } from "./mutants.ts";
export { fusedDotProduct, WordQuire } from "./quire.ts";
