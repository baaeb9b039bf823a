import {
  type Additive,
  type Algebra,
  type Issue,
  type NodeId,
  nodeId,
  present,
  type Result,
} from "../../spec/index.ts";
import { type Context, dense } from "../context.ts";
import { contextShapes } from "../graph.ts";
import { isSameContext, noEnvironment } from "../hand.test.kit.ts";
import { filled, type LawlessGraph, lawlessData } from "../lawless.test.kit.ts";
import { backpropAllCtx } from "../sweep.ts";
import { addTensors, type Tensor, zeros } from "../tensor.ts";
import { type Subject, subjectOfData, type TapePoint } from "./subject.ts";
import type { RunTape, Settled, Sweep, TapeSystem } from "./system.ts";

/** A subject at a point, with seeds. */
export interface Recorded<S> {
  readonly subject: Subject<S>;
  readonly point: TapePoint<S>;
  readonly seed: ReadonlyMap<NodeId, Tensor<S>>;
}

/** Returns a graph without laws at numbers, seeded at each first, second or third id from the last on. */
export function lawless<S, B>(
  algebra: Algebra<S, B>,
  recipe: LawlessGraph,
  numbers: readonly [S, ...S[]],
  every = 1,
): Recorded<S> {
  const data = lawlessData(present(algebra.levels.semiring, "a semiring"), recipe);
  const seeds = filled(contextShapes(data), numbers, 5).map((c, id): [NodeId, Tensor<S>] => [nodeId(id), c]);
  return {
    subject: subjectOfData(algebra.additive, data),
    point: { x: filled(data.inputs, numbers, 0), environment: noEnvironment },
    seed: new Map(seeds.filter((_, id) => (seeds.length - 1 - id) % every === 0)),
  };
}

/** Computes what Law T says that a sweep from a seed gives. */
function owed<S>(
  { reach }: TapeSystem,
  { subject, point }: Recorded<S>,
  seed: Recorded<S>["seed"],
): Context<S> {
  const { additive, data, shapes } = subject;
  const all = backpropAllCtx(additive, data, point.x, point.environment, dense(additive, shapes, seed));
  return reach === "all" ? all : all.slice(0, data.inputs.length);
}

/** Says how a system breaks Law T or its life's manners at a recorded subject, in words, or `undefined`. */
export function faultOf<S, B>(
  algebra: Algebra<S, B>,
  system: TapeSystem,
  recorded: Recorded<S>,
  life: TapeSystem["life"] = system.life,
): string | undefined {
  const additive = interruptible(recorded.subject.additive);
  const subject = { ...recorded.subject, additive };
  const of = [...recorded.seed.keys()];
  const recording = system.record(subject, recorded.point, of);
  if (!recording.ok) return recording.error.map(({ code }) => code).join(" ");
  const tape = recording.value;
  const double = new Map(
    [...recorded.seed].map(([id, c]) => [id, addTensors(recorded.subject.additive, c, c)]),
  );
  const gives = (swept: Result<Context<S>, Issue>, seed: Recorded<S>["seed"]): boolean =>
    swept.ok && isSameContext(algebra, swept.value, owed(system, recorded, seed));
  const lines = tape.entries.length;
  if (life === "once")
    return faultOfOne(tape, () => gives(tape.backward(recorded.seed), recorded.seed), recorded);
  additive.interruptAfter(1);
  try {
    tape.backward(recorded.seed);
  } catch (problem) {
    if (!(problem instanceof Interruption)) throw problem;
  }
  additive.interruptAfter(Number.POSITIVE_INFINITY);
  tape.begin(recorded.seed);
  if (!gives(tape.backward(recorded.seed), recorded.seed)) return "the first sweep";
  if (!gives(tape.backward(double), double)) return "the second sweep";
  const told: Settled<S>[] = [];
  const [one, other] = together(tape, recorded.seed, double, told);
  if (!gives(one, recorded.seed) || !gives(other, double)) return "sweeps that are interleaved";
  if (system.settles && !keepsLawH(algebra, recorded, told)) return "an id that a sweep comes by";
  if (tape.entries.length !== lines) return "lines appended in a sweep";
  tape.release();
  tape.release();
  return (
    refusal(tape.backward(recorded.seed), "tape/released") ??
    refusal(tape.begin(recorded.seed), "tape/released")
  );
}

function faultOfOne<S>(tape: RunTape<S>, isRight: () => boolean, { seed }: Recorded<S>): string | undefined {
  if (!isRight()) return "the only sweep";
  return refusal(tape.backward(seed), "tape/spent");
}

/** Tells whether each id is told once, readers first, as Law T says, and none is missing but zeros. */
function keepsLawH<S, B>(
  algebra: Algebra<S, B>,
  { subject, point, seed }: Recorded<S>,
  told: readonly Settled<S>[],
): boolean {
  const { additive, data, shapes } = subject;
  const all = backpropAllCtx(additive, data, point.x, point.environment, dense(additive, shapes, seed));
  const isInOrder = told.every(({ id }, place) => place === 0 || id < (told[place - 1]?.id ?? 0));
  return (
    isInOrder &&
    all.every((owed, id) => {
      const cotangent = told.find((settled) => settled.id === id)?.cotangent;
      return isSameContext(algebra, [cotangent ?? zeros(additive, owed.shape)], [owed]);
    })
  );
}

function refusal<T>(answered: Result<T, Issue>, code: string): string | undefined {
  return !answered.ok && answered.error.code === code ? undefined : `no ${code}`;
}

/** Two sweeps of one tape, a step of each in turn; `told` gets what the first tells. */
function together<S>(
  tape: RunTape<S>,
  a: Recorded<S>["seed"],
  b: Recorded<S>["seed"],
  told: Settled<S>[],
): readonly [Result<Context<S>, Issue>, Result<Context<S>, Issue>] {
  const [first, second] = [tape.begin(a), tape.begin(b)];
  if (!first.ok || !second.ok)
    return [first.ok ? tape.backward(a) : first, second.ok ? tape.backward(b) : second];
  const results: (Context<S> | undefined)[] = [undefined, undefined];
  const sweeps: readonly Sweep<S>[] = [first.value, second.value];
  while (results.includes(undefined)) {
    for (const [n, sweep] of sweeps.entries()) {
      if (results[n] !== undefined) continue;
      const step = sweep.next();
      if (step.done === true) results[n] = step.value;
      else if (n === 0) told.push(step.value);
    }
  }
  const [one, other] = results.map((value) => ({ ok: true, value: present(value, "a result") }) as const);
  return [present(one, "the first"), present(other, "the second")];
}

class Interruption extends Error {}

/** Returns an addition that can be told to throw after so many more. */
function interruptible<S>(additive: Additive<S>): Additive<S> & { interruptAfter(count: number): void } {
  let left = Number.POSITIVE_INFINITY;
  return {
    ...additive,
    add: (x, y) => {
      left -= 1;
      if (left < 0) throw new Interruption();
      return additive.add(x, y);
    },
    interruptAfter: (count) => {
      left = count;
    },
  };
}
