import { describe, expect, test } from "vitest";
import { interpreterEngine, type Mutant, mutants } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { searchedCase } from "../../oracle/generate/index.ts";
import { present } from "../../spec/index.ts";
import { withCotangents } from "./cotangents.ts";
import { measureRow, type RowOptions, type SuiteCase } from "./row.ts";

const named = (name: string): Mutant =>
  present(
    mutants.find((mutant) => mutant.name === name),
    name,
  );

const sound: Mutant = {
  name: "sound",
  fault: "None.",
  source: "",
  operator: undefined,
  engine: () => interpreterEngine(),
};

const suite: readonly SuiteCase[] = [0, 1, 2].map((index) => ({
  name: `case ${index}`,
  dtype: "float64",
  case: searchedCase(5, index),
}));

const options: RowOptions = { suite, seed: 2, cases: 90, lawCases: 30 };

describe("a row of the kill matrix", () => {
  test("is empty for a sound engine", async () => {
    const { suite: killers, random, laws, witness } = await measureRow(sound, options);
    expect(killers).toEqual({ generic: [], ones: [] });
    expect(random).toEqual({ generic: undefined, ones: undefined });
    expect(Object.values(laws).filter((count) => count !== undefined)).toEqual([]);
    expect(witness).toBeUndefined();
  });

  test("tells how a mutant was found, and how small its witness is", async () => {
    const row = await measureRow(named("operand_dropped"), options);
    expect(["vjp", "backward_dense"]).toContain(row.random.generic?.question);
    expect(row.laws.adjointness).toBeGreaterThan(0);
    expect(row.witness).toMatchObject({ nodes: 1 });
  });

  test("is the same when it is measured again", async () => {
    const mutant = named("stale_cotangents");
    expect(await measureRow(mutant, options)).toEqual(await measureRow(mutant, options));
  });

  test("has no kill by ones where the fault is to pull back ones", async () => {
    const row = await measureRow(named("seed_of_ones"), options);
    expect(row.random.generic).toBeDefined();
    expect(row.random.ones).toBeUndefined();
    expect(row.suite.generic.length).toBeGreaterThan(0);
    expect(row.suite.ones).toEqual([]);
  });
});

test("a case with ones is the same case but for the elements of its seeds, and its calls", () => {
  for (const { case: question } of suite) {
    const ones: Case = withCotangents(question, "ones");
    expect({ ...ones, seeds: [] }).toEqual({ ...question, seeds: [], calls: undefined });
    expect(ones.seeds.map(({ id }) => id)).toEqual(question.seeds.map(({ id }) => id));
    expect(ones.seeds.every(({ cotangent: { data } }) => data.every((c) => c === 1))).toBe(true);
    expect(withCotangents(question, "generic")).toBe(question);
  }
});
