export { answersIn } from "./cache.ts";
export { cvc5 } from "./cvc5.ts";
export type { Solver } from "./solver.ts";
export { z3 } from "./z3.ts";
