export { hostUlps } from "../spec/contract/accuracy.ts";
export * from "../spec/contract/engine.ts";
export * from "../spec/contract/program_engine.ts";
export * from "../spec/contract/tape_engine.ts";
export * from "./compile/browser.ts";
export * from "./compile/javascript_engine.ts";
export * from "./expanding.ts";
export * from "./forward_gradient/index.ts";
export {
  type Answer,
  type Arena,
  INTERPRETER_NAME,
  INTERPRETER_VERSION,
  type Interpretation,
  interpret,
  interpreterEngine,
} from "./interpreter/index.ts";
export { drawnElements, keyOfDraw } from "./memory/draws.ts";
export * from "./mutants/index.ts";
export { type ProgramMutant, programMutants } from "./mutants/programs/index.ts";
export { type TapeEngineMutant, tapeEngineMutants } from "./mutants/tapes/index.ts";
export { unseenMutants } from "./mutants/unseen/index.ts";
export { nestedEngine } from "./nested/index.ts";
export * from "./posit/index.ts";
