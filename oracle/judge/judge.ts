import { Exhausted, whileInTime } from "../../reference/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { fitted } from "../../spec/documents/index.ts";
import { type Budget, defaultBudget, type Graph, nodeAt, overBudget } from "../../spec/graph/index.ts";
import { formatIssue } from "../../spec/shapes/index.ts";
import type { DataType, Expected } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import {
  ask,
  type Heard,
  isErrorReply,
  type Law,
  type Outcome,
  operatorsOf,
  type Verdict,
  type Witness,
} from "../hearing/index.ts";
import { laws as allLaws } from "../laws/index.ts";
import { shrink } from "../shrink/index.ts";
import { blame } from "./blame.ts";
import { explanation } from "./explained.ts";
import { type Traced, trace, type Wrong } from "./trace.ts";

/** How a case is judged. */
export interface JudgeOptions {
  readonly dtype: DataType;
  /** The relations checked beside the truth; all of them unless told. */
  readonly laws?: readonly Law[];
  /** How many smaller cases may be tried on a disagreement; 0 keeps the case as it is, composites and all. */
  readonly shrinkBudget?: number;
  /** Whether a fault is already known well enough to save the search for a smaller case. */
  readonly isKnown?: (witness: Witness) => boolean;
  /** The same for an engine's error message. */
  readonly isKnownError?: (message: string) => boolean;
  /** Answers that are right beside the truth: a policy's choices. They are about this case, which is then not made smaller. */
  readonly allowed?: Expected;
  /** What the truth may take; a case over it is unsupported, and the engine is not asked. {@link defaultBudget} unless told. */
  readonly budget?: Budget;
  /** Whether the time is over. A case whose truth is not known by then is undecided; a disagreement stands as it was found. */
  readonly isOver?: () => boolean;
  /** Is told what the answers to the case, as it came, tell beside the verdict; not where nothing was asked or the time was over. */
  readonly hear?: (heard: Heard) => void;
}

/** Enough for every graph the generator makes. */
const SHRINK_BUDGET = 2000;

/**
 * Judges one case: the truth and the engine side by side, and if they disagree, the smallest case found that
 * still does, in primitives unless the engine is right about those ({@link trace}), with the node to blame.
 * An engine's error is shrunk too, to the smallest case with that message; a crash is not, since each costs a
 * new process. Never rejects for what an engine does. A case whose numbers do not fit its graph accuses
 * nobody: it is `undecided`, and no engine is asked ({@link judgeGiven} says what is wrong with it).
 */
export async function judge(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  const fit = fitted(question);
  if (fit.ok) return judgeFitted(engine, question, options);
  return { kind: "undecided", cause: `the case is none: ${fit.error.map(formatIssue).join("; ")}` };
}

/** {@link judge} of a case that is known to fit its graph, as those do that are drawn. */
export async function judgeFitted(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  const { budget = defaultBudget, isOver } = options;
  const excess = overBudget(question.graph, budget);
  if (excess !== undefined) return { kind: "unsupported", reason: `${excess.message} Hint: ${excess.hint}` };
  const whole = (): Promise<Verdict> => judgeWhole(engine, question, options);
  return (isOver === undefined ? whole() : whileInTime(isOver, whole)).catch(exhausted);
}

/** The verdict on a case whose truth takes too much; anything else that was thrown goes on. */
function exhausted(thrown: unknown): Verdict {
  if (!(thrown instanceof Exhausted)) throw thrown;
  return { kind: "undecided", cause: `the ${thrown.what} was used up before the truth was known` };
}

async function judgeWhole(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  const { dtype, laws = allLaws, shrinkBudget = SHRINK_BUDGET, allowed } = options;
  const { isKnownError = () => false } = options;
  const outcome = await ask(engine, question, dtype, laws, { allowed, atOnce: true, hear: options.hear });
  if (isErrorReply(outcome)) {
    const { message } = outcome;
    const saysTheSame = async (candidate: Case): Promise<boolean> => {
      const reply = await ask(engine, candidate, dtype, []);
      return isErrorReply(reply) && withoutNumbers(reply.message) === withoutNumbers(message);
    };
    const mayShrink = shrinkBudget > 0 && !isKnownError(message);
    return mayShrink ? { ...outcome, case: await shrink(question, saysTheSame, shrinkBudget) } : outcome;
  }
  if (outcome.kind !== "differs") return outcome;
  const asItCame: Wrong = { case: question, finding: outcome.finding };
  return disagreement(engine, asItCame, { ...options, laws, shrinkBudget }).catch((thrown) => {
    if (thrown instanceof Exhausted) return hasty(asItCame, thrown);
    throw thrown;
  });
}

