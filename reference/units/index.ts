/** Dimensions are found before a graph runs, by each primitive's rule and a graph's equations. */
export type { AxisLink, AxisPlace } from "./axis_links.ts";
export { blockWith, type Grid, rangeOf, unknownAt } from "./grid.ts";
export { measuredExpansion } from "./measured.ts";
export type { DimensionRule, Gridded, Placed, Reason, UnknownTerm } from "./rule.ts";
export { type DimensionRules, dimensionRules } from "./rules/index.ts";
export {
  type Aspect,
  type DimensionSystem,
  dimensionSystem,
  dimensionsOf,
  type Equation,
  scalesOf,
  valueWith,
} from "./system.ts";
