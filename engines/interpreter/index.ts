export * from "./engine.ts";
export * from "./interpretation.ts";
export type * from "./kernel.ts";
export { pullRight } from "./kernels/matmul.ts";
export type { Layout } from "./layout.ts";
export { sizeAt } from "./layout.ts";
export * from "./machine.ts";
export { positionsOf } from "./positions.ts";
export { pullBack, type Reverse } from "./sweeps.ts";
