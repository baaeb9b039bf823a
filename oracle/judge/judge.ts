import type { DataType, Engine } from "../../engines/index.ts";
import type { Expected } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { laws as allLaws } from "../laws/index.ts";
import { shrink } from "../shrink.ts";
import { ask, isErrorReply, type Law } from "./ask.ts";
import { blame } from "./blame.ts";
import type { Finding } from "./finding.ts";
import type { Blame, Verdict } from "./verdict.ts";

/** How a case is judged. */
export interface JudgeOptions {
  readonly dtype: DataType;
  /** The relations checked beside the truth; all of them unless told. */
  readonly laws?: readonly Law[];
  /** How many smaller cases may be tried on a disagreement; 0 keeps the case as it is. */
  readonly shrinkBudget?: number;
  /** Whether a fault is already known well enough to save the search for a smaller case. */
  readonly isKnown?: (blame: Blame) => boolean;
  /** The same for an engine's error message. */
  readonly isKnownError?: (message: string) => boolean;
  /** Answers that are right beside the truth: a policy's choices. They are about this case, which is then not made smaller. */
  readonly allowed?: Expected;
}

/** Enough for every graph the generator makes. */
const SHRINK_BUDGET = 2000;

/**
 * The verdict on one case: the truth and the engine side by side, and if they disagree, the smallest case
 * found that still does, with the node to blame. An engine's error is shrunk too, to the smallest case with that
 * message; a crash is not, since each costs a new process. Never rejects for what an engine does.
 */
export async function judge(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  const { dtype, laws = allLaws, shrinkBudget = SHRINK_BUDGET, isKnown = () => false } = options;
  const { isKnownError = () => false, allowed } = options;
  const outcome = await ask(engine, question, dtype, laws, allowed);
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
  const accuse = async (on: Case, finding: Finding): Promise<Verdict> => ({
    kind: "disagrees",
    witness: { case: on, ...finding, blame: await blame(engine, on, dtype, finding, laws) },
  });
  const asItCame = await accuse(question, outcome.finding);
  if (asItCame.kind === "disagrees" && isKnown(asItCame.witness.blame)) return asItCame;
  if (allowed !== undefined) return asItCame;
  const stillDiffers = async (candidate: Case): Promise<boolean> =>
    (await ask(engine, candidate, dtype, laws)).kind === "differs";
  const smallest = await shrink(question, stillDiffers, shrinkBudget);
  const again = await ask(engine, smallest, dtype, laws);
  if (again.kind === "differs") return accuse(smallest, again.finding);
  return asItCame.kind === "disagrees" ? unrepeated(asItCame) : asItCame;
}

/** An engine that does not answer the same twice is accused on the case as it came, and of that. */
function unrepeated({ witness }: Verdict & { readonly kind: "disagrees" }): Verdict {
  const sentence = `${witness.blame.sentence} Asked once more it is right: the answer depends on what was asked before.`;
  return { kind: "disagrees", witness: { ...witness, blame: { ...witness.blame, sentence } } };
}

/** An error message as it reads for any ids, shapes and numbers. */
export function withoutNumbers(message: string): string {
  return message.replaceAll(/\d+/g, "#");
}
