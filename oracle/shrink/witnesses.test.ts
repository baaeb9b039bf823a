import { describe, expect, test } from "vitest";
import { interpreterEngine, type Mutant, mutants, unseenMutants } from "../../engines/index.ts";
import { leastOf, sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { searchedCase } from "../generate/index.ts";
import type { Witness } from "../hearing/verdict.ts";
import { judge } from "../judge/judge.ts";
import { differ } from "../judge/telling.test.kit.ts";
import { innerSize } from "./inner.ts";

const SEED = 1;

/** A mutant that survives so many cases is left out here, so that the test stays short. */
const PATIENCE = 120;

/** These faults need so many nodes by what they are: 24 swept and one more, nine readers, 257 levels. */
const needed = new Map([
  ["sweep_gives_up", 25],
  ["many_readers_lost", 9],
  ["sweep_stops_in_the_deep", 257],
]);

const cases: readonly Case[] = Array.from({ length: PATIENCE }, (_, index) => searchedCase(SEED, index));

/** Judges the first random case that a mutant answers wrongly. */
async function firstWitness(mutant: Mutant): Promise<Witness | undefined> {
  for (const question of cases) {
    if (!(await differ(mutant.engine(), interpreterEngine(), question))) continue;
    const verdict = await judge(mutant.engine(), question, { dtype: "float64" });
    if (verdict.kind === "disagrees") return verdict.witness;
  }
  return undefined;
}

describe("the witnesses of mutants, those that no test was written for among them", () => {
  test("have two computed nodes at most in the median, and few in any", async () => {
    const sizes: number[] = [];
    const large: string[] = [];
    const some = sampled("witnesses", [...mutants, ...unseenMutants], 20);
    for (const mutant of some) {
      const witness = await firstWitness(mutant);
      if (witness === undefined) continue;
      const { nodes } = witness.case.graph;
      sizes.push(nodes.length);
      const isLarge = nodes.length > (needed.get(mutant.name) ?? 5) || innerSize(nodes) > 12;
      if (isLarge) large.push(`${mutant.name}: ${nodes.map(({ op }) => op).join(" ")}`);
    }
    expect(large).toEqual([]);
    expect(sizes.length).toBeGreaterThan(leastOf(0.7, some.length));
    expect(sizes.toSorted((a, b) => a - b)[sizes.length >> 1]).toBeLessThanOrEqual(2);
  });
});
