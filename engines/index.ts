export {
  type Along,
  type Asked,
  answerIn,
  bitExactConventions,
  type Description,
  type Engine,
  expanding,
  foreignSeed,
  type Hook,
  hostUlps,
  type KeptRun,
  type LoadedGraph,
  type LoadedProgram,
  manneredTape,
  type OpenTape,
  type ProgramAnswer,
  type ProgramCall,
  type ProgramDescription,
  type ProgramEngine,
  type ProgramGenerator,
  type ProgramMode,
  type ProgramReply,
  type RefusableReply,
  type Reply,
  referenceConventions,
  refused,
  type SessionStart,
  type TapeTerms,
} from "../spec/contract/index.ts";
export type { Point, Seed } from "../spec/graph/index.ts";
export type {
  Accumulation,
  Conventions,
  DataType,
  EstimateLaw,
  Mode,
  TapeDescription,
  TapeLife,
} from "../spec/wire/index.ts";
export * from "./compile/browser.ts";
export * from "./compile/javascript_engine.ts";
export * from "./forward_gradient/index.ts";
export { type Answer, type Arena, type Interpretation, interpret } from "./interpretation/index.ts";
export { INTERPRETER_NAME, INTERPRETER_VERSION, interpreterEngine } from "./interpreter/index.ts";
export { drawnElements, keyOfDraw } from "./memory/draws.ts";
export {
  type CompiledMutant,
  compiledGraphMutants,
  compiledProgramMutants,
} from "./mutants/compiled/index.ts";
export * from "./mutants/index.ts";
export { type ProgramMutant, programMutants } from "./mutants/programs/index.ts";
export { type TapeEngineMutant, tapeEngineMutants } from "./mutants/tapes/index.ts";
export { unseenMutants } from "./mutants/unseen/index.ts";
export { nestedEngine } from "./nested/index.ts";
export * from "./posit/index.ts";
