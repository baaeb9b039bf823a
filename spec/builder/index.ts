/** Graphs written as expressions in TypeScript. */
export { Construction } from "../construction/construction.ts";
export type { Scope, Value } from "../construction/value.ts";
export { GraphError } from "../graph/index.ts";
export { type Builder, graph } from "./graph.ts";
