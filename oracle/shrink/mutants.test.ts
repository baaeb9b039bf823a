import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, mutants, type Reply } from "../../engines/index.ts";
import type { FlatTensor } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { campaign, chainProfile, tensorProfile } from "../generate/index.ts";
import { shrink } from "../shrink.ts";

const seed = 2;

/** What an engine answers to every question that a case asks, each asked twice. */
async function answers(engine: Engine, { graph, point, tangents, seeds }: Case): Promise<readonly string[]> {
  const loaded = await engine.load(graph, "float64");
  if (loaded.kind !== "result") return [loaded.kind];
  const program = loaded.value;
  const replies: Reply<readonly FlatTensor[]>[] = [];
  for (let round = 0; round < 2; round++) {
    replies.push(await program.evaluate(point));
    replies.push(await program.jvp(point, tangents));
    replies.push(await program.vjp(point, seeds));
    replies.push(await program.backwardDense(point, seeds));
  }
  await program.unload();
  return replies.map((reply) =>
    reply.kind === "result"
      ? reply.value.map(({ data }) => data.map((x) => x + 0).join()).join(";")
      : reply.kind,
  );
}

/** Whether two engines answer a case differently, up to the sign of zeros. */
async function differ(a: Engine, b: Engine, question: Case): Promise<boolean> {
  const [left, right] = [await answers(a, question), await answers(b, question)];
  return left.some((answer, i) => answer !== right[i]);
}

/** The first case of a campaign on which two engines differ. */
async function firstDifference(a: Engine, b: Engine, count: number): Promise<Case | undefined> {
  for (const question of campaign(tensorProfile, seed, count)) {
    if (await differ(a, b, question)) return question;
  }
  return undefined;
}

describe.each([...mutants])("the mutant $name", ({ engine }) => {
  test("is caught within 500 cases and shrunk to at most 3 nodes", async () => {
    const [mutant, sound] = [engine(), interpreterEngine()];
    const caught = await firstDifference(mutant, sound, 500);
    if (caught === undefined) throw new Error("the mutant survived");
    const smallest = await shrink(caught, (candidate) => differ(mutant, sound, candidate), 2000);
    expect(await differ(mutant, sound, smallest)).toBe(true);
    expect(smallest.graph.nodes.length).toBeLessThanOrEqual(3);
  });
});

test("a fault that needs two seeds is shrunk from chains of over 100 nodes within 2000 judgements", async () => {
  const fault = mutants.find(({ name }) => name === "seed_overwritten");
  if (fault === undefined) throw new Error("no such mutant");
  const [mutant, sound] = [fault.engine(), interpreterEngine()];
  let shrunk = 0;
  for (const question of campaign(chainProfile, 10, 20)) {
    if (!(await differ(mutant, sound, question))) continue;
    const smallest = await shrink(question, (candidate) => differ(mutant, sound, candidate), 2000);
    expect(smallest.graph.nodes).toHaveLength(1);
    shrunk++;
  }
  expect(shrunk).toBeGreaterThan(1);
}, 30_000);

test("an engine is not told from itself", async () => {
  expect(await firstDifference(interpreterEngine(), interpreterEngine(), 500)).toBeUndefined();
});
