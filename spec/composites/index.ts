/** The composites, and the table of all operators. */
export { differentiateDensely } from "./differentiate.ts";
export {
  type AttributesOf,
  isOperatorName,
  type OperatorName,
  operatorNames,
  operators,
} from "./operators.ts";
export {
  type CompositeAttributes,
  type CompositeName,
  type CompositeRows,
  compositeNames,
  composites,
  isCompositeName,
} from "./table.ts";
