import { entry, evaluate, float64, interpret, type Tensor } from "../../reference/index.ts";
import { type Recording, Session, type Start } from "../../reference/state/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { at, type Issue, type NodeId, ok, type Result } from "../../spec/shapes/index.ts";
import { type Bounded, bounded, given, hasBound, radius, settle } from "../truth/bound/index.ts";
import { type Ball, floatCentre, UPWARDS } from "../truth/centre/index.ts";
import type { Standard } from "../truth/standard/index.ts";

/** An honest machine's number is within `reach` of this of the float64 run; `undefined` if unknown. */
export interface Reach {
  readonly value: number;
  readonly reach: number | undefined;
}

/** After a call of a session this is known. */
export interface CallBounds {
  /** Each persistent location holds this, in the order of the program's list. */
  readonly state: readonly Tensor<Reach>[];
  readonly results: readonly Tensor<Reach>[];
  /** If true, an honest machine may have decided some condition otherwise, and gone another way. */
  readonly isOpen: boolean;
}

/**
 * Bounds how far the numbers of successive calls may be from the float64 run on a machine of this standard,
 * by running error analysis; persistent locations carry errors from call to call. Each call is recorded where
 * the float64 run stands, and its graph evaluated over bounds. Every operation may err as the standard says,
 * so a machine that writes a step otherwise is honest if it rounds no more often. Fails: as `record` does.
 * Cost: a recording and two evaluations for each call.
 */
export function boundsOfCalls(
  program: Program,
  start: Pick<Start<number>, "state" | "environment" | "generator">,
  calls: readonly (readonly Tensor<number>[])[],
  standard: Standard,
): Result<CallBounds[], Issue[]> {
  const session = new Session<number, boolean>(float64, program, start);
  const lifted = lift(standard);
  let state = start.state.map(lifted);
  let isOpen = false;
  const found: CallBounds[] = [];
  for (const parameters of calls) {
    const recording = session.record(parameters);
    if (!recording.ok) return recording;
    const left = evaluated(recording.value, [...parameters.map(lifted), ...state], standard);
    if (!left.ok) return left;
    const next = session.call(parameters);
    if (!next.ok) return next;
    state = left.value.state;
    isOpen ||= left.value.isOpen;
    const reaches = (tensors: readonly Tensor<Bounded<Ball>>[]): Tensor<Reach>[] =>
      tensors.map(({ shape, data }) => ({ shape, data: data.map((x) => reachOf(x, standard)) }));
    found.push({ state: reaches(state), results: reaches(left.value.results), isOpen });
  }
  return ok(found);
}

type Bounds = Tensor<Bounded<Ball>>;

function lift(standard: Standard): (tensor: Tensor<number>) => Bounds {
  return ({ shape, data }) => ({ shape, data: data.map((x) => given(floatCentre, standard, x)) });
}

function evaluated(
  { graph, environment, outcome, conditions, places }: Recording<number>,
  inputs: readonly Bounds[],
  standard: Standard,
): Result<{ readonly state: Bounds[]; readonly results: Bounds[]; readonly isOpen: boolean }, Issue[]> {
  const expansion = expand(graph);
  const meaning = interpret(expansion.graph, bounded(floatCentre, standard));
  if (!meaning.ok) return meaning;
  const known = new Map(
    [...environment].map(([name, value]) => [
      name,
      value.kind === "real" ? { ...value, tensor: lift(standard)(value.tensor) } : value,
    ]),
  );
  const context = evaluate(meaning.value, inputs, known);
  const taken = (ids: readonly NodeId[]): Bounds[] =>
    ids.map((id) => {
      const { shape, data } = entry(context, at(expansion.ids, id));
      return { shape, data: data.map((x) => settle(floatCentre, standard, x)) };
    });
  const isOpen =
    taken(conditions).some(({ data }) => data.some((x) => mayBeEither(x, standard))) ||
    taken(places).some(({ data }) => data.some((x) => reachOf(x, standard).reach !== 0));
  return ok({ state: taken(outcome.state), results: taken(outcome.results), isOpen });
}

/** Tells whether a condition may be 0 and may be something else: it holds where it is not 0. */
function mayBeEither(x: Bounded<Ball>, standard: Standard): boolean {
  const { value, reach } = reachOf(x, standard);
  return reach === undefined || (reach > 0 && Math.abs(value) <= reach);
}

/** The bound is around the true value, and the float64 run is its slack away from that. */
function reachOf(x: Bounded<Ball>, standard: Standard): Reach {
  const { value, slack } = x.centre;
  const reach = (radius(floatCentre, standard, x) + slack) * UPWARDS;
  return { value, reach: hasBound(x) && Number.isFinite(reach) ? reach : undefined };
}
