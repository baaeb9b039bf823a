import type { Scope, Value } from "../../spec/builder/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { Entering } from "./entering.ts";
import type { Standard } from "./standard.ts";

/** The operands of a composite and its value, in a formula. */
export interface Known {
  readonly operands: readonly Value[];
  readonly value: Value;
}

/**
 * How a composite is computed by algorithms that do not follow its expansion, as far as their errors are not among the
 * expansion's own roundings [docs/truth.md, "Composites"]. `entering`, by operand: their answer is exact for operands so
 * far from those that were given (backward error). The others: formulas for the value, the tangent and the cotangents;
 * whatever the roundings of these lead to is allowed.
 */
export interface Ways<A> {
  entering?(attributes: A, shapes: readonly Shape[], standard: Standard): readonly (Entering | undefined)[];
  /** What the value may lose beside that, because something overflows on the way to it. */
  lost?(standard: Standard): number;
  /** Whether there is no derivative by an element of the operand at a place, but a convention. */
  isSingular?(place: number, mayBeZero: boolean): boolean;
  value?(scope: Scope, attributes: A, operands: readonly Value[]): Value;
  tangent?(scope: Scope, attributes: A, known: Known, tangents: readonly Value[]): Value;
  cotangents?(scope: Scope, attributes: A, known: Known, cotangent: Value): readonly (Value | undefined)[];
}
