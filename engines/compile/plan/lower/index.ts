export * from "./lower.ts";
export type * from "./lowering.ts";
export * from "./table.ts";
