/** The composites, and the table of all operators. */
export { differentiateDensely, inlined, MAXIMUM_NESTING } from "./differentiate.ts";
export {
  type AttributesOf,
  isOperatorName,
  type OperatorName,
  operatorNames,
  operators,
} from "./operators.ts";
export { sliceAlong } from "./slices.ts";
export {
  type CompositeAttributes,
  type CompositeName,
  type CompositeRows,
  compositeNames,
  composites,
  isCompositeName,
} from "./table.ts";
