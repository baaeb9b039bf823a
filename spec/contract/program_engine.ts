import type { Seed } from "../graph/index.ts";
import type { Program, StatementKind } from "../programs/index.ts";
import type { DataType, FlatTensor } from "../wire/index.ts";
import type { RefusableReply } from "./reply.ts";

/** An engine that runs programs describes itself by these. Statements are promises. */
export interface ProgramDescription {
  readonly statements: readonly StatementKind[];
  /** Another engine than one of these gets programs whose entry begins with the views that aliases are. */
  readonly aliases?: true;
  /**
   * It says who draws random numbers: the state's generator [SEMANTICS §10.7], which is the default, or the
   * engine's own, whose draws it then reports.
   */
  readonly draws?: "state" | "own";
}

/** A call of a program is asked for one of these. */
export type ProgramMode = "evaluate" | "jvp" | "vjp";

/** One call of a program's entry. */
export interface ProgramCall {
  readonly mode: ProgramMode;
  /** A tensor for each parameter of the entry. */
  readonly parameters: readonly FlatTensor[];
  readonly environment: ReadonlyMap<string, FlatTensor>;
  /** Each channel receives these tensors from outside. */
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  /** The session begins anew with this; without it the call finds what the last one left. */
  readonly session?: SessionStart;
  /** The tangents of parameters, then of persistent locations; only `jvp` has some. */
  readonly tangents: readonly FlatTensor[];
  /** Cotangents of results, whose positions are the ids; only `vjp` has some. */
  readonly seeds: readonly Seed[];
}

/** Before a call the persistent locations and the generator have these contents. */
export interface SessionStart {
  readonly state: readonly FlatTensor[];
  readonly generator: ProgramGenerator;
}

/** The state's generator of random numbers: two words of a key, and the number of draws so far. */
export interface ProgramGenerator {
  readonly key: readonly [number, number];
  readonly drawn: number;
}

/** A call leaves these behind, read after everything, a sweep included. */
export interface ProgramAnswer {
  readonly results: readonly FlatTensor[];
  /** The persistent locations have these contents. */
  readonly state: readonly FlatTensor[];
  /** The call sent these, in order. */
  readonly sent: readonly { readonly channel: string; readonly value: FlatTensor }[];
  /** The number of draws from the state's generator. */
  readonly drawn: number;
  /** The engine's own generator drew these, in order. */
  readonly draws: readonly FlatTensor[];
  /**
   * `vjp`: the cotangents of parameters, then of persistent locations before the call. `jvp`: the tangents of
   * results, then of persistent locations after it. `evaluate`: nothing.
   */
  readonly derivative: readonly FlatTensor[];
  /** `vjp`: the cotangent of the value at each execution of `retain`, in order. */
  readonly retained: readonly FlatTensor[];
}

/** A reply to a call. */
export type ProgramReply<T> = RefusableReply<T>;

/** A loaded program: a session of calls. A call without a result leaves the session as it was, or ends it. */
export interface LoadedProgram {
  call(call: ProgramCall): Promise<ProgramReply<ProgramAnswer>>;
  unload(): Promise<void>;
}

/** An engine that runs programs with memory as users write them, not the graphs of their runs. */
export interface ProgramEngine {
  describePrograms(): ProgramDescription;
  /** Prepares a program for a precision, or refuses it. Loaded programs are independent of each other. */
  loadProgram(program: Program, dtype: DataType): Promise<ProgramReply<LoadedProgram>>;
  /** Returns the program that is sent in place of this one, if composites are expanded on the way. */
  sent?(program: Program): Program;
}
