import { expect, test } from "vitest";
import { type Engine, programMutants } from "../../engines/index.ts";
import { judgeProgram, taskOfVector } from "../../oracle/index.ts";
import type { ProgramVector } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { programData } from "./suite.ts";

const vectors = [...programData().values()];

/** Tells whether a vector exposes the engine; making it throw counts. */
async function isTold(engine: Engine, vector: ProgramVector): Promise<boolean> {
  const { kind } = await judgeProgram(engine, taskOfVector(vector), { dtype: "float64", shrinkBudget: 0 });
  return kind === "disagrees" || kind === "crashed";
}

test("the vectors alone tell each mutant of the engine that runs programs in place", async () => {
  const missed: string[] = [];
  for (const { name, engine } of sampled("programs", programMutants, 25)) {
    let isMissed = true;
    for (const vector of vectors) {
      if (await isTold(engine(), vector)) {
        isMissed = false;
        break;
      }
    }
    if (isMissed) missed.push(name);
  }
  expect(programMutants.length).toBeGreaterThan(100);
  expect(missed).toEqual([]);
});
