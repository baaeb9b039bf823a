import type { DataType, Engine } from "../engines/index.ts";
import type { Expected } from "../spec/index.ts";
import { ask, type Law } from "./ask.ts";
import { blame } from "./blame.ts";
import type { Case } from "./case.ts";
import type { Finding } from "./finding.ts";
import { laws as allLaws } from "./laws/index.ts";
import { shrink } from "./shrink.ts";
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
  /** Answers that are right beside the truth: a policy's choices. They are about this case, which is then not made smaller. */
  readonly allowed?: Expected;
}

/** Enough for every graph the generator makes. */
const SHRINK_BUDGET = 2000;

/**
 * The verdict on one case: the truth and the engine side by side, and if they disagree, the smallest case
 * found that still does, with the node to blame. Never rejects for what an engine does.
 */
export async function judge(engine: Engine, question: Case, options: JudgeOptions): Promise<Verdict> {
  const { dtype, laws = allLaws, shrinkBudget = SHRINK_BUDGET, isKnown = () => false, allowed } = options;
  const outcome = await ask(engine, question, dtype, laws, allowed);
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
  // An engine that does not answer the same twice is accused on the case as it came.
  return again.kind === "differs" ? accuse(smallest, again.finding) : asItCame;
}
