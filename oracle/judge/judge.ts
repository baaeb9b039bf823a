import type { Engine } from "../../spec/contract/index.ts";
import { fitted } from "../../spec/documents/index.ts";
import { type Graph, nodeAt } from "../../spec/graph/index.ts";
import { formatIssue } from "../../spec/shapes/index.ts";
import type { CallChange, Expected } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type JudgingOptions, judgeBy, type Kind, type Posed, posedBy } from "../driver/index.ts";
import {
  ask,
  asVerdict,
  type Finding,
  type Heard,
  isErrorReply,
  type Law,
  operatorsOf,
  type Verdict,
} from "../hearing/index.ts";
import { laws as allLaws } from "../laws/index.ts";
import { shrink } from "../shrink/index.ts";
import { blame } from "./blame.ts";
import { untangle } from "./blame_calls.ts";
import { caseOfCrash, isBreakdown } from "./crash.ts";
import { explanation } from "./explained.ts";
import { trace } from "./trace.ts";

/** These options say how a case is judged. */
export interface JudgeOptions extends JudgingOptions<Verdict> {
  /** These relations are checked beside the truth; all of them by default. */
  readonly laws?: readonly Law[];
  /** These answers are right too, by a policy's choices; they fit this case only, so it is not shrunk. */
  readonly allowed?: Expected;
  /** Is told what the answers to the original case show; not if nothing was asked or time was over. */
  readonly hear?: (heard: Heard) => void;
}

/**
 * Judges one case: the truth and the engine side by side, and if they disagree, the smallest case found that
 * still does, in primitives unless the engine is right about those ({@link trace}), with the node to blame.
 * An engine's error is shrunk too, to the smallest case with that message; a crash only to one node that it
 * crashes on alone ({@link caseOfCrash}), since each costs a new process. Never rejects for what an engine
 * does. A case whose numbers do not fit its graph accuses nobody: it is `undecided`, and no engine is asked
 * ({@link judgeGiven} says what is wrong with it).
 */
export async function judge(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  const fit = fitted(question);
  if (fit.ok) return judgeFitted(engine, question, options);
  return { kind: "undecided", cause: `the case is none: ${fit.error.map(formatIssue).join("; ")}` };
}

/** Judges as {@link judge} a case that is known to fit its graph, as drawn cases do. */
export async function judgeFitted(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  return judgeBy(graphs, engine, question, options);
}

/** Poses a case that is known to fit its graph, to be judged as {@link judgeFitted} does. */
export function posedFitted(engine: Engine, question: Case, options: JudgeOptions): Posed<Verdict> {
  return posedBy(graphs, engine, question, options);
}

