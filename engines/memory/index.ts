export { type MemoryParts, memoryEngine, soundMemoryParts } from "./program.ts";
