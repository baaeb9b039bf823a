import type { Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Operation, Surroundings } from "./operation.ts";
import type { Held } from "./value.ts";

/**
 * What is written down of a run: each value gets a number. A tape writes down how cotangents go back, a recorder a graph.
 */
export interface Trace {
  /** The value of an operator. */
  applied(operation: Operation, operands: readonly Held[], surroundings: Surroundings): number;
  /** A value that a call is given. */
  input(value: FlatTensor): number;
  /** A value that depends on nothing. */
  constant(value: FlatTensor): number;
  /** The elements of a value at these positions. */
  taken(of: number, from: Shape, positions: readonly number[], to: Shape): number;
  /** A value with those of another at these positions. */
  overwritten(of: number, shape: Shape, positions: readonly number[], by: number, byShape: Shape): number;
  reshaped(of: number, from: Shape, to: Shape): number;
  /** The same value, constant under differentiation. */
  detached(of: number): number;
  /** The cotangent of this value is asked for too. */
  retain(of: number, value: FlatTensor): void;
  /** A body that may be run again in place of being kept: `replay` does that, and writes down what it finds. */
  again(run: () => void, replay: () => (trace: Trace) => void): void;
}

/** Writes nothing down. */
export const noTrace: Trace = {
  applied: () => 0,
  input: () => 0,
  constant: () => 0,
  taken: () => 0,
  overwritten: () => 0,
  reshaped: () => 0,
  detached: () => 0,
  retain() {},
  again: (run) => run(),
};
