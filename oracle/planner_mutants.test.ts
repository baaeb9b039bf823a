import { describe, expect, test } from "vitest";
import { wasmPlanMutants } from "../engines/compile/mutants/wasm.ts";
import { allows, rewrites } from "../engines/compile/plan/rewrite.ts";
import { type Engine, interpreterEngine, type PlanMutant, planMutants } from "../engines/index.ts";
import { present } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { agreeToTheBit } from "./bits.test.kit.ts";
import type { Case } from "./case/case.ts";
import { caseAt, restrict } from "./index.ts";
import { judge } from "./judge/judge.ts";
import { casesOf } from "./planner_mutants.test.cases.ts";

const mutants: readonly PlanMutant[] = [...planMutants, ...wasmPlanMutants];

/** A mutant survives that this many random cases do not tell from a right engine. */
const mostCases = 300;
const seed = 20261122;

/** Judges an engine on one case by the truth, or by the reference's bits where it owes those. */
async function verdictOn(engine: Engine, question: Case, { regime }: PlanMutant): Promise<string> {
  if (regime === "fast") {
    return (await judge(engine, question, { dtype: "float64", laws: [], shrinkBudget: 0 })).kind;
  }
  const isSame = await agreeToTheBit(engine, interpreterEngine(), question, "float64");
  return isSame ? "agrees" : "disagrees";
}

/** Lists the verdicts on a mutant up to the first against it, with those on the sound engine. */
async function campaignUntilKilled(
  mutant: PlanMutant,
): Promise<{ readonly wrong: readonly string[]; readonly sound: readonly string[] }> {
  const [engine, right] = [mutant.engine(), mutant.sound()];
  const profile = restrict(present(casesOf.get(mutant.name), mutant.name), engine.describe().operators);
  const wrong: string[] = [];
  const sound: string[] = [];
  for (let index = 0; index < mostCases && wrong.every(isInFavour); index++) {
    const question = caseAt(profile, seed, index);
    wrong.push(await verdictOn(engine, question, mutant));
    sound.push(await verdictOn(right, question, mutant));
  }
  return { wrong, sound };
}

function isInFavour(verdict: string): boolean {
  return verdict !== "disagrees" && verdict !== "crashed";
}

test.each(
  sampled("planner", mutants, 8),
)(`$name, an unsound $rewrite, gives a wrong answer within ${mostCases} random cases, on which the sound engine gives none`, async (mutant) => {
  const { wrong, sound } = await campaignUntilKilled(mutant);
  expect(wrong.at(-1)).toBe("disagrees");
  expect(sound.filter((verdict) => !isInFavour(verdict))).toEqual([]);
  expect(sound).toContain("agrees");
});

describe.each(mutants)("$name, an unsound $rewrite", (mutant) => {
  test("says what is wrong in one sentence, and in its description that it is a mutant", () => {
    expect(mutant.fault).toMatch(/^[A-Z][^.!?]*\.$/);
    expect(mutant.engine().describe()).toEqual({
      ...mutant.sound().describe(),
      name: `mutant: ${mutant.name}`,
    });
    expect(allows(mutant.regime, mutant.rewrite)).toBe(true);
  });
});

test("every rewrite has a mutant, and no two mutants share a name or a fault", () => {
  expect(new Set(mutants.map(({ rewrite }) => rewrite))).toEqual(new Set(Object.keys(rewrites)));
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  expect(new Set(mutants.map(({ fault }) => fault)).size).toBe(mutants.length);
  expect(new Set(casesOf.keys())).toEqual(new Set(mutants.map(({ name }) => name)));
});
