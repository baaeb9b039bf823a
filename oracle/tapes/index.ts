export { type ScriptProfile, scriptAt } from "./draw.ts";
export { type JudgeTapesOptions, judgeTapes } from "./judge.ts";
