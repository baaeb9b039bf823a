export * from "./accumulation.ts";
export * from "./ceiling.ts";
export * from "./standard.ts";
