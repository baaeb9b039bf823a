/**
 * The planner for those who judge it: programs of loops, the lowering of a graph to one, and every pass.
 * Whoever proves a pass or plants a wrong one enters here; backends and compiler import its files.
 */

// Expressions say what a loop computes for one element.

export {
  type Application,
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

export { lower } from "./lower/index.ts";
export { writtenOut } from "./written_out.ts";

// A pass turns a program into one with the same results, in the algebra in which its rewrite is exact.
// `soundPasses` holds all passes by name, and `plan` applies them in order.

export { type Passes, type PlanOptions, plan, soundPasses } from "./planned.ts";
export { type Regime, type RewriteName, rewrites } from "./rewrite.ts";
export type { Pass } from "./rewrites/rewritten.ts";
export { type Heard, watched } from "./watched.ts";

// Passes share these helpers for accesses, for the reads of bodies, and for simplifying applications.

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

export type { Executable, Numbers, Order } from "./executable.ts";
export { applicationsOf } from "./expression.ts";
export { elementaryFunctions } from "./functions/functions.ts";
export { type Checkpointed, type CheckpointOptions, checkpointed } from "./memory/checkpointed.ts";
export { layOut } from "./memory/layout.ts";
export { type Reversal, reversalsOf } from "./memory/reversal.ts";
export { type Planned, type PlanReport, planWithin } from "./planned.ts";
export type {
  AssembleInstruction,
  FoldInstruction,
  RoutineInstruction,
  ScanInstruction,
  ScatterInstruction,
} from "./program.ts";
export { allows } from "./rewrite.ts";
export { accumulationInPlace } from "./rewrites/accumulation_in_place.ts";
export { commonSubexpressions } from "./rewrites/common_subexpressions.ts";
export { type Producer, readsThrough, wholeProducer } from "./rewrites/composition.ts";
export { deadCode } from "./rewrites/dead_code.ts";
export { isLiteral, isZero, simplified } from "./rewrites/expressions.ts";
export { foldFusion } from "./rewrites/fold_fusion.ts";
export { inlined } from "./rewrites/inlining.ts";
export { mapFusion } from "./rewrites/map_fusion.ts";
export { type Rewritten, rewritten } from "./rewrites/rewritten.ts";
export { units } from "./rewrites/units.ts";
export { viewComposition } from "./rewrites/view_composition.ts";
export { zeros } from "./rewrites/zeros.ts";
export { costOf, isWorthThreads, SHARED } from "./work.ts";
