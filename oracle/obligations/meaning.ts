import { type GraphData, interpret } from "../../reference/index.ts";
import type { Discharge } from "../../reference/operators/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { primitiveNames } from "../../spec/operators/index.ts";
import { type Algebra, InvariantError } from "../../spec/shapes/index.ts";

/** This record calls every operator unproved, and none missing. */
const unproved: Readonly<Record<string, Discharge>> = Object.fromEntries(
  primitiveNames.map((op) => [op, { rules: "", obligations: 0 }]),
);

/**
 * Interprets a program whether or not its operators are recorded as proved: obligations run the rules to find
 * what holds of them, before it is proved. The result is graph data, without the evidence that graphs carry.
 * Throws {@link InvariantError} where the algebra lacks what an operator needs.
 */
export function meaningOf<S, B>(program: PrimitiveGraph, algebra: Algebra<S, B>): GraphData<S> {
  const meaning = interpret(program, algebra, unproved);
  if (!meaning.ok) throw new InvariantError(meaning.error.map(({ message }) => message).join(" "));
  return meaning.value;
}
