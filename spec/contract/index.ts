/** An engine is defined here: what it describes, how it is asked, and how it replies. */
export { definitionOrder } from "./accumulation.ts";
export { accuracy, hostUlps } from "./accuracy.ts";
export {
  type Along,
  type Asked,
  answerIn,
  bitExactConventions,
  type Description,
  type Engine,
  type LoadedGraph,
  referenceConventions,
} from "./engine.ts";
export { expanding } from "./expanding.ts";
export type {
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramDescription,
  ProgramEngine,
  ProgramGenerator,
  ProgramMode,
  ProgramReply,
  SessionStart,
} from "./program_engine.ts";
export type { RefusableReply, Reply } from "./reply.ts";
export {
  foreignSeed,
  type Hook,
  hasReleased,
  type KeptRun,
  manneredTape,
  type OpenTape,
  refused,
  type TapeTerms,
} from "./tape_engine.ts";
