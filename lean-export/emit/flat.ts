import type { Rational } from "../../reference/index.ts";
import type { BinaryName, UnaryName } from "../../spec/operators/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { Arithmetic } from "./arithmetic.ts";
import type { Instruction } from "./operator.ts";
import type { Scalars } from "./scalars.ts";

/** The elements of a tensor, row-major. */
export type Numbers = readonly Rational[];

/** `Adjudge.Program`: a graph as data. */
export interface FlatProgram {
  readonly inputs: readonly Shape[];
  readonly environment: readonly Shape[];
  readonly nodes: readonly Instruction[];
}

/** `Adjudge.Run`: a list of numbers for each input, entry of Δ and id. */
export interface FlatRun {
  readonly inputs: readonly Numbers[];
  readonly environment: readonly Numbers[];
  readonly seed: readonly Numbers[];
  readonly values: readonly Numbers[];
  readonly cotangents: readonly Numbers[];
}

/** A trace as Lean gets it: what it claims, right or wrong, each id of the trace an id in Lean. */
export interface FlatTrace {
  readonly scalars: Scalars;
  readonly program: FlatProgram;
  readonly run: FlatRun;
}

/** `Adjudge.TableRow`: an elementary function has this value and these slopes at these arguments. */
export interface TableRow {
  readonly f: UnaryName | BinaryName;
  readonly arguments: Numbers;
  readonly value: Rational;
  readonly slopes: Numbers;
}

/** The trace of a run whose elementary functions are what a table says. */
export interface TabledTrace extends FlatTrace {
  readonly table: readonly TableRow[];
}

/** `Adjudge.Engine`: what an engine computed in a format, and how far from the true numbers that may be. */
export interface EngineRun {
  readonly arithmetic: Arithmetic;
  readonly values: readonly Numbers[];
  readonly cotangents: readonly Numbers[];
  readonly valueBounds: readonly Numbers[];
  readonly cotangentBounds: readonly Numbers[];
}

/** The trace of a run that rounds: `run` is the exact one from the same inputs. */
export interface EngineTrace extends FlatTrace {
  readonly engine: EngineRun;
}
