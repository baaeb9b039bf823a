/** Small machines keep tensors as integer codes on grids. */
export * from "./accumulate.ts";
export * from "./convert.ts";
export * from "./grids.ts";
export * from "./packing.ts";
export * from "./rounding.ts";
export * from "./storage_type.ts";
export * from "./stored.ts";
