import type { AttributesOf, OperatorName } from "../composites/index.ts";
import type { Derivative, Derived } from "../derivatives/index.ts";
import type { Graph } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import type { NodeId, Shape } from "../shapes/index.ts";

/** The builder's operators read values, or numbers, which take the shape of the others. */
export type Operand = Value | number;

/** Operands, then the attributes if the operator has any. */
type Arguments<A> = [keyof A] extends [never]
  ? readonly Operand[]
  : readonly [...operands: readonly Operand[], attributes: A];

/** Every operator as a function: `concat(x, y, { axis: 0 })`, `full({ shape: [2], value: 1 })`. */
export type Functions = {
  readonly [K in OperatorName]: (...all: Arguments<AttributesOf[K]>) => Value;
};

/** Every operator as a method of its first operand: `x.add(y)`, `x.sum({ axes: [0], keepdims: false })`. */
export type Methods = {
  readonly [K in OperatorName]: (...rest: Arguments<AttributesOf[K]>) => Value;
};

/**
 * A value of a graph under construction. Elementwise operators broadcast their operands as NumPy does, by
 * `broadcast_to` nodes that one can see in the graph.
 */
export interface Value extends Methods {
  readonly id: NodeId;
  readonly shape: Shape;
}

/** A scope makes values: it has every operator as a function, and declares entries of Δ. */
export interface Scope extends Functions {
  /** Applies an operator that is only known when it is applied. */
  apply<K extends OperatorName>(op: K, attributes: AttributesOf[K], operands: readonly Value[]): Value;
  /** Returns a graph's primitive derivative, Δ declared here. Throws {@link GraphError} if too long. */
  derivative(graph: Graph, derivative: Derivative): Derived;
  /** Returns the declaration of an entry of Δ. */
  entry(name: string): EnvironmentEntry | undefined;
}
