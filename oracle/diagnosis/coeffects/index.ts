/** These say what memory a graph needs before it runs: where values live, how long, how large they are. */
export { coeffectsOf, type MemoryAsked } from "./coeffects.ts";
export { type EscapeClass, storageOf } from "./escape.ts";
export type { Mode } from "./memory.ts";
