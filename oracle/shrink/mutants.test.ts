import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, mutants } from "../../engines/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { campaign, chainProfile, tensorProfile } from "../generate/index.ts";
import { differ, tellingCase } from "../judge/telling.test.kit.ts";
import { shrink } from "./shrink.ts";

const seed = 2;

/** Finds the first case of a campaign on which two engines differ. */
async function firstDifference(a: Engine, b: Engine, count: number): Promise<Case | undefined> {
  for (const question of campaign(tensorProfile, seed, count)) {
    if (await differ(a, b, question)) return question;
  }
  return undefined;
}

/** These faults show only in graphs of more than three nodes. */
const wide = new Map([["sweep_gives_up", 25]]);

/** Every fourth mutant is enough, since the judge's own test shrinks a case of each. */
const some = mutants.filter(({ name }, n) => n % 4 === 0 || wide.has(name));

describe.each(sampled("shrunk", some, 15))("the mutant $name", (mutant) => {
  test("differs from the interpreter within 10000 cases, mostly in a case of at most 3 nodes", async () => {
    const [wrong, sound] = [mutant.engine(), interpreterEngine()];
    const isWide = wide.has(mutant.name);
    const caught = await tellingCase(
      mutant,
      "short",
      async ({ graph }) => isWide || graph.nodes.length < 100,
    );
    const smallest = await shrink(caught, (candidate) => differ(wrong, sound, candidate), 2000);
    expect(await differ(wrong, sound, smallest)).toBe(true);
    expect(smallest.graph.nodes.length).toBeLessThanOrEqual(wide.get(mutant.name) ?? 3);
  });
});

test("a fault that needs two seeds is shrunk from chains of over 100 nodes within 2000 judgements", async () => {
  const fault = mutants.find(({ name }) => name === "seed_overwritten");
  if (fault === undefined) throw new Error("no such mutant");
  const [mutant, sound] = [fault.engine(), interpreterEngine()];
  let shrunk = 0;
  for (const question of campaign(chainProfile, 10, 20)) {
    if (!(await differ(mutant, sound, question))) continue;
    expect(question.graph.nodes.length).toBeGreaterThan(100);
    const smallest = await shrink(question, (candidate) => differ(mutant, sound, candidate), 2000);
    expect(smallest.graph.nodes).toHaveLength(1);
    shrunk++;
    if (shrunk === 3) return;
  }
  expect.fail(`only ${shrunk} chains show it`);
});

test("an engine does not differ from itself", async () => {
  expect(await firstDifference(interpreterEngine(), interpreterEngine(), 500)).toBeUndefined();
});
