/** Graphs written as expressions in TypeScript. */
export { type Builder, graph } from "./graph.ts";
export { GraphError } from "./graph_error.ts";
export type { Scope, Value } from "./value.ts";
