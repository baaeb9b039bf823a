export * from "./algebra.ts";
export * from "./evaluate.ts";
export * from "./laws.ts";
export * from "./read.ts";
export * from "./smtlib.ts";
export * from "./terms.ts";
export * from "./vocabulary.ts";
export * from "./walk.ts";
