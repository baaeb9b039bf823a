import { Exhausted, whileInTime } from "../../reference/index.ts";
import type { Engine, Reply } from "../../spec/contract/index.ts";
import { type Budget, defaultBudget, overBudget } from "../../spec/graph/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { compareCotangents, type Outcome, type Verdict } from "../hearing/index.ts";
import { truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";
import { askTapes, type TapeFinding, type TapeOutcome } from "./ask.ts";
import { shrinkTapes } from "./shrink.ts";

/** How a tape case is judged. */
export interface JudgeTapesOptions {
  readonly dtype: DataType;
  /** How many smaller cases may be tried on a disagreement; 0 keeps the case as it is. */
  readonly shrinkBudget?: number;
  /** What the truth may take; a case over it is unsupported. */
  readonly budget?: Budget;
  /** Whether the time is over. */
  readonly isOver?: () => boolean;
}

/** More than a case has steps. */
const SHRINK_BUDGET = 200;

/**
 * The verdict on a tape case, sweep by sweep; on a disagreement with the fewest steps that still make one, and whether the engine is right when it is
 * asked the same without a tape. What cannot be asked is `unsupported`. Never rejects for what an engine does.
 */
export async function judgeTapes(
  engine: Engine,
  question: TapeCase,
  options: JudgeTapesOptions,
): Promise<Verdict> {
  const { budget = defaultBudget, isOver } = options;
  for (const graph of question.graphs) {
    const excess = overBudget(graph, budget);
    if (excess !== undefined)
      return { kind: "unsupported", reason: `${excess.message} Hint: ${excess.hint}` };
  }
  const whole = (): Promise<Verdict> => judgeWhole(engine, question, options);
  return (isOver === undefined ? whole() : whileInTime(isOver, whole)).catch(exhausted);
}

async function judgeWhole(
  engine: Engine,
  question: TapeCase,
  { dtype, shrinkBudget = SHRINK_BUDGET }: JudgeTapesOptions,
): Promise<Verdict> {
  const asked = (candidate: TapeCase): Promise<TapeOutcome> => askTapes(engine, candidate, dtype);
  const outcome = await asked(question);
  if (outcome.kind !== "differs") return outcome;
  const smallest = await shrinkTapes(
    question,
    async (candidate) => (await asked(candidate)).kind === "differs",
    shrinkBudget,
  );
  const last = smallest === question ? outcome : await asked(smallest);
  const wrong = last.kind === "differs" ? { script: smallest, ...last } : { script: question, ...outcome };
  const { finding, remark, step, case: own } = wrong.finding;
  const alone = await withoutTape(engine, own, dtype);
  const sentence = [sentenceOf(wrong.script, wrong.finding), remark, alone]
    .filter((part) => part !== "")
    .join(" ");
  const blame = { id: finding.id, op: undefined, part: "cotangent", sentence } as const;
  const script = { case: wrong.script, step };
  return { kind: "disagrees", witness: { ...finding, case: own, blame, script } };
}

/** Which step it is. */
function sentenceOf({ steps }: TapeCase, { step, finding }: TapeFinding): string {
  const sweep = steps[step];
  const tape = sweep?.tape ?? "";
  const earlier = steps.slice(0, step).filter((other) => other.do === "sweep" && other.tape === tape).length;
  const which = earlier === 0 ? "the first sweep" : `sweep ${earlier + 1}`;
  if (finding.question === "hook")
    return `Step ${step}, ${which} of tape ${tape}, does not call the hook of id ${finding.id} as it should.`;
  const what =
    { "a refusal": "must be refused", "an answer": "must be answered" }[finding.expected] ?? "is wrong";
  return `Step ${step}, ${which} of tape ${tape}, ${what}.`;
}

/** What the engine says of the same numbers when it keeps no tape of its user's. */
async function withoutTape(engine: Engine, question: Case, dtype: DataType): Promise<string> {
  const { modes } = engine.describe();
  if (question.seeds.length === 0 || !modes.includes("vjp")) return "";
  const reply = await pulledBack(engine, question, dtype);
  const truth = truthOf(question, standardOf(engine.describe(), dtype));
  const { kind } = compareCotangents(reply, truth, question.graph.inputs.length);
  return vjpSays[kind];
}

/** What is to be said of the answer by vjp. */
const vjpSays: { readonly [K in Outcome["kind"]]: string } = {
  agrees: "Asked by vjp, without a tape, the engine is right.",
  differs: "Asked by vjp, without a tape, the engine is wrong too: it is not the tape's fault.",
  crashed: "Asked by vjp, without a tape, the engine gives no answer: it is not the tape's fault.",
  unsupported: "",
  undecided: "",
};

async function pulledBack(
  engine: Engine,
  { graph, point, seeds }: Case,
  dtype: DataType,
): Promise<Reply<readonly FlatTensor[]>> {
  const loaded = await engine.load(graph, dtype);
  if (loaded.kind !== "result") return loaded;
  try {
    return await loaded.value.vjp(point, seeds);
  } finally {
    await loaded.value.unload();
  }
}

/** A truth that takes too much is no truth. */
function exhausted(thrown: unknown): Verdict {
  if (!(thrown instanceof Exhausted)) throw thrown;
  return { kind: "undecided", cause: `the ${thrown.what} was used up before the truth was known` };
}
