import type { Node } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import type { Statement, View } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { EnvironmentValue } from "../environment.ts";
import type { Tensor } from "../tensor.ts";

/**
 * A program runs on a domain [SEMANTICS §10.2]: values `V` that never change, and memories `M` that do. There
 * are two: a machine that has tensors and overwrites them, and a recorder that writes a graph down.
 */
export interface Domain<S, V extends Shaped, M> {
  /** Says that the calls which follow belong to this statement. */
  enter(statement: Statement): void;
  /** Returns the value of a node whose parents are the operands, in order. */
  apply(node: Node, operands: readonly V[]): V;
  /** Returns a tensor that depends on nothing: a counter, what was drawn. */
  constant(tensor: Tensor<S>): V;
  /** Returns a tensor that came from outside. */
  received(tensor: Tensor<S>): V;
  /** Returns the mask that a key gives, as `bernoulli_mask`. */
  mask(key: Key, rate: number, shape: Shape): V;
  /** Makes a memory that holds this. */
  allocate(value: V): M;
  /** Returns the elements that the view sees. A reader may remember the place instead of a copy. */
  read(memory: M, view: View): V;
  /** Changes the memory where the view sees it. No element is seen twice. */
  write(memory: M, view: View, value: V, statement: Statement): void;
  /** Returns the value with a name of its own: what was read is no operand but a copy. */
  copied(value: V): V;
  /** Returns the tensor that a condition is, if it is known before the program runs at a point. */
  condition(value: V): Tensor<S> | undefined;
  /** Returns the tensor that a value is, if it is known before the program runs at a point. */
  known(value: V): Tensor<S> | undefined;
  /** Returns the tensor that an index is, if it is known before the program runs at a point. */
  index(value: V): Tensor<S> | undefined;
  /** The cotangent of the value is asked for too. */
  retain(value: V): void;
  /** The derivative of `run` at the operands, of which the last is the tangent or the cotangent. */
  differentiate(derivative: Differentiation, operands: readonly V[], run: Differentiable<S>): V;
}

/** Two words of 32 bits. */
export type Key = readonly [number, number];

/** This derivative of a procedure is asked for [SEMANTICS §10.8]. */
export interface Differentiation {
  readonly mode: "vjp" | "jvp";
  /** The index of a parameter. */
  readonly wrt: number;
}

/** A procedure of values, as the result that is differentiated, on whatever domain. */
export type Differentiable<S> = <V extends Shaped, M>(domain: Domain<S, V, M>, parameters: readonly V[]) => V;

/** Every value has a shape. */
export interface Shaped {
  readonly shape: Shape;
}

/** Δ as a run finds it and adds to it: declarations, and the values that are known. Owned by one run. */
export interface Surroundings<S> {
  readonly declared: Map<string, EnvironmentEntry>;
  readonly values: Map<string, EnvironmentValue<S>>;
}
