import type { Engine, LoadedGraph, OpenTape, RefusableReply } from "../../spec/contract/index.ts";
import { graphOfStep, recordOfStep } from "../../spec/documents/index.ts";
import { type Graph, operatorsWithin, type Seed } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import {
  type Flow,
  flowOf,
  mannersIssues,
  type RecordStep,
  type SweepStep,
  type TapeCase,
} from "../../spec/tapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import {
  compareCotangentAt,
  compareCotangents,
  copied,
  type Finding,
  lentPoint,
  lentSeeds,
  type Outcome,
} from "../hearing/index.ts";
import { type Truth, truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";
import { type Answered, areSameSeeds, changed, firstOther, type Swept, type TapeFinding } from "./answers.ts";
import { type Call, type CallsOutcome, callOfRefused, handedTo, judgeCalls, noting } from "./hooks.ts";

/** Asking leads to this. */
export type TapeOutcome =
  | Exclude<Outcome, { readonly kind: "differs" }>
  | { readonly kind: "differs"; readonly finding: TapeFinding };

/**
 * Does what a tape case says, and compares each sweep's answer with the truth about its graph where the tape
 * was recorded [SEMANTICS §4.10]. The same seeds owe the same bits if the engine declares it, refusals come
 * where they must or may, and no answer changes later. What the engine is handed is overwritten once it has
 * replied, as a caller may do [SEMANTICS §4.12]. Stops at the first disagreement. Cost: loading each graph,
 * and the truth of each answered sweep.
 */
export async function askTapes(engine: Engine, question: TapeCase, dtype: DataType): Promise<TapeOutcome> {
  const lacking = lackingFor(engine, question);
  if (lacking !== undefined) return { kind: "unsupported", reason: lacking };
  const asking = new Asking(engine, question, dtype);
  try {
    return await asking.everything();
  } finally {
    await asking.close();
  }
}

/** Names what the case needs and the engine does not offer. */
function lackingFor(engine: Engine, { graphs, steps }: TapeCase): string | undefined {
  const { tapes } = engine;
  if (tapes === undefined) return "the engine has no tapes";
  if (tapes.hooks !== true && steps.some((step) => step.do === "record" && step.hooks !== undefined))
    return "the engine has no hooks";
  const { operators } = engine.describe();
  const op = graphs.flatMap(operatorsWithin).find((name) => !operators.includes(name));
  if (op !== undefined) return `the engine does not offer ${op}`;
  for (const step of steps) {
    if (step.do === "record" && !tapes.lives.includes(step.life))
      return `the engine has no tapes that can be swept ${step.life}`;
  }
  const isSweptReleased = steps.some(
    (step, i) =>
      step.do === "sweep" &&
      steps.slice(0, i).some((earlier) => earlier.do === "release" && earlier.tape === step.tape),
  );
  return isSweptReleased && !tapes.releases
    ? "the engine forgets a tape that is released, and nobody can sweep it"
    : undefined;
}

interface Begun {
  readonly index: number;
  readonly step: SweepStep;
  readonly handed: readonly Seed[];
  /** Calls of hooks are kept here as they come. */
  readonly calls: readonly Call[];
  readonly reply: Promise<RefusableReply<readonly FlatTensor[]>>;
}

type Failing = Exclude<TapeOutcome, { readonly kind: "agrees" }>;

/** This takes the steps of one case before one engine, and owns what was loaded. */
class Asking {
  readonly #engine: Engine;
  readonly #question: TapeCase;
  readonly #dtype: DataType;
  readonly #graphs = new Map<number, LoadedGraph>();
  readonly #tapes = new Map<string, OpenTape>();
  readonly #answers: Answered[] = [];
  readonly #flows = new Map<Graph, Flow>();
  #open: Failing | undefined;

  constructor(engine: Engine, question: TapeCase, dtype: DataType) {
    this.#engine = engine;
    this.#question = question;
    this.#dtype = dtype;
  }

  async everything(): Promise<TapeOutcome> {
    const { steps } = this.#question;
    for (let i = 0; i < steps.length; i++) {
      const step = at(steps, i);
      if (step.do === "release") {
        const failed = await this.#release(step.tape);
        if (failed !== undefined) return failed;
        continue;
      }
      if (step.do === "record") {
        const failed = await this.#record(step);
        if (failed !== undefined) return failed;
        continue;
      }
      const begun = [this.#begin(i, step)];
      for (let next = steps[i + 1]; next?.do === "sweep" && next.together === true; next = steps[i + 1]) {
        i += 1;
        begun.push(this.#begin(i, next));
      }
      const failed = await this.#settle(begun);
      if (failed !== undefined) return failed;
    }
    const finding = changed(this.#answers);
    return finding === undefined ? (this.#open ?? { kind: "agrees" }) : { kind: "differs", finding };
  }

  async close(): Promise<void> {
    for (const graph of this.#graphs.values()) await graph.unload();
  }

  #recordOf(step: SweepStep): RecordStep {
    return present(recordOfStep(this.#question, step), "the recording of a tape that is swept");
  }

  #tape(name: string): OpenTape {
    return present(this.#tapes.get(name), "a tape");
  }

  async #record(step: RecordStep): Promise<Failing | undefined> {
    const known = this.#graphs.get(step.graph);
    const loaded = known ?? (await this.#load(step.graph));
    if ("kind" in loaded) return loaded;
    if (loaded.record === undefined) return { kind: "unsupported", reason: "the engine has no tapes" };
    const handed = lentPoint(step.point);
    const reply = await loaded.record(handed, step.life, step.of, step.hooks);
    overwrite([...handed.inputs, ...handed.environment.values()]);
    if (reply.kind !== "result") return failingOf(reply);
    this.#tapes.set(step.tape, reply.value);
    return undefined;
  }

  async #load(place: number): Promise<LoadedGraph | Failing> {
    const loaded = await this.#engine.load(at(this.#question.graphs, place), this.#dtype);
    if (loaded.kind !== "result") return failingOf(loaded);
    this.#graphs.set(place, loaded.value);
    return loaded.value;
  }

  /** Releases a tape. Only who does not promise to release tapes may decline to. */
  async #release(name: string): Promise<Failing | undefined> {
    const reply = await this.#tape(name).release();
    if (reply.kind === "result") return undefined;
    if (reply.kind === "unsupported" && this.#engine.tapes?.releases !== true) return undefined;
    return failingOf(reply);
  }

  #begin(index: number, step: SweepStep): Begun {
    const handed = lentSeeds(step.seeds);
    const calls: Call[] = [];
    const hook = this.#recordOf(step).hooks === undefined ? undefined : noting(calls);
    return { index, step, handed, calls, reply: this.#tape(step.tape).sweep(handed, hook) };
  }

  /** Judges sweeps that were begun together, in their order, when all are answered. */
  async #settle(begun: readonly Begun[]): Promise<Failing | undefined> {
    const replies = await Promise.all(
      begun.map(async (sweep) => {
        const reply = await sweep.reply;
        const given = reply.kind === "result" ? { ...reply, value: reply.value.map(copied) } : reply;
        overwrite(sweep.handed.map(({ cotangent }) => cotangent));
        return { ...sweep, reply, given };
      }),
    );
    for (const { index, step, reply, given, calls } of replies) {
      const held = reply.kind === "result" ? reply.value : [];
      const outcome = this.#judged(index, step, given, held, calls);
      if (outcome.kind === "differs" || outcome.kind === "crashed") return outcome;
      if (outcome.kind !== "agrees") this.#open ??= outcome;
    }
    return undefined;
  }

  #judged(
    index: number,
    step: SweepStep,
    reply: RefusableReply<readonly FlatTensor[]>,
    held: readonly FlatTensor[],
    calls: readonly Call[],
  ): TapeOutcome {
    const { refuse } = step;
    const words = (answer: string, expected: string): TapeOutcome => ({
      kind: "differs",
      finding: this.#inWords(index, step, answer, expected),
    });
    switch (reply.kind) {
      case "result":
        return refuse === "must"
          ? words("an answer", "a refusal")
          : this.#compared(index, step, { given: reply.value, held, calls });
      case "refused":
        return refuse === "never"
          ? words(`refused: ${reply.reason}`, "an answer")
          : this.#calledInVain(index, step, calls);
      case "error":
        return refuse === "must"
          ? this.#calledInVain(index, step, calls)
          : { kind: "crashed", message: `error: step ${index}: ${reply.message}` };
      case "unsupported":
        return { kind: "unsupported", reason: reply.reason };
      case "crashed":
        return { kind: "crashed", message: reply.message };
    }
  }

  /** Accepts a right refusal; but a sweep that is refused before it begins must not call a hook. */
  #calledInVain(index: number, step: SweepStep, calls: readonly Call[]): TapeOutcome {
    const [call] = calls;
    if (call === undefined || !this.#isRefusedAtOnce(index, step)) return { kind: "agrees" };
    return this.#ofCalls(index, this.#caseOf(step, []), callOfRefused(call));
  }

  /** Tells if a sweep is refused before it begins, for its seeds or a released tape; not for a spent one. */
  #isRefusedAtOnce(index: number, { tape, seeds }: SweepStep): boolean {
    const { steps } = this.#question;
    const fit = { do: "sweep", tape, seeds, refuse: "never" } as const;
    const alone = steps.slice(0, index).filter((step) => step.tape === tape && step.do !== "sweep");
    return mannersIssues({ ...this.#question, steps: [...alone, fit] }).length > 0;
  }

  #compared(index: number, step: SweepStep, swept: Swept): TapeOutcome {
    const { given, calls } = swept;
    const question = this.#caseOf(step, step.seeds);
    const same = this.#answers.find(
      ({ tape, seeds }) => tape === step.tape && areSameSeeds(seeds, step.seeds),
    );
    const truth = same?.truth ?? truthOf(question, standardOf(this.#engine.describe(), this.#dtype));
    const outcome = compareCotangents({ kind: "result", value: given }, truth, question.graph.inputs.length);
    const { hooks = [] } = this.#recordOf(step);
    const inputs = question.graph.inputs.map((_, id) => nodeId(id));
    const whole = { ...swept, given: [...given, ...handedTo(hooks, calls, truth)] };
    const about = { step: index, tape: step.tape, seeds: step.seeds, ids: [...inputs, ...hooks] };
    const answered = { ...about, ...whole, truth, case: question };
    this.#answers.push(answered);
    if (outcome.kind === "differs") {
      const remark = this.#whoseIs(answered, (other) =>
        compareCotangents({ kind: "result", value: given }, other, inputs.length),
      );
      const finding: Finding = { ...outcome.finding, question: "sweep" };
      return { kind: "differs", finding: { step: index, finding, remark, case: question } };
    }
    const heard = this.#hooksCompared(answered, hooks);
    if (heard.kind === "differs") return heard;
    // Both sweeps are within their bounds; an engine that adds in any order owes no more.
    const isOwed = this.#engine.describe().repeatable === true;
    const other = same === undefined || !isOwed ? undefined : firstOther(same, whole.given);
    if (same === undefined || other === undefined) return outcome.kind === "agrees" ? heard : outcome;
    const remark = `Step ${same.step} asked for the same, and was answered otherwise.`;
    return { kind: "differs", finding: { step: index, finding: other, remark, case: question } };
  }

  #hooksCompared(answered: Answered, hooks: readonly NodeId[]): TapeOutcome {
    const { step, calls, truth, case: question } = answered;
    if (hooks.length === 0 && calls.length === 0) return { kind: "agrees" };
    const flow = this.#flows.get(question.graph) ?? flowOf(question.graph);
    this.#flows.set(question.graph, flow);
    const heard = judgeCalls(hooks, calls, truth, flow);
    if (heard.kind !== "differs" || heard.remark !== "") return this.#ofCalls(step, question, heard);
    const { id } = heard.finding;
    const call = calls.find((one) => one.id === id);
    const remark = this.#whoseIs(answered, (other) =>
      call === undefined ? heard : compareCotangentAt(id, call.given, other),
    );
    return this.#ofCalls(step, question, { ...heard, remark });
  }

  #ofCalls(step: number, question: Case, outcome: CallsOutcome): TapeOutcome {
    if (outcome.kind !== "differs") return outcome;
    const { finding, remark } = outcome;
    return { kind: "differs", finding: { step, finding, remark, case: question } };
  }

  /** Finds another sweep of the case that the answer would be right for. */
  #whoseIs({ step, case: own }: Answered, compare: (truth: Truth) => { readonly kind: string }): string {
    for (const [index, other] of this.#question.steps.entries()) {
      if (index === step || other.do !== "sweep" || other.refuse === "must") continue;
      const question = this.#caseOf(other, other.seeds);
      if (question.graph !== own.graph) continue;
      const truth = truthOf(question, standardOf(this.#engine.describe(), this.#dtype));
      if (compare(truth).kind === "agrees") return `It is what step ${index} owes.`;
    }
    return "";
  }

  #inWords(step: number, sweep: SweepStep, answer: string, expected: string): TapeFinding {
    const question = this.#caseOf(sweep, []);
    const id = sweep.seeds.find(
      ({ id }) => id < question.graph.inputs.length + question.graph.nodes.length,
    )?.id;
    const finding: Finding = {
      question: "sweep",
      id: id ?? nodeId(0),
      element: 0,
      answer,
      expected,
      bound: "0x0p+0",
    };
    return { step, finding, remark: "", case: question };
  }

  #caseOf(step: SweepStep, seeds: readonly Seed[]): Case {
    const graph = present(graphOfStep(this.#question, step), "the graph of a sweep");
    const { point } = this.#recordOf(step);
    const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
    return { graph, point, tangents, seeds };
  }
}

/** Overwrites the caller's arrays, as a caller may who uses them for something else. */
function overwrite(tensors: readonly FlatTensor[]): void {
  for (const { data } of tensors) data.fill(Number.NaN);
}

function failingOf(reply: Exclude<RefusableReply<unknown>, { readonly kind: "result" }>): Failing {
  switch (reply.kind) {
    case "unsupported":
    case "refused":
      return { kind: "unsupported", reason: reply.reason };
    case "error":
      return { kind: "crashed", message: `error: ${reply.message}` };
    case "crashed":
      return { kind: "crashed", message: reply.message };
  }
}
