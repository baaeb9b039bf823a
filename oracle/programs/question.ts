import { type EnvironmentValue, float64, type Tensor } from "../../reference/index.ts";
import {
  defaultLimits,
  execute,
  type Outcome,
  type PolicyOrNone,
  type Recording,
  record,
  type Start,
  type SweepOutcome,
  sweepUnder,
} from "../../reference/state/index.ts";
import { type EntryCall, entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import type { Graph, Seed } from "../../spec/graph/index.ts";
import {
  fail,
  type Issue,
  issuesWithin,
  type NodeId,
  nodeId,
  ok,
  type Result,
} from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Case, flatten, listOf, unflatten } from "../case/index.ts";

/** A call of a program is asked as a question about the graph of its run. */
export interface ProgramQuestion {
  /** The case has the graph, the point of the call, the seeds at the results, and the inputs' tangents. */
  readonly case: Case;
  /** The recording says what each id of the graph is. */
  readonly recording: Recording<number>;
}

/** These are asked too: tangents of the inputs, 1 by default, and the draws of an engine's own generator. */
export interface AskedBesides {
  readonly tangents?: readonly FlatTensor[];
  readonly draws?: readonly FlatTensor[];
  /** The values of the run may have so many elements together; more than usual by default. */
  readonly recorded?: number;
}

/** Returns the question about the float64 graph recorded at this point. Fails: as `record`, in `/program`. */
export function questionOf(
  given: ProgramCase,
  { tangents, draws, recorded = defaultLimits.recorded }: AskedBesides = {},
): Result<ProgramQuestion, Issue[]> {
  const start = startOf(given);
  const drawn = draws === undefined ? {} : { draws: draws.map(unflatten) };
  const limits = { ...defaultLimits, ...(recorded === undefined ? {} : { recorded }) };
  const recording = record(float64, given.program, { ...start, ...drawn }, limits);
  if (!recording.ok) return fail(issuesWithin("/program", recording.error));
  const { graph, environment, outcome } = recording.value;
  const entries = graph.environment.map(({ name }): [string, FlatTensor] => [
    name,
    flatValue(environment.get(name)),
  ]);
  const question: Case = {
    ...seededAt(graph, given.seeds, outcome.results),
    point: { inputs: given.point.inputs, environment: new Map(entries) },
    tangents: tangents ?? onesLike(given.point.inputs),
  };
  return ok({ case: question, recording: recording.value });
}

/**
 * Returns a program's run as a case: the float64 graph recorded at this point, with seeds at the results and
 * tangents of 1. So it asks what the run computed, not how it remembers. Fails: as {@link questionOf} does.
 */
export function recordedCase(given: ProgramCase): Result<Case, Issue[]> {
  const question = questionOf(given);
  return question.ok ? ok(question.value.case) : question;
}

/**
 * Returns each call of a session as a program case of its own, beginning with the locations and generator as
 * earlier calls left them in float64: one that fails leaves them as they were [SEMANTICS §10.15]. The last
 * call is not run.
 */
export function sessionCases(first: ProgramCase, calls: readonly EntryCall[]): readonly ProgramCase[] {
  const cases = [first];
  let current = first;
  for (const { parameters, received, seeds } of calls) {
    const left = ranCase(current);
    const before = current.point.inputs.slice(current.point.inputs.length - current.program.state.length);
    const inputs = [...parameters, ...(left.ok ? left.value.state.map(flatten) : before)];
    const point = { inputs, environment: current.point.environment };
    const generator = left.ok ? left.value.generator : current.generator;
    current = { ...current, point, generator, received, seeds };
    cases.push(current);
  }
  return cases;
}

/** Runs a program case once in float64. Fails: as `execute` does, within `/program`. */
export function ranCase(given: ProgramCase): Result<Outcome<Tensor<number>>, Issue[]> {
  const ran = execute(float64, given.program, startOf(given));
  return ran.ok ? ran : fail(issuesWithin("/program", ran.error));
}

/** Sweeps a program case under a policy, in float64. Fails: as `sweepUnder` does, within `/program`. */
export function sweptCase(given: ProgramCase, policy: PolicyOrNone): Result<SweepOutcome<number>, Issue[]> {
  const seeds = new Map(given.seeds.map(({ id, cotangent }) => [id, unflatten(cotangent)]));
  const swept = sweepUnder(policy, float64, given.program, startOf(given), seeds);
  return swept.ok ? swept : fail(issuesWithin("/program", swept.error));
}

export function onesLike(tensors: readonly FlatTensor[]): FlatTensor[] {
  return tensors.map(({ shape, data }) => ({ shape, data: data.map(() => 1) }));
}

/** Returns where a program case begins, over floats. */
function startOf({ program, point, generator, received }: ProgramCase): Start<number> {
  const inputs = point.inputs.map(unflatten);
  const count = entryOf(program).parameters.length;
  const kinds = new Map(program.environment.map(({ name, kind }) => [name, kind]));
  const entries = Array.from(point.environment, ([name, flat]): [string, EnvironmentValue<number>] => [
    name,
    kinds.get(name) === "index"
      ? { kind: "index", shape: flat.shape, indices: listOf(flat.data) }
      : { kind: "real", tensor: unflatten(flat) },
  ]);
  return {
    parameters: inputs.slice(0, count),
    state: inputs.slice(count),
    environment: new Map(entries),
    generator,
    world: new Map([...received].map(([channel, tensors]) => [channel, tensors.map(unflatten)])),
  };
}

/** Puts the seeds at the results; if some share a value, each but the first gets a node of its own. */
function seededAt(
  graph: Graph,
  seeds: readonly Seed[],
  results: readonly NodeId[],
): { readonly graph: Graph; readonly seeds: readonly Seed[] } {
  const taken = new Set<NodeId>();
  const nodes = [...graph.nodes];
  const placed = seeds.flatMap(({ id: place, cotangent }): Seed[] => {
    const result = results[place];
    if (result === undefined) return [];
    if (!taken.has(result)) {
      taken.add(result);
      return [{ id: result, cotangent }];
    }
    // An engine adds up the cotangents of one value in any order, these seeds among the others.
    nodes.push({ op: "reshape", attributes: { shape: cotangent.shape }, parents: [result] });
    return [{ id: nodeId(graph.inputs.length + nodes.length - 1), cotangent }];
  });
  return { graph: { ...graph, nodes }, seeds: placed };
}

function flatValue(value: EnvironmentValue<number> | undefined): FlatTensor {
  if (value === undefined) return { shape: [0], data: new Float64Array(0) };
  return value.kind === "real"
    ? flatten(value.tensor)
    : { shape: value.shape, data: new Float64Array(value.indices) };
}
