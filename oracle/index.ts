export type * from "./case.ts";
export * from "./diagnosis/index.ts";
export * from "./generate/index.ts";
export * from "./judge/index.ts";
export * from "./laws/index.ts";
export * from "./programs/index.ts";
export { type ReferenceRun, runReference } from "./reference_run.ts";
export * from "./truth/index.ts";
