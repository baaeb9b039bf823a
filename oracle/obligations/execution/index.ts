export { Machine } from "./machine.ts";
export { type Path, pathsOf, Way } from "./paths.ts";
export { type Plant, Program } from "./program.ts";
export { bitsFor, literalWord, Terms, type Word } from "./terms.ts";
export * from "./values.ts";
