export * from "./directions.ts";
export * from "./estimating.ts";
export * from "./mutants.ts";
