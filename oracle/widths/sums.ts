import type { LoopProgram } from "../../engines/compile/plan/index.ts";
import type { BoundedSum, Register } from "../../reference/numerics/index.ts";
import { present } from "../../spec/shapes/index.ts";
import type { KnownRanges } from "./code_ranges.ts";
import { hullOf, summandsOf } from "./summands.ts";
import { adds, termsOf } from "./terms.ts";

/** A sum that an instruction of a program takes, by the number of the instruction. */
export interface ProgramSum extends BoundedSum {
  readonly instruction: number;
}

/**
 * The sums of two terms or more that a program's loops take, with the number of their terms and what these lie between: folds, running sums, and scattered ones, of which what
 * they start from is a term. What a map adds is rounded at once, and what routines add inside them is not told. `livesOf` says over how many runs the register of an instruction is
 * kept. Cost: linear.
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
    const start = known({
      reads: [{ value: instruction.base, offset: 0, strides: [], indirections: [] }],
      expression: { kind: "read", read: 0 },
    })({ kind: "read", read: 0 });
    const bounds = hullOf([own.least, own.greatest, [start.low], [start.high]], register);
    return [{ instruction: number, terms, ...bounds }];
  });
}

/** One of each kind of sum: those of as many terms between the same bounds need the same words. */
export function distinct<S extends BoundedSum>(sums: readonly S[], { units }: Register): S[] {
  const keyOf = ({ terms, least, greatest }: S): string => [terms, units(least), units(greatest)].join();
  return [...Map.groupBy(sums, keyOf).values()].map(([one]) => present(one, "a sum"));
}

/** Those of some sums that no other says enough of: each has more terms, or larger ones, or may come to more than any. */
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
