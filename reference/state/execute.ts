import type { Graph } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import type { Program, Statement } from "../../spec/programs/index.ts";
import { type Algebra, fail, type Issue, type NodeId, ok, type Result } from "../../spec/shapes/index.ts";
import type { Environment } from "../environment.ts";
import type { Tensor } from "../tensor.ts";
import type { Surroundings } from "./domain.ts";
import { cannot, issueOf, StateFault } from "./fault.ts";
import { Machine } from "./machine.ts";
import { type MemoryEvent, type Recorded, Recorder, type Retained } from "./recorder.ts";
import { Run } from "./run.ts";
import {
  type Decision,
  defaultLimits,
  type Generator,
  type Limits,
  type Literals,
  MOST_INDEX,
  Progress,
  type Sent,
  type Setting,
  type World,
} from "./setting.ts";
import type { SsaForm } from "./ssa.ts";
import { Unrolling } from "./unrolling.ts";

/** The point of a run: the entry's arguments, the persistent locations, Δ, the generator, the world. */
export interface Start<S> {
  readonly parameters: readonly Tensor<S>[];
  /** The state is in the order of the program's list. */
  readonly state: readonly Tensor<S>[];
  readonly environment: Environment<S>;
  readonly generator: Generator;
  readonly world: World<S>;
  /** An engine's own generator drew these, in order; they replace what `generator` would draw. */
  readonly draws?: readonly Tensor<S>[];
}

/** A run leaves these behind. */
export interface Outcome<V> {
  readonly results: readonly V[];
  /** The persistent locations hold this afterwards. */
  readonly state: readonly V[];
  readonly sent: readonly Sent<V>[];
  readonly generator: Generator;
  /** So often each channel was received from. */
  readonly asked: ReadonlyMap<string, number>;
}

/** A run as a graph: inputs are the parameters of the entry, then what the persistent locations held. */
export interface Recording<S> {
  readonly graph: Graph;
  /** Δ of the graph: the program's, and what was drawn, received, or seen through views. */
  readonly environment: Environment<S>;
  readonly outcome: Outcome<NodeId>;
  /** They say whether each condition held, and which place each index was, in their order. */
  readonly decisions: readonly Decision[];
  /** Values whose cotangents are asked for too. */
  readonly retained: readonly Retained[];
  /** Values that decided what was executed. */
  readonly conditions: readonly NodeId[];
  /** Values that were places along an axis. */
  readonly places: readonly NodeId[];
  /** Each node comes of the statement at its place in this list. */
  readonly statements: readonly (Statement | undefined)[];
  /** Values that came from outside. */
  readonly received: readonly NodeId[];
  /** These happened to memories, in this order. */
  readonly events: readonly MemoryEvent[];
  /** Each memory held this in the end. */
  readonly contents: readonly NodeId[];
}

/** A form without memory has these parts of a recording; a copy is no value of its own there. */
export interface Unrolled<S>
  extends Pick<
    Recording<S>,
    "graph" | "environment" | "outcome" | "decisions" | "conditions" | "places" | "received"
  > {
  /** Values whose cotangents are asked for too. */
  readonly retained: readonly NodeId[];
}

/** Tests plant faults by other classes of machine than {@link Machine}. */
export type MachineOf<S, B> = new (algebra: Algebra<S, B>, surroundings: Surroundings<S>) => Machine<S, B>;

/**
 * Runs a checked program and overwrites memory in place [SEMANTICS §10.2]. It does not change `start`. Fails:
 * `program/fuel`, `program/condition`, `program/released`, `program/write`, `program/recursion`,
 * `program/memory`, `program/world`, `program/draws`, `program/too-long-a-run`, `program/effect`,
 * `algebra/missing`, each at its statement. Cost: that of its operators, and linear in statements and
 * elements.
 */
export function execute<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  start: Start<S>,
  limits: Limits = defaultLimits,
  machineOf: MachineOf<S, B> = Machine,
): Result<Outcome<Tensor<S>>, Issue[]> {
  return caughtFault(program, () => {
    const machine = new machineOf(algebra, surroundingsOf(program, start.environment));
    const setting = settingOf(start, literalsOf(algebra), limits);
    return entered(new Run(machine, program, setting), setting, start.parameters, start.state);
  });
}

/**
 * Runs the program likewise, and records the run at this point as a graph. **Law F**: evaluated at `start`,
 * each id of the outcome has what {@link execute} leaves there, to the bit. Fails as {@link execute} does,
 * and with `program/recording`.
 */
export function record<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  start: Start<S>,
  limits: Limits = defaultLimits,
): Result<Recording<S>, Issue[]> {
  return caughtFault(program, () => {
    const surroundings = surroundingsOf(program, start.environment);
    const setting = settingOf(start, literalsOf(algebra), limits);
    return recorded(
      algebra,
      program,
      surroundings,
      setting,
      start,
      (recorder) => new Run(recorder, program, setting),
    );
  });
}

/** A run depends on these besides numbers; {@link functionalise} needs no numbers. */
export type StaticStart<S> = Pick<Start<S>, "generator" | "world" | "draws">;

/**
 * Returns the graph of a program whose control flow depends on no input. **Law**: {@link record} writes the
 * same at any point. Fails: `program/condition` if a condition depends on an input or Δ, and as
 * {@link execute} does.
 */
