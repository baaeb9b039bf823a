export type { CompiledMutant } from "./fusing.ts";
export { compiledGraphMutants } from "./graphs.ts";
export { compiledProgramMutants } from "./programs.ts";
