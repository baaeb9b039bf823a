/** The core of the reference: definitions, sweeps, tapes, rules of operators, algebras. It has no wing. */

export { withAccurateSlopes } from "./accurate_slopes.ts";
export { boolean } from "./algebras/boolean.ts";
export { type Dual, dual } from "./algebras/dual.ts";
export { erf } from "./algebras/erf.ts";
export { bfloat16, float16, float32, float64, floats } from "./algebras/float.ts";
export { formal } from "./algebras/formal.ts";
export { integer } from "./algebras/integer.ts";
export { modular, modularOperations } from "./algebras/modular.ts";
export { dyadicOf, notReal, positValue, roundToPosit } from "./algebras/posit_format.ts";
export {
  compareRationals,
  formatRational,
  type MaybeTruth,
  type Rational,
  rational,
  rationalFromNumber,
  rationalOf,
  undefinedRational,
} from "./algebras/rational.ts";
export { compile } from "./compile.ts";
export { type Context, entry, mapSparse, type SparseContext } from "./context.ts";
export * as definition from "./definition.ts";
export { type Environment, type EnvironmentValue, mapEnvironment } from "./environment.ts";
export { type GraphData, type NodeData, pullBack } from "./graph.ts";
export { interpret, sumPerParent } from "./interpret.ts";
export type { Graph, Node } from "./lawful.ts";
export { Exhausted, step, whileInTime } from "./pace.ts";
export type { NodeNeeds } from "./reverse_needs.ts";
export { backpropAllCtx, backpropSparse, evaluate, jvpCtx } from "./sweep.ts";
export {
  backward,
  backwardDenseAll,
  backwardDenseFrom,
  backwardDenseFromStep,
  type Contribution,
  leafNode,
  type Tape,
  type TapeNode,
} from "./tape.ts";
export { addTensors, at, dotTensors, map, type Tensor, tensor, zeros, zip } from "./tensor.ts";
export { type RunTexts, traceOf } from "./trace.ts";
