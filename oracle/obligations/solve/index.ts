export type { Limits, Query, Reply, Solver } from "./solver.ts";
export { z3, z3Name } from "./z3.ts";
