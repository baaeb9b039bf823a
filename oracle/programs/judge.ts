import type { Engine } from "../../engines/index.ts";
import { Exhausted } from "../../reference/index.ts";
import type { ProgramCase } from "../../spec/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { type AskOptions, askProgram, type ProgramOutcome } from "./ask.ts";
import { blameProgram, type ProgramBlame } from "./blame.ts";
import { overwrites } from "./refusing.ts";
import { shrinkCase } from "./shrink_case.ts";

/** Everything needed to see a disagreement about a program again: the finding, the case, the statement to blame. */
export interface ProgramWitness extends ProgramFinding {
  readonly case: ProgramCase;
  readonly blame: ProgramBlame;
}

/** The outcome of one program. A refusal accuses nobody: whether it was needed is told beside it. */
export type ProgramVerdict =
  | Exclude<ProgramOutcome, { readonly kind: "differs" | "refused" }>
  | { readonly kind: "refused"; readonly reason: string; readonly isNeeded: boolean }
  | { readonly kind: "disagrees"; readonly witness: ProgramWitness };

/** How a program is judged. */
export interface JudgeProgramOptions extends AskOptions {
  /** How many smaller cases may be tried on a disagreement; 0 keeps the case as it is. */
  readonly shrinkBudget?: number;
  /** Whether a disagreement is known well enough to save the search for a smaller case. */
  readonly isKnown?: (finding: ProgramFinding) => boolean;
}

const SHRINK_BUDGET = 600;

/**
 * The verdict on one call of a program by an engine that runs programs: all that it leaves and its derivatives beside the truth about the graph of the run
 * [SEMANTICS §10.4], and on a disagreement the smallest case found that still is one, with the statement to blame. Never rejects for what an
 * engine does. Cost: four calls of the engine and the truth about two graphs.
 */
export async function judgeProgram(
  engine: Engine,
  question: ProgramCase,
  options: JudgeProgramOptions,
): Promise<ProgramVerdict> {
  const { shrinkBudget = SHRINK_BUDGET, isKnown = () => false } = options;
  const outcome = await asked(engine, question, options);
  if (outcome.kind === "refused") return { ...outcome, isNeeded: overwrites(question) };
  if (outcome.kind !== "differs") return outcome;
  const budget = isKnown(outcome.finding) ? 0 : shrinkBudget;
  const smaller = await shrinkCase(
    question,
    async (candidate) =>
      (await asked(engine, candidate, withoutTangents(options, question, candidate))).kind === "differs",
    budget,
  );
  const along = withoutTangents(options, question, smaller);
  const last = smaller === question ? outcome : await asked(engine, smaller, along);
  const [on, finding] = last.kind === "differs" ? [smaller, last.finding] : [question, outcome.finding];
  const blame = await blameProgram(engine, on, finding, on === question ? options : along);
  return { kind: "disagrees", witness: { ...finding, case: on, blame } };
}

/** Tangents belong to inputs: a case with fewer of them is asked along ones. */
function withoutTangents(options: AskOptions, question: ProgramCase, candidate: ProgramCase): AskOptions {
  if (candidate.point.inputs.length === question.point.inputs.length) return options;
  return { dtype: options.dtype };
}

/** A truth that takes too much is no truth. */
async function asked(engine: Engine, question: ProgramCase, options: AskOptions): Promise<ProgramOutcome> {
  try {
    return await askProgram(engine, question, options);
  } catch (thrown) {
    if (!(thrown instanceof Exhausted)) throw thrown;
    return { kind: "undecided", cause: `the ${thrown.what} was used up before the truth was known` };
  }
}