export function functionalise<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  start: StaticStart<S>,
  limits: Limits = defaultLimits,
): Result<Recording<S>, Issue[]> {
  return caughtFault(program, () => {
    const surroundings = surroundingsOf<S>(program, new Map());
    const setting = settingOf(start, literalsOf(algebra), limits);
    return recorded(
      algebra,
      program,
      surroundings,
      setting,
      undefined,
      (recorder) => new Run(recorder, program, setting),
    );
  });
}

/**
 * The graph of an {@link SsaForm} along decisions that a run took; it looks at no number. **Law S**: with the
 * decisions of a recording it is that recording's graph, node for node, but without events of memories.
 * Fails: `program/decisions` if there are too few or too many, and as {@link record} does if a run is too
 * long.
 */
export function unroll<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  form: SsaForm,
  decisions: readonly Decision[],
  start: StaticStart<S>,
  limits: Limits = defaultLimits,
): Result<Unrolled<S>, Issue[]> {
  return caughtFault(program, () => {
    const surroundings = surroundingsOf<S>(program, new Map());
    const setting = settingOf(start, literalsOf(algebra), limits);
    const unrolled = recorded(
      algebra,
      program,
      surroundings,
      setting,
      undefined,
      (recorder) => new Unrolling(recorder, form, decisions, setting),
    );
    return { ...unrolled, retained: unrolled.retained.map(({ id }) => id) };
  });
}

function recorded<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  surroundings: Surroundings<S>,
  setting: Setting<S>,
  point: Pick<Start<S>, "parameters" | "state"> | undefined,
  runOf: (recorder: Recorder<S>) => Entered<Recorded<S>>,
): Recording<S> {
  const machine = new Machine(algebra, surroundings);
  const recorder = new Recorder(machine, surroundings, new Map(), setting.limits.recorded);
  const [entry] = program.procedures;
  const parameters = (entry?.parameters ?? []).map(({ name, shape }, i) =>
    recorder.input(name, shape, point?.parameters[i]),
  );
  const state = program.state.map(({ name, shape }, i) => recorder.input(name, shape, point?.state[i]));
  const outcome = entered(runOf(recorder), setting, parameters, state);
  return {
    graph: recorder.graph(),
    environment: surroundings.values,
    outcome: {
      results: outcome.results.map(idOf),
      state: outcome.state.map(idOf),
      sent: outcome.sent.map(({ channel, value }) => ({ channel, value: value.id })),
      generator: outcome.generator,
      asked: outcome.asked,
    },
    decisions: setting.progress.decisions,
    retained: recorder.retained,
    conditions: recorder.conditions,
    places: recorder.places,
    statements: recorder.statements,
    received: recorder.fromOutside,
    events: recorder.events,
    contents: recorder.contents,
  };
}

function idOf<S>({ id }: Recorded<S>): NodeId {
  return id;
}

/** A run of the entry that has not begun. */
interface Entered<V> {
  readonly sent: readonly Sent<V>[];
  enter(parameters: readonly V[], state: readonly V[]): { readonly results: V[]; readonly state: V[] };
}

function entered<S, V>(
  run: Entered<V>,
  { key, progress }: Setting<S>,
  parameters: readonly V[],
  state: readonly V[],
): Outcome<V> {
  const left = run.enter(parameters, state);
  const { drawn, received: asked } = progress;
  return { ...left, sent: run.sent, generator: { key, drawn }, asked };
}

function settingOf<S>(
  { generator, world, draws }: StaticStart<S>,
  literals: Literals<S>,
  limits: Limits,
): Setting<S> {
  const progress = new Progress(generator.drawn);
  return { literals, limits, world, key: generator.key, draws, progress, nodes: new Map() };
}

function surroundingsOf<S>(program: Program, environment: Environment<S>): Surroundings<S> {
  const entries = program.environment.map((entry): [string, EnvironmentEntry] => [entry.name, entry]);
  return { declared: new Map(entries), values: new Map(environment) };
}

/** Numbers and decisions of the algebra; a truth value that is not a Boolean decides nothing. */
function literalsOf<S, B>({ name, levels }: Algebra<S, B>): Literals<S> {
  const { semiring, ordered } = levels;
  return {
    literal: (x) => semiring?.literal(x) ?? cannot("a number", name),
    isZero: (x) => {
      if (ordered === undefined) return undefined;
      const truth: unknown = ordered.equal(x, ordered.zero);
      return typeof truth === "boolean" ? truth : undefined;
    },
    wholeOf: (x) => {
      if (ordered === undefined) return undefined;
      // No number between is asked for, which would be rounded: powers of two and what is left are exact.
      let [place, left] = [0, x];
      for (let step = (MOST_INDEX + 1) / 2; step >= 1; step /= 2) {
        if (ordered.less(left, ordered.literal(step)) !== false) continue;
        left = ordered.add(left, ordered.negative(ordered.literal(step)));
        place += step;
      }
      return ordered.equal(left, ordered.zero) === true ? place : undefined;
    },
  };
}

function caughtFault<T>(program: Program, run: () => T): Result<T, Issue[]> {
  try {
    return ok(run());
  } catch (fault) {
    if (!(fault instanceof StateFault)) throw fault;
    return fail([issueOf(program, fault)]);
  }
}
