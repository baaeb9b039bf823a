/**
 * The planner for those who judge it: programs of loops, the lowering of a graph to one, and every pass.
 * Whoever proves a pass or plants a wrong one enters here; backends and compiler import its files.
 */

// Expressions say what a loop computes for one element.

export {
  apply,
  type Expression,
  literal,
  read,
  type ScalarFunction,
  scalarFunctions,
} from "./expression.ts";

// A loop program has sources, then instructions, each of which makes one value from earlier ones.

export {
  type Access,
  type Body,
  bodiesOf,
  type Instruction,
  type LoopProgram,
  type MapInstruction,
  operandsOf,
  type Piece,
  type Read,
  type Source,
  shapeOfValue,
  type ValueId,
} from "./program.ts";

// The lowering turns a graph into the program of its values, tangents or cotangents.

export { attributed, type LoweredGraph, lower, type Maker, type Request } from "./lower/index.ts";
export { writtenOut } from "./written_out.ts";

// A pass turns a program into one with the same results, in the algebra in which its rewrite is exact.
// `soundPasses` holds all passes by name, and `plan` applies them in order.

export { type Passes, type PlanOptions, plan, soundPasses } from "./planned.ts";
export { type Regime, type RewriteName, rewrites } from "./rewrite.ts";
export type { Pass } from "./rewrites/rewritten.ts";

// Passes share these helpers for accesses, for the reads of bodies, and for simplifying applications.

export { identity } from "./lower/draft.ts";
export { isIdentity } from "./rewrites/access.ts";
export { withBodies, withOperands } from "./rewrites/bodies.ts";
export { readsIn } from "./rewrites/expressions.ts";
export { unitOf } from "./rewrites/unit_of.ts";

// These types describe memory: what checkpointing reports, and where values lie.

export type { CheckpointReport } from "./memory/checkpointed.ts";
export type { LaidOut, LayoutOptions } from "./memory/layout.ts";

// These types describe what runs a program.

export type { Backend, Layout, Precision } from "./executable.ts";

// Graphs of scalars are planned without loops.

export { type ScalarPlan, SUMS, scalarPlanOf, scalarRules, tableOf } from "./scalar/index.ts";
