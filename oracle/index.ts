export * from "./case.ts";
export * from "./verdict.ts";
