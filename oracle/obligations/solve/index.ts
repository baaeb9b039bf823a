export { answersIn } from "./cache.ts";
export { cvc5 } from "./cvc5.ts";
export { readSExpressions, type SExpression, showSExpression } from "./s_expression.ts";
export type { Asked, Limits, Reply, Solver } from "./solver.ts";
export { z3 } from "./z3.ts";
