import { type GraphData, interpret } from "../../reference/index.ts";
import type { Discharge } from "../../reference/operators/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { primitiveNames } from "../../spec/operators/index.ts";
import { type Algebra, InvariantError } from "../../spec/shapes/index.ts";

/** A record in which nothing is proved of any operator, and none is missing. */
const unproved: Readonly<Record<string, Discharge>> = Object.fromEntries(
  primitiveNames.map((op) => [op, { rules: "", obligations: 0 }]),
);

/**
 * What a program computes, whether the obligations of its operators are recorded as proved or not: obligations run the rules to see what
 * holds of them, and must not need that it was proved before. It is graph data, without the evidence that graphs carry.
 * Throws {@link InvariantError} where the algebra lacks what an operator needs.
 */
export function meaningOf<S, B>(program: PrimitiveGraph, algebra: Algebra<S, B>): GraphData<S> {
  const meaning = interpret(program, algebra, unproved);
  if (!meaning.ok) throw new InvariantError(meaning.error.map(({ message }) => message).join(" "));
  return meaning.value;
}
