/** Values are measured in units: here are dimensions, units, and a document's declarations. */
export * from "./check.ts";
export * from "./declarations.ts";
export * from "./dimension.ts";
export * from "./exponent.ts";
export * from "./names.ts";
export * from "./parse.ts";
export * from "./unit.ts";