/** What is wrong is known, and nothing is left to find out more. */
function hasty({ case: on, finding }: Wrong, { what }: Exhausted): Accusation {
  const sentence = `The ${what} was used up before a smaller case and the node to blame were found.`;
  const op = nodeAt(on.graph, finding.id)?.op;
  const part =
    finding.question === "evaluate" ? "value" : finding.question === "jvp" ? "tangent" : "cotangent";
  return {
    kind: "disagrees",
    witness: { case: on, ...finding, blame: { id: finding.id, op, part, sentence } },
  };
}

/** The verdict on a case that the engine has answered wrongly. */
async function disagreement(
  engine: Engine,
  asItCame: Wrong,
  options: JudgeOptions & Required<Pick<JudgeOptions, "laws" | "shrinkBudget">>,
): Promise<Verdict> {
  const { dtype, laws, shrinkBudget, isKnown, allowed } = options;
  const asked = (candidate: Case): Promise<Outcome> => ask(engine, candidate, dtype, laws);
  let left = shrinkBudget;
  const stillDiffers = async (candidate: Case): Promise<boolean> => {
    left -= 1;
    return (await asked(candidate)).kind === "differs";
  };
  const shrunk = async ({ case: on }: Wrong): Promise<Wrong | undefined> => {
    const smallest = await shrink(on, stillDiffers, left);
    const again = await asked(smallest);
    return again.kind === "differs" ? { case: smallest, finding: again.finding } : undefined;
  };
  const traced = async (wrong: Wrong, smaller: typeof shrunk): Promise<Traced | undefined> =>
    left > 0 ? trace(wrong, engine.describe().operators, asked, smaller) : { ...wrong, remarks: [] };
  const accuse = async ({ case: on, finding, remarks }: Traced): Promise<Accusation> => {
    const blamed = await blame(engine, on, dtype, finding, laws);
    const why = await explanation(engine, on, dtype, finding);
    const sent = engine.sent?.(on.graph) ?? on.graph;
    const isWritten = sent !== on.graph;
    const said = isWritten ? [...remarks, writtenOut(on, sent)] : remarks;
    const sentence = [blamed.sentence, ...said, ...(why === undefined ? [] : [why])].join(" ");
    const witness = { case: on, ...finding, blame: { ...blamed, sentence } };
    return { kind: "disagrees", witness: isWritten ? { ...witness, sent } : witness };
  };
  if (allowed !== undefined) return accuse({ ...asItCame, remarks: [] });
  if (isKnown !== undefined) {
    const written = await traced(asItCame, async (wrong) => wrong);
    const atFirst = written && (await accuse(written));
    if (atFirst && isKnown(atFirst.witness)) return atFirst;
  }
  const smallest = await shrunk(asItCame);
  const last = smallest && (await traced(smallest, shrunk));
  return last === undefined ? unrepeated(await accuse({ ...asItCame, remarks: [] })) : accuse(last);
}

/** Names the operators of a case that were expanded in what was sent. */
function writtenOut(question: Case, sent: Graph): string {
  const left = new Set(sent.nodes.map(({ op }) => op));
  const missing = operatorsOf(question).filter((op) => !left.has(op));
  return `The engine was sent the expansion of ${missing.join(", ")}.`;
}

type Accusation = Verdict & { readonly kind: "disagrees" };

/** An engine that does not answer the same twice is accused on the case as it came, and of that. */
function unrepeated({ witness }: Accusation): Verdict {
  const sentence = `${witness.blame.sentence} Asked once more it is right: the answer depends on what was asked before.`;
  return { kind: "disagrees", witness: { ...witness, blame: { ...witness.blame, sentence } } };
}

/** An error message as it reads for any ids, shapes and numbers. */
export function withoutNumbers(message: string): string {
  return message.replaceAll(/\d+/g, "#");
}
