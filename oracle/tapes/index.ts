export { type ScriptProfile, scriptAt } from "./draw.ts";
export { type JudgeTapesOptions, judgeTapes, posedTapes } from "./judge.ts";