/** This kind of question asks engines about graphs. */
const graphs: Kind<Case, Finding, Verdict, JudgeOptions> = {
  // Enough for every graph the generator makes.
  shrinkBudget: 2000,
  graphsOf: ({ graph }) => [graph],
  async ask(engine, question, { dtype, laws = allLaws, allowed, hear }, which) {
    const besides = which === "as it came" ? { allowed, atOnce: true, hear } : {};
    const outcome = await ask(engine, question, dtype, laws, besides);
    return outcome.kind === "differs" ? outcome : asVerdict(outcome);
  },
  shrink: shrinkCalled,
  async blame(engine, wrong, { dtype, laws = allLaws }, search) {
    const untangled = await untangle(engine, wrong, dtype, needingCalls.has(wrong.question));
    if (untangled.kind === "of calls") {
      const { question: asked, finding: found, blame: blamed } = untangled;
      return { kind: "disagrees", witness: { case: asked, ...found, blame: blamed } };
    }
    const { question: single, finding: first } = untangled;
    const itself = { question: single, finding: first };
    const traced =
      search?.isOpen() === true
        ? await trace(
            itself,
            engine.describe().operators,
            (written) => ask(engine, written, dtype, laws),
            search.smallest,
          )
        : { ...itself, remarks: [] };
    if (traced === undefined) return undefined;
    const { question, finding, remarks } = traced;
    const blamed = await blame(engine, question, dtype, finding, laws);
    const why = await explanation(engine, question, dtype, finding);
    const sent = engine.sent?.(question.graph) ?? question.graph;
    const isWritten = sent !== question.graph;
    const said = isWritten ? [...remarks, writtenOut(question, sent)] : remarks;
    const sentence = [blamed.sentence, ...said, ...(why === undefined ? [] : [why])].join(" ");
    const witness = { case: question, ...finding, blame: { ...blamed, sentence } };
    return { kind: "disagrees", witness: isWritten ? { ...witness, sent } : witness };
  },
  blameHastily({ question, finding: { call: _, ...finding } }, exhausted) {
    const sentence = `The ${exhausted} was used up before a smaller case and the node to blame were found.`;
    const op = nodeAt(question.graph, finding.id)?.op;
    const part =
      finding.question === "evaluate" ? "value" : finding.question === "jvp" ? "tangent" : "cotangent";
    const witness = { case: question, ...finding, blame: { id: finding.id, op, part, sentence } } as const;
    return { kind: "disagrees", witness };
  },
  isKept: (_, { allowed }) => allowed !== undefined,
  /** An engine that does not answer the same twice is accused on the case as it came, and of that. */
  unrepeated(verdict) {
    if (verdict.kind !== "disagrees") return verdict;
    const { witness } = verdict;
    const sentence = `${witness.blame.sentence} Asked once more it is right: the answer depends on what was asked before.`;
    return { kind: "disagrees", witness: { ...witness, blame: { ...witness.blame, sentence } } };
  },
  async shrinkError(engine, question, verdict, { dtype, shrinkBudget = 0 }) {
    if (verdict.kind === "crashed" && isBreakdown(verdict))
      return { ...verdict, case: await caseOfCrash(engine, question, dtype, verdict.message) };
    if (!isErrorReply(verdict)) return undefined;
    const said = withoutNumbers(verdict.message);
    const saysTheSame = async (candidate: Case): Promise<boolean> => {
      const reply = await ask(engine, candidate, dtype, []);
      return isErrorReply(reply) && withoutNumbers(reply.message) === said;
    };
    return { ...verdict, case: await shrink(question, saysTheSame, shrinkBudget) };
  },
};

/**
 * Shrinks a case. One that is right without its calls, or without those of one change, keeps some of them: an
 * engine that remembers what it was asked before may be wrong about a smaller case for what came in the
 * search, and not in that case. Cost: beside the search, a question for each change.
 */
async function shrinkCalled(...[failing, fails, budget]: Parameters<typeof shrink>): Promise<Case> {
  const { calls, ...plain } = failing;
  if (calls === undefined || (await fails(plain))) return shrink(failing, fails, budget);
  const needed: CallChange[] = [];
  for (const change of new Set(calls.flatMap((call) => call.change ?? []))) {
    const others = calls.filter((call) => call.change !== change);
    if (others.length > 0 && !(await fails({ ...plain, calls: others }))) needed.push(change);
  }
  const isLike = ({ calls: left }: Case): boolean =>
    left !== undefined && needed.every((change) => left.some((call) => call.change === change));
  const smallest = await shrink(failing, async (smaller) => isLike(smaller) && fails(smaller), budget);
  needingCalls.add(smallest);
  return smallest;
}

/** Cases that were right without their calls before they were shrunk. */
const needingCalls = new WeakSet<Case>();

/** Names the operators of a case that were expanded in what was sent. */
function writtenOut(question: Case, sent: Graph): string {
  const left = new Set(sent.nodes.map(({ op }) => op));
  const missing = operatorsOf(question).filter((op) => !left.has(op));
  return `The engine was sent the expansion of ${missing.join(", ")}.`;
}

/** Returns an error message as it reads for any ids, shapes and numbers. */
export function withoutNumbers(message: string): string {
  return message.replaceAll(/\d+/g, "#");
}
