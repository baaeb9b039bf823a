/** Composites, and the expansion of a node into nodes of primitives. */
export { differentiateDensely } from "./differentiate.ts";
export { exampleOf } from "./example.ts";
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
} from "./expand.ts";
export {
  type CompositeAttributes,
  type CompositeName,
  type CompositeRows,
  compositeNames,
  composites,
  isCompositeName,
} from "./table.ts";
