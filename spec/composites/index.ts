/** Composites, and the expansion of a node into nodes of primitives. */

export { exampleOf } from "../expansion/example.ts";
export {
  type Application,
  type Expansion,
  expand,
  expandUnless,
  type NodeOutline,
  outlineOfNode,
  shapeOfNode,
  shapesOf,
  withShapes,
} from "../expansion/expand.ts";
export { differentiateDensely } from "./differentiate.ts";
export {
  type CompositeAttributes,
  type CompositeName,
  type CompositeRows,
  compositeNames,
  composites,
  isCompositeName,
} from "./table.ts";
