import type { OperatorName } from "../../../spec/composites/index.ts";
import type { Engine, LoadedGraph, OpenTape, RefusableReply } from "../../../spec/contract/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeDescription, TapeLife } from "../../../spec/wire/index.ts";
import { failed, type Outcome, outcomeOf, passed, refusalOutcome, type SmokeStep } from "./step.ts";

const vector = (...data: number[]): FlatTensor => ({ shape: [data.length], data: Float64Array.from(data) });

/** A loaded x · y, and how its tapes are to be recorded. */
interface Trial {
  readonly program: LoadedGraph;
  readonly life: TapeLife;
  readonly releases: boolean;
}

/** Its rule reads both operands. */
const product = {
  format: "adjudge.graph.v1",
  inputs: [
    { name: "x", shape: [2] },
    { name: "y", shape: [2] },
  ],
  environment: [],
  nodes: [{ op: "multiply", attributes: {}, parents: [0, 1] }],
};

const here = { inputs: [vector(2, 3), vector(5, 7)], environment: new Map<string, FlatTensor>() };
const there = { inputs: [vector(10, 20), vector(30, 40)], environment: new Map<string, FlatTensor>() };
const last = nodeId(2);
const seeded = (...data: number[]): Seed[] => [{ id: last, cotangent: vector(...data) }];
const ones = seeded(1, 1);
const atHere = [vector(5, 7), vector(2, 3)];

type Check = (trial: Trial) => Promise<Outcome>;

/** Every tape must pass these checks. A key is the name of a step. */
const checks: Readonly<Record<string, Check>> = {
  "is swept, and answers the cotangents of the inputs": (trial) =>
    recorded(trial, async (tape) => answered(await tape.sweep(ones), atHere)),
  "keeps to the point that it was recorded at": (trial) =>
    recorded(trial, async (tape) => {
      const other = await trial.program.record?.(there, trial.life, [last]);
      if (other?.kind !== "result")
        return failed("a second tape was not recorded", "tapes do not share a place");
      return answered(await tape.sweep(ones), atHere);
    }),
  "is as it was after a sweep that was refused": (trial) =>
    recorded(trial, async (tape) => {
      const wrong = await tape.sweep(seeded(1, 1, 1));
      if (wrong.kind === "result")
        return failed("a seed of three elements for two was answered", "refuse a cotangent of another shape");
      return answered(await tape.sweep(ones), atHere);
    }),
  "refuses a seed at an id that it was not recorded for": (trial) =>
    recorded(trial, async (tape) =>
      refusedOutcome(await tape.sweep([{ id: nodeId(9), cotangent: vector(1, 1) }])),
    ),
  "is swept again as its life says": (trial) =>
    recorded(trial, async (tape) => {
      const first = await tape.sweep(ones);
      if (first.kind !== "result") return answered(first, atHere);
      const again = await tape.sweep(seeded(2, 2));
      return trial.life === "once" ? refusedOutcome(again) : answered(again, [vector(10, 14), vector(4, 6)]);
    }),
  "is released, and refuses": (trial) =>
    recorded(trial, async (tape) => {
      if (!trial.releases) return { kind: "skipped", reason: "the engine forgets what is released" };
      const reply = await tape.release();
      if (reply.kind !== "result") return refusalOutcome(reply, "release answers done, which hello promises");
      return refusedOutcome(await tape.sweep(ones));
    }),
};

/** Hooks that are promised must pass these checks. */
const hookChecks: Readonly<Record<string, Check>> = {
  "calls each hook once in a sweep, with the cotangent": async ({ program, life }) => {
    const tape = await program.record?.(here, life, [last], [nodeId(0), last]);
    if (tape?.kind !== "result")
      return failed("a tape with hooks was not recorded", "leave hooks out of hello");
    const calls: Seed[] = [];
    await tape.value.sweep(ones, (id, cotangent) => calls.push({ id, cotangent }));
    await tape.value.release();
    const told = calls.toSorted((a, b) => b.id - a.id).map(({ cotangent }) => cotangent);
    const means = "one call of each hook: at id 2 with its seed, at id 0 with what the sweep answers there";
    return outcomeOf({ kind: "result", value: told }, [vector(1, 1), vector(5, 7)], means);
  },
};

/** Tries the tapes of each promised life, in the first promised precision. */
export async function* tapeSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  const { tapes } = engine;
  const [dtype] = engine.describe().dtypes;
  if (tapes === undefined || dtype === undefined) return;
  for (const life of tapes.lives) yield* lifeSteps(engine, tapes, dtype, life);
}

const needed: OperatorName = "multiply";

async function* lifeSteps(
  engine: Engine,
  { releases, hooks }: TapeDescription,
  dtype: DataType,
  life: TapeLife,
): AsyncGenerator<SmokeStep, void> {
  const name = (what: string): string => `a tape that can be swept ${life} ${what}`;
  if (!engine.describe().operators.includes(needed)) {
    yield { name: name("can be tried"), outcome: { kind: "skipped", reason: `${needed} is not promised` } };
    return;
  }
  const graph = checkGraph(product);
  const loaded = graph.ok ? await engine.load(graph.value, dtype) : undefined;
  for (const [what, check] of Object.entries(hooks === true ? { ...checks, ...hookChecks } : checks)) {
    const outcome =
      loaded?.kind === "result"
        ? await check({ program: loaded.value, life, releases })
        : failed("a product was not loaded", "load answers done");
    yield { name: name(what), outcome };
  }
  if (loaded?.kind === "result") await loaded.value.unload();
}

/** Hands `body` a tape of the product. */
async function recorded(
  { program, life }: Trial,
  body: (tape: OpenTape) => Promise<Outcome>,
): Promise<Outcome> {
  const tape = await program.record?.(here, life, [last]);
  if (tape === undefined) return failed("what is loaded records no tapes", "leave tapes out of hello");
  if (tape.kind !== "result") return refusalOutcome(tape, "record answers done for a life that is promised");
  const outcome = await body(tape.value);
  await tape.value.release();
  return outcome;
}

function answered(reply: RefusableReply<readonly FlatTensor[]>, expected: readonly FlatTensor[]): Outcome {
  const means = "a sweep answers the cotangent of every input, from its own seeds alone";
  return reply.kind === "refused"
    ? failed(`refused: ${reply.reason}`, means)
    : outcomeOf(reply, expected, means);
}

/** Nothing but a refusal is right; an error will do. */
function refusedOutcome(reply: RefusableReply<readonly FlatTensor[]>): Outcome {
  if (reply.kind === "refused" || reply.kind === "error") return passed;
  const hint = "answer refused, with the reason";
  return reply.kind === "result" ? failed("it was answered", hint) : refusalOutcome(reply, hint);
}
