import type { Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Operation, Surroundings } from "./operation.ts";
import type { Held } from "./value.ts";

/** Writes down a run, numbering its values: a tape writes pullbacks, a recorder a graph. */
export interface Trace {
  /** Numbers the value of an operator. */
  applied(operation: Operation, operands: readonly Held[], surroundings: Surroundings): number;
  /** Numbers a value that a call is given. */
  input(value: FlatTensor): number;
  /** Numbers a value that depends on nothing. */
  constant(value: FlatTensor): number;
  /** Numbers the elements of a value at these positions. */
  taken(of: number, from: Shape, positions: readonly number[], to: Shape): number;
  /** Numbers a value with another's elements at these positions. */
  overwritten(of: number, shape: Shape, positions: readonly number[], by: number, byShape: Shape): number;
  reshaped(of: number, from: Shape, to: Shape): number;
  /** Numbers the same value, constant under differentiation. */
  detached(of: number): number;
  /** Asks for the cotangent of this value too. */
  retain(of: number, value: FlatTensor): void;
  /** Runs a body that may be run again instead of being kept; `replay` does that, with another trace. */
  again<T>(run: () => T, replay: () => (trace: Trace) => void): T;
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
