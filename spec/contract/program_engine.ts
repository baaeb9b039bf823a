import type { Seed } from "../graph/point.ts";
import type { Program, StatementKind } from "../programs/program.ts";
import type { DataType } from "../wire/precision.ts";
import type { FlatTensor } from "../wire/tensor.ts";
import type { RefusableReply } from "./reply.ts";

/** What an engine says of itself where it runs programs. Statements are promises. */
export interface ProgramDescription {
  readonly statements: readonly StatementKind[];
  /**
   * Whose random numbers are drawn: those of the state's generator [SEMANTICS §10.7], or the engine's own, which it then tells. Taken for
   * `state`.
   */
  readonly draws?: "state" | "own";
}

/** What a call of a program can be asked for. */
export type ProgramMode = "evaluate" | "jvp" | "vjp";

/** One call of a program's entry. */
export interface ProgramCall {
  readonly mode: ProgramMode;
  /** A tensor for each parameter of the entry. */
  readonly parameters: readonly FlatTensor[];
  readonly environment: ReadonlyMap<string, FlatTensor>;
  /** By channel, what comes from outside. */
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  /** What the session begins anew with; without it the call finds what the last one has left. */
  readonly session?: SessionStart;
  /** Of the parameters, then of the persistent locations; `jvp` alone has some. */
  readonly tangents: readonly FlatTensor[];
  /** Cotangents of results, whose places are the ids; `vjp` alone has some. */
  readonly seeds: readonly Seed[];
}

/** What the persistent locations hold before a call, and where the generator stands. */
export interface SessionStart {
  readonly state: readonly FlatTensor[];
  readonly generator: ProgramGenerator;
}

/** The state's generator of random numbers: two words of a key, and how often it was drawn from. */
export interface ProgramGenerator {
  readonly key: readonly [number, number];
  readonly drawn: number;
}

/** What a call leaves behind, looked at when all is done, a sweep included. */
export interface ProgramAnswer {
  readonly results: readonly FlatTensor[];
  /** What the persistent locations hold. */
  readonly state: readonly FlatTensor[];
  /** What was sent, in order. */
  readonly sent: readonly { readonly channel: string; readonly value: FlatTensor }[];
  /** How often the state's generator has been drawn from. */
  readonly drawn: number;
  /** What an engine with its own generator has drawn, in order; else nothing. */
  readonly draws: readonly FlatTensor[];
  /**
   * `vjp`: the cotangents of the parameters, then of the persistent locations as they were before. `jvp`: the tangents of the results, then of the
   * persistent locations as they are afterwards. `evaluate`: nothing.
   */
  readonly derivative: readonly FlatTensor[];
  /** `vjp`: the cotangent of the value at each execution of `retain`, in order. */
  readonly retained: readonly FlatTensor[];
}

/** A reply to a call. */
export type ProgramReply<T> = RefusableReply<T>;

/** A program that an engine has loaded: a session of calls. A call that gives no result leaves the session as it was, or ends it. */
export interface LoadedProgram {
  call(call: ProgramCall): Promise<ProgramReply<ProgramAnswer>>;
  unload(): Promise<void>;
}

/** An engine that runs programs with memory as its users write them, and not the graphs of their runs. */
export interface ProgramEngine {
  describePrograms(): ProgramDescription;
  /** Prepares a program for a precision; a program refused before it runs is so here. Loaded programs are independent of each other. */
  loadProgram(program: Program, dtype: DataType): Promise<ProgramReply<LoadedProgram>>;
  /** The program that is sent on in place of this one, by an engine that writes composites out for another one. */
  sent?(program: Program): Program;
}
