/** The interpreter's kernels: how a graph is run over an arena of float64 numbers. */
export {
  type Answer,
  Interpretation,
  interpret,
  type Parts,
  type Settled,
  soundParts,
} from "./interpretation.ts";
export type { Kernel, Step } from "./kernel.ts";
export { pullRight } from "./kernels/sums.ts";
export { randomBits, randomKey } from "./kernels/threefry.ts";
export { type Layout, sizeAt } from "./layout.ts";
export { type Arena, allocate, clear, contribute, type Machine, rounded } from "./machine.ts";
export { positionsOf } from "./positions.ts";
export { blockAt } from "./rows.ts";
export { pullBack, type Reverse, reverse } from "./sweeps.ts";
