import { Exhausted } from "../../reference/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { ProgramCase } from "../../spec/documents/index.ts";
import { operatorsOfProgram, type Program } from "../../spec/programs/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { askProgram, type ProgramOutcome, type ProgramTask } from "./ask.ts";
import { blameProgram, type ProgramBlame } from "./blame.ts";
import { overwrites } from "./refusing.ts";
import { shrinkCase } from "./shrink_case.ts";

/** Everything needed to see a disagreement about a program again: the finding, the case, the statement to blame. */
export interface ProgramWitness extends ProgramFinding {
  readonly case: ProgramCase;
  /** What the engine was sent in place of the case's program, where composites that it lacks were written out. */
  readonly sent?: Program;
  readonly blame: ProgramBlame;
}

/** The outcome of one program. A refusal that may be accuses nobody: whether it was needed is told beside it. */
export type ProgramVerdict =
  | Exclude<ProgramOutcome, { readonly kind: "differs" | "refused" }>
  | { readonly kind: "refused"; readonly reason: string; readonly isNeeded: boolean }
  | { readonly kind: "disagrees"; readonly witness: ProgramWitness };

/** How a program is judged. */
export interface JudgeProgramOptions {
  readonly dtype: DataType;
  /** How many smaller cases may be tried on a disagreement; 0 keeps the case as it is. */
  readonly shrinkBudget?: number;
  /** Whether a disagreement is known well enough to save the search for a smaller case. */
  readonly isKnown?: (finding: ProgramFinding) => boolean;
}

const SHRINK_BUDGET = 600;

/**
 * The verdict on a program by an engine that runs programs: all that its calls leave and the derivatives, beside the truth about the graphs of the runs
 * [SEMANTICS §10.4], and on a disagreement the smallest case found that still is one, with the statement to blame. A task with a will of its own about refusals is
 * kept as it is. Never rejects for what an engine does. Cost: a call of the engine for each call and mode, and the truth about a graph for each call.
 */
export async function judgeProgram(
  engine: Engine,
  task: ProgramTask,
  { dtype, shrinkBudget = SHRINK_BUDGET, isKnown = () => false }: JudgeProgramOptions,
): Promise<ProgramVerdict> {
  const asked = (candidate: ProgramTask): Promise<ProgramOutcome> =>
    askProgram(engine, candidate, dtype).catch(exhausted);
  const outcome = await asked(task);
  if (outcome.kind === "refused") return { ...outcome, isNeeded: overwrites(task.case) };
  if (outcome.kind !== "differs") return outcome;
  const { finding } = outcome;
  const isKept = task.refuse !== undefined || isKnown(finding);
  const smallest = await shrinkCase(
    task.case,
    async (candidate) => (await asked(withCase(task, candidate))).kind === "differs",
    isKept ? 0 : shrinkBudget,
  );
  const smaller = withCase(task, smallest);
  const last = smallest === task.case ? outcome : await asked(smaller);
  const wrong = last.kind === "differs" ? { task: smaller, ...last } : { task, finding };
  const blame = await blameProgram(engine, wrong.task, wrong.finding, dtype);
  const question = wrong.task.case;
  const witness = { ...wrong.finding, case: question, blame };
  const sent = engine.programs?.sent?.(question.program) ?? question.program;
  if (sent === question.program) return { kind: "disagrees", witness };
  const sentence = `${blame.sentence} ${writtenOut(question.program, sent)}`;
  return { kind: "disagrees", witness: { ...witness, sent, blame: { ...blame, sentence } } };
}

/** Which operators of a program were written out in what was sent. */
function writtenOut(program: Program, sent: Program): string {
  const left = operatorsOfProgram(sent);
  const missing = operatorsOfProgram(program).filter((op) => !left.includes(op));
  return `The engine was sent the expansion of ${missing.join(", ")}.`;
}

/** The task about another case: what belongs to inputs that are gone goes too. */
function withCase(task: ProgramTask, candidate: ProgramCase): ProgramTask {
  if (candidate === task.case) return task;
  const isSame = candidate.point.inputs.length === task.case.point.inputs.length;
  const { tangents, ...rest } = task;
  if (isSame) return { ...task, case: candidate };
  const { parameters } = candidate.program.procedures[0] ?? { parameters: [] };
  const call = {
    parameters: candidate.point.inputs.slice(0, parameters.length),
    received: candidate.received,
    seeds: [],
  };
  return { ...rest, case: candidate, calls: task.calls.map(() => call) };
}

/** A truth that takes too much is no truth. */
function exhausted(thrown: unknown): ProgramOutcome {
  if (!(thrown instanceof Exhausted)) throw thrown;
  return { kind: "undecided", cause: `the ${thrown.what} was used up before the truth was known` };
}
