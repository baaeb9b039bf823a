/** The derivative of a graph as a graph, and what a reverse sweep needs of a run. */
export { type Derivative, type Derived, derivePrimitives, seedNames } from "./derive.ts";
export { type DerivedAgain, type DeriveOnce, deriveAgain, MAXIMUM_ORDER } from "./higher.ts";
export { type Linearized, split, transposed } from "./linearize.ts";
export { keptFor, type Needs, needsOf, type RuleGraph } from "./needs.ts";
export { dependents } from "./reverse.ts";
export type { Applied, DerivativeRule, DerivativesOf, Pull } from "./rule.ts";
export { derivatives } from "./table.ts";
