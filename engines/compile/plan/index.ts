/**
 * The planner as those who judge it see it: what a program of loops is, how a graph becomes one, and what each pass may make of it. Whoever
 * proves a pass, or plants a wrong one, comes in here; the backends and the compiler, which are made of the planner's parts, do not.
 */

// What a loop computes for one element: scalar functions of what it reads.

export {
  apply,
  type Expression,
  literal,
  read,
  type ScalarFunction,
  scalarFunctions,
} from "./expression.ts";

// A program of loops: sources, then instructions, each of which makes one value out of earlier ones.

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

// A lowering: a graph, with the composites written out that nothing computes whole, as the program of its values, tangents or cotangents.

export { lower } from "./lower/index.ts";
export { writtenOut } from "./written_out.ts";

// A pass: from a program to one with the same results, in the algebra that its rewrite is exact in. `soundPasses` has all of them by name, and
// `plan` applies them in their order.

export { type Passes, type PlanOptions, plan, soundPasses } from "./planned.ts";
export { type Regime, type RewriteName, rewrites } from "./rewrite.ts";
export type { Pass } from "./rewrites/rewritten.ts";

// What passes look at and change: accesses, the reads of bodies, and what an application is if it is something smaller.

export { isIdentity } from "./rewrites/access.ts";
export { withBodies, withOperands } from "./rewrites/bodies.ts";
export { readsIn } from "./rewrites/expressions.ts";
export { unitOf } from "./rewrites/unit_of.ts";

// Memory: what checkpointing reports, and where the values of a program lie.

export type { CheckpointReport } from "./memory/checkpointed.ts";
export type { LaidOut, LayoutOptions } from "./memory/layout.ts";

// What runs a program.

export type { Backend, Layout, Precision } from "./executable.ts";

// Graphs of scalars, which are planned without loops.

export type { Executable, Numbers, Order } from "./executable.ts";
export { applicationsOf } from "./expression.ts";
export { elementaryFunctions } from "./functions/functions.ts";
export { type Checkpointed, type CheckpointOptions, checkpointed } from "./memory/checkpointed.ts";
export { layOut } from "./memory/layout.ts";
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
export { type Application, isLiteral, isZero, simplified } from "./rewrites/expressions.ts";
export { foldFusion } from "./rewrites/fold_fusion.ts";
export { inlined } from "./rewrites/inlining.ts";
export { mapFusion } from "./rewrites/map_fusion.ts";
export { type Rewritten, rewritten } from "./rewrites/rewritten.ts";
export { units } from "./rewrites/units.ts";
export { viewComposition } from "./rewrites/view_composition.ts";
export { zeros } from "./rewrites/zeros.ts";
