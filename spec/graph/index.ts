/** A graph as data, and where it is evaluated. */
export {
  entriesNamedBy,
  type Graph,
  type Input,
  idCount,
  isGraph,
  type Node,
  type NodeOf,
  nodeAt,
  operatorsWithin,
  type PrimitiveGraph,
  type PrimitiveNode,
} from "./graph.ts";
export type { Point, Seed } from "./point.ts";
export { isPrimitiveGraph, isPrimitiveNode } from "./primitives.ts";
