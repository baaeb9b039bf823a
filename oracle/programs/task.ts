import type { ProgramAnswer, ProgramMode } from "../../spec/contract/index.ts";
import { type EntryCall, entryOf, type ProgramCase, type ProgramVector } from "../../spec/documents/index.ts";
import type { Refusal } from "../../spec/tapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/** A task is what an engine is asked about a program. */
export interface ProgramTask {
  /** This first call begins the session. */
  readonly case: ProgramCase;
  /** Later calls go on over what earlier ones left; those with seeds ask for cotangents. */
  readonly calls: readonly TaskCall[];
  /** These tangents, 1 by default, are of the parameters, then of the locations, at the first call. */
  readonly tangents?: readonly FlatTensor[];
  /** Says whether a refusal is an answer to the first call; by default it may be. */
  readonly refuse?: Refusal;
  /** Only these are asked of what the engine offers; by default all. */
  readonly modes?: readonly ProgramMode[];
}

/** A later call, which may say itself whether a refusal is an answer; else it is as for the first call. */
export interface TaskCall extends EntryCall {
  readonly refuse?: Refusal;
}

/** Returns what a vector asks: a call that is expected to be refused must be, others as the vector says. */
export function taskOfVector({ case: first, calls, refuse, expected }: ProgramVector): ProgramTask {
  const own = (turn: number): Refusal =>
    expected[turn]?.kind === "refused" ? "must" : refuse === "must" ? "never" : refuse;
  return { case: first, refuse: own(0), calls: calls.map((call, i) => ({ ...call, refuse: own(i + 1) })) };
}

/** Returns whether a refusal is an answer to calls that do not say so. */
export function usualOf({ refuse = "may" }: ProgramTask): Refusal {
  return refuse === "must" ? "never" : refuse;
}

/** Returns the next call of a session, with arguments of its own. */
export function calledWith(given: ProgramCase, { parameters, received, seeds }: EntryCall): ProgramCase {
  const count = entryOf(given.program).parameters.length;
  const inputs = [...parameters, ...given.point.inputs.slice(count)];
  return { ...given, point: { ...given.point, inputs }, received, seeds };
}

/** Returns the session as the engine says that a call has left it. */
export function after(given: ProgramCase, { state, drawn }: ProgramAnswer): ProgramCase {
  const count = entryOf(given.program).parameters.length;
  const inputs = [...given.point.inputs.slice(0, count), ...state];
  return { ...given, point: { ...given.point, inputs }, generator: { ...given.generator, drawn } };
}
