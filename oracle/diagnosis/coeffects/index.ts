/** What a graph asks of memory before it runs: where values live, how long, and how much that is. */
export { coeffectsOf, type MemoryAsked } from "./coeffects.ts";
export { type EscapeClass, storageOf } from "./escape.ts";
export type { Mode } from "./memory.ts";
