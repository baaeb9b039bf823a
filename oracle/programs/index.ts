export type { ProgramFinding, ProgramPart } from "./answer.ts";
export { lackingFor } from "./ask.ts";
export type { ProgramBlame } from "./blame.ts";
export * from "./campaign.ts";
export { type ProgramStructure, programStructures, structuresOf } from "./census.ts";
export {
  type DrawnProgram,
  exactPrograms,
  floatPrograms,
  type ProgramProfile,
  programAt,
  taskAt,
} from "./draw.ts";
export { type JudgeProgramOptions, judgeProgram, type ProgramVerdict, type ProgramWitness } from "./judge.ts";
export * from "./question.ts";
export { overwrites } from "./refusing.ts";
export { boundsOfCalls, type CallBounds, type Reach } from "./session_bounds.ts";
export { shrinkProgram } from "./shrink.ts";
export * from "./stored.ts";
export { type ProgramTask, type TaskCall, taskOfVector } from "./task.ts";
