export { type ProgramStructure, programStructures, structuresOf } from "./census.ts";
export { type DrawnProgram, exactPrograms, floatPrograms, type ProgramProfile, programAt } from "./draw.ts";
export { boundsOfCalls, type CallBounds, type Reach } from "./session_bounds.ts";
export { shrinkProgram } from "./shrink.ts";
