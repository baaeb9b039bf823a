/** Programs as code writes them, each statement checked when it is written. */
export {
  type ProgramBuilder,
  type ProgramCounter,
  type ProgramOperand,
  type ProgramProcedure,
  type ProgramReference,
  type ProgramValue,
  program,
} from "./build.ts";
