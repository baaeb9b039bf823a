import type { LoopProgram } from "../../engines/compile/plan/index.ts";
import type { BoundedSum, Register } from "../../reference/numerics/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { type KnownRanges, rangeOfId } from "./code_ranges.ts";
import { hullOf, summandsOf } from "./summands.ts";
import { adds, termsOf } from "./terms.ts";

/** This is a sum that an instruction of a program takes, with the instruction's number. */
export interface ProgramSum extends BoundedSum {
  readonly instruction: number;
}

/**
 * Lists the sums of two terms or more in a program's loops, with the number and bounds of their terms: folds,
 * running sums, and scattered ones, whose start is a term. What a map adds is rounded at once, and what
 * routines add inside is left out. `livesOf` counts the runs that an instruction's register is kept over.
 * Cost: linear.
 */
export function sumsOf(
  program: LoopProgram,
  known: KnownRanges,
  register: Register,
  livesOf: (instruction: number) => number,
): ProgramSum[] {
  return program.instructions.flatMap((instruction, number): ProgramSum[] => {
    if (!adds(instruction)) return [];
    const terms = termsOf(instruction) * livesOf(number);
    if (terms < 2) return [];
    const own = summandsOf(instruction.expression, known(instruction), register);
    if (instruction.kind !== "scatter" || instruction.base === undefined)
      return [{ instruction: number, terms, ...own }];
    const start = rangeOfId(known, instruction.base);
    const bounds = hullOf([own.least, own.greatest, [start.low], [start.high]], register);
    return [{ instruction: number, terms, ...bounds }];
  });
}

/** Keeps one sum of each kind: as many terms between the same bounds need the same words. */
export function distinct<S extends BoundedSum>(sums: readonly S[], { units }: Register): S[] {
  const keyOf = ({ terms, least, greatest }: S): string => [terms, units(least), units(greatest)].join();
  return [...Map.groupBy(sums, keyOf).values()].map(([one]) => present(one, "a sum"));
}

/** Keeps the sums that no earlier one covers: one with at least as many terms, and bounds as wide. */
export function unsaidBy<S extends BoundedSum>(
  said: readonly BoundedSum[],
  sums: readonly S[],
  register: Register,
): S[] {
  const { units } = register;
  const isEnough = (one: BoundedSum, other: BoundedSum): boolean =>
    one.terms >= other.terms &&
    units(one.least) <= units(other.least) &&
    units(one.greatest) >= units(other.greatest);
  return sums.filter((sum) => !said.some((one) => isEnough(one, sum)));
}
