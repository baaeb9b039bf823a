import type { BoundedSum, Register } from "../../../reference/numerics/index.ts";
import type { Answer } from "../obligation.ts";
import { isProved, type ProofRecord, prove } from "../prove.ts";
import { goalScript } from "../script.ts";
import type { Solver } from "../solve/index.ts";
import { addedUp, isOfSomething, sumObligations, type Theory } from "./sums.ts";

/** A misfit is a sum that does not fit, or that no solver says fits. */
export interface Misfit {
  readonly sum: BoundedSum;
  /** An answer is `refuted`, with a model, or undecided. */
  readonly answers: Readonly<Record<Theory, Answer>>;
  /** This tells what running the model in the register gave: its number of terms, and their largest codes. */
  readonly told: string | undefined;
  /** If true, the register gives a wrong answer there. */
  readonly isWrong: boolean;
}

/** This came of asking whether sums fit. */
export interface Fitting {
  /** These prove that the other sums fit, with their mutants; none where there are no others. */
  readonly records: readonly ProofRecord[];
  readonly misfits: readonly Misfit[];
  /** The solver took this many milliseconds for all questions. */
  readonly milliseconds: number;
}

/** Each question may take this many milliseconds. */
const TIMEOUT = 60_000;

/**
 * Asks whether sums fit a register, in integers and in words: all at once, and where that has a model one
 * half after the other. Misfits come with their models, which are run. Law: every other sum is proved to fit
 * in both theories, by obligations whose mutants were caught. Cost: a handful of questions, and for each
 * misfit as many as the logarithm of the number of sums.
 */
export async function fitting(
  sums: readonly BoundedSum[],
  register: Register,
  solver: Solver,
): Promise<Fitting> {
  const some = sums.filter((sum) => isOfSomething(sum, register));
  const all = await proved(some, register, solver);
  if (all.every(isProved)) return { records: all, misfits: [], milliseconds: spentOn(all) };
  const { misfits, spent } = await misfitsAmong(some, register, solver);
  const fine = some.filter((sum) => misfits.every((misfit) => misfit.sum !== sum));
  const records = await proved(fine, register, solver);
  return { records, misfits, milliseconds: spentOn(all) + spent + spentOn(records) };
}

async function proved(
  sums: readonly BoundedSum[],
  register: Register,
  solver: Solver,
): Promise<ProofRecord[]> {
  if (sums.length === 0) return [];
  const { integers, words } = sumObligations(sums, register);
  return [await prove(integers, solver), await prove(words, solver)];
}

function spentOn(records: readonly ProofRecord[]): number {
  return records
    .flatMap(({ vacuity, goal, mutants, further }) => [vacuity, goal, ...mutants, ...further])
    .reduce((sum, { reply }) => sum + reply.milliseconds, 0);
}

/** A search found these misfits at this cost. */
interface Found {
  readonly misfits: readonly Misfit[];
  readonly spent: number;
}

/** Finds the sums that are not proved to fit, by halving until one is left. */
async function misfitsAmong(sums: readonly BoundedSum[], register: Register, solver: Solver): Promise<Found> {
  const [first] = sums;
  if (first === undefined) return { misfits: [], spent: 0 };
  const obligations = sumObligations(sums, register);
  const ask = async (theory: Theory) => {
    const obligation = obligations[theory];
    const limits = { rlimit: obligation.rlimit, timeout: TIMEOUT };
    return await solver.ask({ script: goalScript(obligation), limits, seed: 0 });
  };
  const [integers, words] = [await ask("integers"), await ask("words")];
  const spent = integers.milliseconds + words.milliseconds;
  const answers = { integers: integers.answer, words: words.answer };
  if (answers.integers.kind === "proved" && answers.words.kind === "proved") return { misfits: [], spent };
  if (sums.length === 1) return { misfits: [misfitOf(first, register, answers)], spent };
  const middle = Math.ceil(sums.length / 2);
  const left = await misfitsAmong(sums.slice(0, middle), register, solver);
  const right = await misfitsAmong(sums.slice(middle), register, solver);
  return { misfits: [...left.misfits, ...right.misfits], spent: spent + left.spent + right.spent };
}

/** Runs a sum's model in the register. */
function misfitOf(sum: BoundedSum, register: Register, answers: Misfit["answers"]): Misfit {
  const { integers } = answers;
  const run = integers.kind === "refuted" ? addedUp(sum, register, integers.model) : undefined;
  return { sum, answers, told: run?.told, isWrong: run?.isRight === false };
}
