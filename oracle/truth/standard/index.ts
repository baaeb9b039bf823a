export * from "./accumulation.ts";
export * from "./standard.ts";
