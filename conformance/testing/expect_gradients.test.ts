import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, mutants, plant } from "../../engines/index.ts";
import type { Case } from "../../oracle/index.ts";
import { type FlatTensor, graph, nodeId, present } from "../../spec/index.ts";
import { caseArbitrary, expectGradients, GradientError, mix } from "./index.ts";

const mutant = present(
  mutants.find(({ name }) => name === "sin_slope_at_result"),
  "a mutant",
);
const wrong: Engine = plant(mutant, interpreterEngine());
const pair = (x: number, y: number): FlatTensor => ({ shape: [2], data: Float64Array.of(x, y) });
const asksSin: Case = {
  graph: graph(({ input }) => {
    input("x", [2]).sin();
  }),
  point: { inputs: [pair(0.5, 2)], environment: new Map() },
  tangents: [pair(1, -3)],
  seeds: [{ id: nodeId(1), cotangent: pair(2, 5) }],
};

describe("expectGradients", () => {
  test("holds of an engine that is right", async () => {
    await expectGradients(interpreterEngine()).toAgree({ cases: 40 });
    await expectGradients(interpreterEngine()).toAgreeOn(asksSin);
  });

  test("fails with the witness of an engine that is wrong", async () => {
    const error: unknown = await expectGradients(wrong)
      .toAgree({ cases: 200 })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GradientError);
    expect(String(error)).toMatch(
      /^GradientError: .*float64, case \d+ of profile mix, seed 1: disagrees\n[\s\S]*= sin\([\s\S]*node \d+ \(sin\)/,
    );
  });

  test("fails on one case that is wrong", async () => {
    const asked = expectGradients(wrong).toAgreeOn(asksSin);
    await expect(asked).rejects.toThrow(/\(sin\)/);
  });

  test("fails on a declined case, which a property may skip", async () => {
    const inner = interpreterEngine();
    const declining: Engine = {
      ...inner,
      describe: () => ({ ...inner.describe(), operators: [] }),
      load: (...asked) => inner.load(...asked),
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
    };
    const question = asksSin;
    await expect(expectGradients(declining).toAgreeOn(question)).rejects.toThrow(/declined/);
    expect((await expectGradients(declining).notToDisagreeOn(question)).kind).toBe("unsupported");
  });

  test("fails for an engine that answers nothing", async () => {
    const inner = interpreterEngine();
    const silent: Engine = {
      describe: () => inner.describe(),
      load: async () => ({ kind: "unsupported", reason: "not today" }),
      [Symbol.asyncDispose]: async () => {},
    };
    await expect(expectGradients(silent).toAgree({ cases: 30 })).rejects.toThrow(/ 0\/30 /);
  });

  test("in a property of fast-check prints the witness of the smallest case", async () => {
    const property = fc.asyncProperty(caseArbitrary(mix), async (question) => {
      await expectGradients(wrong).notToDisagreeOn(question);
    });
    await expect(fc.assert(property, { seed: 2, numRuns: 300 })).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/node \d+ \(sin\)/) }),
    });
  });
});
