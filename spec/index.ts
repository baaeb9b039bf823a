export * from "./algebra.ts";
export * from "./graph.ts";
export type * from "./operators/signature.ts";
export * from "./operators/table.ts";
export * from "./result.ts";
export * from "./shape.ts";
export * from "./wire/tensor.ts";
