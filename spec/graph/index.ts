/** A graph as data, where it is evaluated, and what its evaluation may cost at most. */
export { type Budget, defaultBudget, overBudget, tooManyDigits } from "../expansion/budget.ts";
export { expandedIndexLimitsOf, type IndexLimits, indexLimitsOf } from "../expansion/index_limits.ts";
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
