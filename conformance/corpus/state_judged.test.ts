import { describe, expect, test } from "vitest";
import type { Engine } from "../../engines/index.ts";
import { judgeProgram, type ProgramVerdict, taskOfVector } from "../../oracle/index.ts";
import { executingEngine } from "../../oracle/programs/executing_engine.test.kit.ts";
import { plantedMachines } from "../../oracle/programs/machines.test.data.ts";
import type { ProgramVector } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { programData } from "./suite.ts";

const vectors = [...programData().values()];

function verdictOn(engine: Engine, vector: ProgramVector): Promise<ProgramVerdict> {
  return judgeProgram(engine, taskOfVector(vector), { dtype: "float64", shrinkBudget: 0 });
}

/** Returns the first vectors that expose an engine, so many at most. */
async function toldBy(engine: Engine, most: number): Promise<string[]> {
  const told: string[] = [];
  for (const vector of vectors) {
    if (told.length === most) break;
    if ((await verdictOn(engine, vector)).kind === "disagrees") told.push(vector.name);
  }
  return told;
}

describe("an engine that runs programs", () => {
  test.each(
    sampled("policies", ["copy", "recompute"] as const, 1),
  )("agrees on every vector where it can %s", async (policy) => {
    const engine = executingEngine({ policy });
    for (const vector of vectors) {
      const { kind } = await verdictOn(engine, vector);
      expect([vector.name, kind]).toEqual([vector.name, "agrees"]);
    }
  });

  test.each([
    "forbid",
    "version",
  ] as const)("may %s, and does so where a vector allows it alone", async (policy) => {
    const engine = executingEngine({ policy });
    let refused = 0;
    for (const vector of vectors) {
      const { kind } = await verdictOn(engine, vector);
      const allowed = vector.refuse === "may" ? ["refused", "agrees"] : ["agrees"];
      expect([vector.name, allowed]).toEqual([vector.name, expect.arrayContaining([kind])]);
      refused += kind === "refused" ? 1 : 0;
    }
    expect(refused).toBeGreaterThan(50);
  });

  test("is told where it answers what must be refused, and where it refuses what must be answered", async () => {
    const honest = executingEngine();
    for (const vector of vectors) {
      if (vector.refuse !== "must") continue;
      const { case: first, calls } = vector;
      const task = { case: first, calls, refuse: "never" } as const;
      const verdict = await judgeProgram(honest, task, { dtype: "float64", shrinkBudget: 0 });
      expect([vector.name, verdict.kind]).not.toEqual([vector.name, "agrees"]);
    }
    const careful = executingEngine({ policy: "forbid" });
    const square = vectors.find(({ name }) => name === "square_in_place");
    expect(square && (await verdictOn(careful, { ...square, refuse: "never" })).kind).toBe("disagrees");
  });

  test("that reads what it saved where it lay is told by forty vectors at least", async () => {
    expect(await toldBy(executingEngine({ policy: "none" }), 40)).toHaveLength(40);
  });

  test.each(Object.entries(plantedMachines))("with a machine where %s is told", async (_, machine) => {
    expect(await toldBy(executingEngine({ machine }), 1)).toHaveLength(1);
  });
});
