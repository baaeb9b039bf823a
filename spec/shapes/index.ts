/** Shapes, results and the algebras of scalars: what every room needs. No operator comes with this door. */
export {
  type Additive,
  type Algebra,
  everyLevel,
  type Field,
  type Levels,
  type Need,
  type Ordered,
  type OrderedField,
  type OrderedReal,
  type Real,
  type Ring,
  type Semiring,
} from "./algebra.ts";
export { at, byteAt, floatAt, integerAt, pair } from "./at.ts";
export { type NodeId, nodeId } from "./node_id.ts";
export { issuesWithin, pointerTo } from "./pointer.ts";
export {
  assertNever,
  checkAll,
  fail,
  formatIssue,
  InvariantError,
  type Issue,
  MAXIMUM_ISSUES,
  ok,
  present,
  type Result,
} from "./result.ts";
export {
  formatShape,
  isSameShape,
  MAXIMUM_ELEMENTS,
  type Shape,
  type ShapeFault,
  shapeFault,
  sizeOf,
  stridesOf,
  wellFormedShape,
} from "./shape.ts";
export { nearestName } from "./suggest.ts";
export { counted, quote, visible, visibleJson } from "./text.ts";
