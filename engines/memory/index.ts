export { drawnElements, keyOfDraw } from "./draws.ts";
export { gathered, Memory } from "./memory.ts";
export type { Operation, Surroundings } from "./operation.ts";
export { type MemoryParts, memoryEngine, soundMemoryParts } from "./program.ts";
export { Run } from "./run.ts";
export type { Leaving, Manner, Progress, Returning } from "./setting.ts";
export { type Application, type Cotangents, type Pulled, Tape } from "./tape.ts";
export type { Trace } from "./trace.ts";
export {
  type Bound,
  type Held,
  type Names,
  type Place,
  type Reference,
  type SavedInPlace,
  type Seen,
  valued,
} from "./value.ts";
