/** This door has what a graph with its composites written out has: expansion, shapes, derivative, cost. */
export { type Budget, defaultBudget, overBudget, tooManyDigits } from "./budget.ts";
export { derive, deriveByTransposition } from "./derivative.ts";
export { exampleOf } from "./example.ts";
export {
  type Application,
  derivativeOf,
  type Expansion,
  expand,
  expandUnless,
  type NodeOutline,
  outlineOfNode,
  shapeOfNode,
  shapesOf,
  withShapes,
} from "./expand.ts";
export { expandedIndexLimitsOf, type IndexLimits, indexLimitsOf } from "./index_limits.ts";
