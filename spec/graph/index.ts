/** A graph as data, and where it is evaluated. */
export {
  entriesNamedBy,
  type Graph,
  type Input,
  idCount,
  type Node,
  type NodeOf,
  nodeAt,
  operatorsWithin,
  type PrimitiveGraph,
  type PrimitiveNode,
} from "./graph.ts";
export { GraphError } from "./graph_error.ts";
export type { Point, Seed } from "./point.ts";
export { isPrimitiveGraph, isPrimitiveNode, shapeOfPrimitive, shapesOfPrimitives } from "./primitives.ts";
