import type { Engine, Reply } from "../../spec/contract/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type JudgingOptions, judgeBy, type Kind, type Posed, posedBy } from "../driver/index.ts";
import { asVerdict, compareCotangents, type Outcome, type Verdict } from "../hearing/index.ts";
import { truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";
import type { TapeFinding } from "./answers.ts";
import { askTapes } from "./ask.ts";
import { shrinkTapes } from "./shrink.ts";

/** These options say how a tape case is judged. */
export type JudgeTapesOptions = JudgingOptions<Verdict>;

/**
 * Judges a tape case, sweep by sweep; a disagreement has the fewest steps, and says if the engine is right
 * without a tape. What cannot be asked is `unsupported`. Never rejects for what an engine does.
 */
export async function judgeTapes(
  engine: Engine,
  question: TapeCase,
  options: JudgeTapesOptions,
): Promise<Verdict> {
  return judgeBy(scripts, engine, question, options);
}

/** Poses a tape case, to be judged as {@link judgeTapes} does. */
export function posedTapes(engine: Engine, question: TapeCase, options: JudgeTapesOptions): Posed<Verdict> {
  return posedBy(scripts, engine, question, options);
}

/** This kind of question asks engines to follow scripts for tapes. */
const scripts: Kind<TapeCase, TapeFinding, Verdict, JudgeTapesOptions> = {
  // More than a case has steps.
  shrinkBudget: 200,
  graphsOf: ({ graphs }) => graphs,
  async ask(engine, question, { dtype }) {
    const outcome = await askTapes(engine, question, dtype);
    return outcome.kind === "differs" ? outcome : asVerdict(outcome);
  },
  shrink: shrinkTapes,
  async blame(engine, { question, finding }, { dtype }) {
    const alone = await withoutTape(engine, finding.case, dtype);
    return accusation(question, finding, [finding.remark, alone]);
  },
  blameHastily: ({ question, finding }) => accusation(question, finding, [finding.remark]),
};

function accusation(script: TapeCase, wrong: TapeFinding, remarks: readonly string[]): Verdict {
  const { finding, step, case: own } = wrong;
  const sentence = [sentenceOf(script, wrong), ...remarks].filter((part) => part !== "").join(" ");
  const blame = { id: finding.id, op: undefined, part: "cotangent", sentence } as const;
  return { kind: "disagrees", witness: { ...finding, case: own, blame, script: { case: script, step } } };
}

/** Says in a sentence which step is wrong. */
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

/** Says whether the engine is right about the same numbers without a tape. */
async function withoutTape(engine: Engine, question: Case, dtype: DataType): Promise<string> {
  const { modes } = engine.describe();
  if (question.seeds.length === 0 || !modes.includes("vjp")) return "";
  const reply = await pulledBack(engine, question, dtype);
  const truth = truthOf(question, standardOf(engine.describe(), dtype));
  const { kind } = compareCotangents(reply, truth, question.graph.inputs.length);
  return vjpSays[kind];
}

/** These sentences tell of the answer by vjp. */
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
