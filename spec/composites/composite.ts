import type { Scope, Value } from "../construction/value.ts";
import {
  type EnvironmentEntry,
  elementwiseShape,
  type NoAttributes,
  type Operator,
} from "../operators/index.ts";
import type { Shape, ShapeFault } from "../shapes/index.ts";

/** An operator applied, for which {@link Composite.example} shows that it expands. */
export interface CompositeExample<A> {
  readonly attributes: A;
  readonly operands: readonly Shape[];
  readonly environment?: readonly EnvironmentEntry[];
}

/**
 * An operator that is defined by other operators: its row in the table of composites. Value, tangent and
 * cotangents are those of the expansion, and its shape is the expansion's.
 */
export interface Composite<A> extends Operator<A> {
  /**
   * Says what is wrong in the user's terms, before the expansion, which would not say it well. What this lets
   * pass may still be refused by an operator inside.
   */
  refuse?(
    attributes: A,
    operands: readonly Shape[],
    environment: readonly EnvironmentEntry[],
  ): ShapeFault | undefined;
  /** Writes the value with the builder. Numbers and elementwise operands broadcast. */
  expand(scope: Scope, attributes: A, ...operands: readonly Value[]): Value;
  /** A small application, for documentation, smoke tests, and to learn which primitives it needs. */
  readonly example: CompositeExample<A>;
}

/** An elementwise composite's row says this; the rest follows from its arity. */
type ElementwiseText<A> = Pick<
  Composite<A>,
  "smoothness" | "summary" | "domain" | "convention" | "source" | "expand"
>;

/** A row for an elementwise composite without attributes. */
export function elementwiseComposite(
  arity: number,
  text: ElementwiseText<NoAttributes>,
): Composite<NoAttributes> {
  return elementwiseWith(arity, {}, {}, text);
}

/** A row for an elementwise composite with attributes, `example` among them. */
export function elementwiseWith<A>(
  arity: number,
  attributes: Operator<A>["attributes"],
  example: A,
  text: ElementwiseText<A>,
): Composite<A> {
  return {
    arity,
    isElementwise: true,
    attributes,
    ...text,
    refuse: (_attributes, operands) => {
      const shape = elementwiseShape({}, operands);
      return shape.ok ? undefined : shape.error;
    },
    example: { attributes: example, operands: Array.from({ length: arity }, () => [2, 3]) },
  };
}
