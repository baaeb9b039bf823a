import { expand } from "../../spec/expansion/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { type Algebra, at, type Issue, type NodeId, ok, type Result } from "../../spec/shapes/index.ts";
import { defaultLimits, type Limits, type Recording, record, type Start } from "../state/index.ts";
import { type Storage, subjectOf } from "./subject.ts";
import type { RunTape, TapeSystem } from "./system.ts";

/** The tape of a program's run. */
export interface ProgramTape<S> {
  readonly tape: RunTape<S>;
  readonly recording: Recording<S>;
  /** The results have these ids on the tape: seeds stand at them. */
  readonly results: readonly NodeId[];
  /** The final contents of the persistent locations have these ids. */
  readonly state: readonly NodeId[];
}

/**
 * Records a run of a program by a system: what ran, whatever loops, branches and recursion led to it. Its
 * inputs are the entry's arguments, then the locations' old contents. Each version of a location is a value
 * of its own. Law T: sweeps give {@link backpropAllCtx} of the recorded graph. Fails as {@link record} and
 * the system do.
 */
export function recordProgram<S, B>(
  system: TapeSystem,
  algebra: Algebra<S, B>,
  program: Program,
  start: Start<S>,
  storage: Storage<S> = {},
  limits: Limits = defaultLimits,
): Result<ProgramTape<S>, Issue[]> {
  const recording = record(algebra, program, start, limits);
  if (!recording.ok) return recording;
  const { graph, environment, outcome } = recording.value;
  const { graph: written, ids } = expand(graph);
  const subject = subjectOf(written, algebra, storage);
  if (!subject.ok) return subject;
  const onTape = (asked: readonly NodeId[]): readonly NodeId[] => asked.map((id) => at(ids, id));
  const [results, state] = [onTape(outcome.results), onTape(outcome.state)];
  const x = [...start.parameters, ...start.state];
  const tape = system.record(subject.value, { x, environment }, [...new Set([...results, ...state])]);
  return tape.ok ? ok({ tape: tape.value, recording: recording.value, results, state }) : tape;
}
