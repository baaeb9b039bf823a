import type { BoundedSum } from "../../reference/numerics/index.ts";
import type { PlanStep } from "./plan_sums.ts";

/**
 * A stage is a program on the way from a graph to its loops: after the lowering, or after a pass. Over a
 * stage stand the statements about its sums: so many terms between such bounds fit the accumulator.
 */
export interface Stage {
  readonly name: string;
  /**
   * The statement of the stages before restricts to this one, since it covers the sums that are there now; or
   * sums are stated anew, where the pass says that it changes them; or the pass says that it keeps sums and
   * does not: there the section breaks.
   */
  readonly kind: "restricts" | "anew" | "broken";
  /** No statement before covers these. */
  readonly sums: readonly BoundedSum[];
}

/**
 * Reads the width invariant as a section over the chain of stages, whose restriction maps keep of a statement
 * what it says about the sums of the next stage: a sum is covered by one with as many terms between bounds as
 * wide. Stages of one name are told once, with the worst that happens at any. Law: if all sums of the graph
 * and of the stages told `anew` fit, all sums of every stage fit, unless one is `broken`.
 */
export function sectionOf(steps: readonly PlanStep[]): Stage[] {
  return [...Map.groupBy(steps, ({ name }) => name)].map(([name, some]): Stage => {
    const sums = some.flatMap(({ restated }) => restated);
    if (some.some(({ owed }) => owed.length > 0)) return { name, kind: "broken", sums };
    return { name, kind: sums.length > 0 ? "anew" : "restricts", sums };
  });
}
