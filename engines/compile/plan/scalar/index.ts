export type * from "./executable.ts";
export * from "./operators.ts";
export * from "./plan.ts";
export * from "./program.ts";
export { SUMS } from "./runs.ts";
export * from "./table.ts";
export type { Variant } from "./variants.ts";
