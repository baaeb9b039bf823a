/** What values are measured in: dimensions, units, and what a document declares of a graph. */
export * from "./check.ts";
export * from "./declarations.ts";
export * from "./dimension.ts";
export * from "./exponent.ts";
export * from "./names.ts";
export * from "./parse.ts";
export * from "./unit.ts";
