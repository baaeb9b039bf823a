import { Exhausted, whileInTime } from "../../reference/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { defaultBudget, overBudget } from "../../spec/expansion/index.ts";
import { present } from "../../spec/shapes/index.ts";
import type { Asked, Posed } from "./ahead.ts";
import type { Answered, Ended, JudgingOptions, Kind, Kinded, Search, Wrong } from "./kind.ts";
import type { SearchTime } from "./search_time.ts";

/**
 * Judges a question of any kind: asks the engine and, if the answer is wrong, looks for the smallest question
 * still answered wrongly, and for what is to blame. Never rejects for what an engine does. Cost: one
 * question; on a disagreement, as many as the search may ask.
 */
export async function judgeBy<
  Question,
  Finding,
  Verdict extends Kinded,
  Options extends JudgingOptions<Verdict>,
>(
  kind: Kind<Question, Finding, Verdict, Options>,
  engine: Engine,
  question: Question,
  options: Options,
): Promise<Verdict | Ended> {
  return (await posedBy(kind, engine, question, options).ask()).judge();
}

/** Poses a question of any kind, to be judged as {@link judgeBy} does, but asked before its turn. */
export function posedBy<Question, Finding, Verdict extends Kinded, Options extends JudgingOptions<Verdict>>(
  kind: Kind<Question, Finding, Verdict, Options>,
  engine: Engine,
  question: Question,
  options: Options,
): Posed<Verdict | Ended> {
  const { budget = defaultBudget, isOver } = options;
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    isOver === undefined ? work() : whileInTime(isOver, work);
  return {
    async ask() {
      for (const graph of kind.graphsOf(question)) {
        const excess = overBudget(graph, budget);
        if (excess === undefined) continue;
        const ended = { kind: "unsupported", reason: `${excess.message} Hint: ${excess.hint}` } as const;
        return { needs: "nothing", judge: async () => ended };
      }
      try {
        const answered = await inTime(() => kind.ask(engine, question, options, "as it came"));
        return {
          needs: needsOf(answered),
          judge: () => inTime(() => conclude(kind, engine, question, options, answered)).catch(exhausted),
        };
      } catch (thrown) {
        const ended = exhausted(thrown);
        return { needs: "lost", judge: async () => ended };
      }
    },
  };
}

function needsOf(answered: Answered<unknown, Kinded>): Asked<unknown>["needs"] {
  if ("finding" in answered) return "more";
  const { verdict, lost } = answered;
  if (lost !== undefined) return lost === "due" ? "lost while due" : "lost";
  return verdict.kind === "agrees" || verdict.kind === "undecided" ? "nothing" : "more";
}

/** Returns the verdict on a question whose truth takes too much; anything else thrown goes on. */
export function exhausted(thrown: unknown): Ended {
  if (!(thrown instanceof Exhausted)) throw thrown;
  return { kind: "undecided", cause: `the ${thrown.what} was used up before the truth was known` };
}

async function conclude<Question, Finding, Verdict extends Kinded, Options extends JudgingOptions<Verdict>>(
  kind: Kind<Question, Finding, Verdict, Options>,
  engine: Engine,
  question: Question,
  options: Options,
  asked: Answered<Finding, Verdict>,
): Promise<Verdict> {
  const { memory, shrinkBudget = kind.shrinkBudget, search } = options;
  const during: SearchTime["during"] = (work) => (search === undefined ? work() : search.during(work));
  if ("finding" in asked) {
    const wrong = { question, finding: asked.finding };
    const accused = (): Promise<Verdict> => accuse(kind, engine, wrong, { ...options, shrinkBudget });
    const verdict = await during(accused).catch((thrown) => {
      if (thrown instanceof Exhausted) return kind.blameHastily(wrong, thrown.what);
      throw thrown;
    });
    memory?.note(verdict);
    return verdict;
  }
  const isKept = shrinkBudget === 0 || memory?.isKnown(asked.verdict) === true || search?.isOpen() === false;
  const shrunk = isKept
    ? undefined
    : await during(async () =>
        kind.shrinkError?.(engine, question, asked.verdict, { ...options, shrinkBudget }),
      );
  memory?.note(shrunk ?? asked.verdict);
  return shrunk ?? asked.verdict;
}

/** Returns the verdict on a wrong answer, on the smallest question still wrong unless the fault is known. */
async function accuse<Question, Finding, Verdict extends Kinded, Options extends JudgingOptions<Verdict>>(
  kind: Kind<Question, Finding, Verdict, Options>,
  engine: Engine,
  came: Wrong<Question, Finding>,
  options: Options & { readonly shrinkBudget: number },
): Promise<Verdict> {
  const { memory } = options;
  const onWhatCame = async (): Promise<Verdict> =>
    present(await kind.blame(engine, came, options), "a verdict on the question as it came");
  if (kind.isKept?.(came, options) === true) return onWhatCame();
  const search = searchBy(kind, engine, options);
  if (memory !== undefined) {
    const first = await kind.blame(engine, came, options, { ...search, smallest: async (wrong) => wrong });
    if (first !== undefined && memory.isKnown(first)) return first;
  }
  const smallest = await search.smallest(came);
  const last = smallest && (await kind.blame(engine, smallest, options, search));
  if (last !== undefined) return last;
  const verdict = await onWhatCame();
  return kind.unrepeated?.(verdict) ?? verdict;
}

function searchBy<Question, Finding, Verdict extends Kinded, Options extends JudgingOptions<Verdict>>(
  kind: Kind<Question, Finding, Verdict, Options>,
  engine: Engine,
  options: Options & { readonly shrinkBudget: number },
): Search<Question, Finding> {
  let left = options.shrinkBudget;
  const isOpen = (): boolean => left > 0 && options.search?.isOpen() !== false;
  const smallest: Search<Question, Finding>["smallest"] = async (wrong) => {
    const fails = async (smaller: Question): Promise<boolean> => {
      left -= 1;
      if (options.search?.isOpen() === false) return false;
      return "finding" in (await kind.ask(engine, smaller, options, "another"));
    };
    const question = await kind.shrink(wrong.question, fails, isOpen() ? left : 0);
    if (question === wrong.question && kind.unrepeated === undefined) return wrong;
    const again = await kind.ask(engine, question, options, "another");
    return "finding" in again ? { question, finding: again.finding } : undefined;
  };
  return { isOpen, smallest };
}
