export { compiledGraphMutants } from "./graphs.ts";
export { compiledProgramMutants } from "./programs.ts";
