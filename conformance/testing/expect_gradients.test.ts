import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, mutants, plant } from "../../engines/index.ts";
import type { HandWritten } from "../../oracle/functions/index.ts";
import type { Case } from "../../oracle/index.ts";
import { type FlatTensor, graph, nodeId, present } from "../../spec/index.ts";
import { floatAt } from "../../spec/shapes/index.ts";
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

describe("expectGradients of a function written by hand", () => {
  /** Sums x · |x|, whose slope is 2 |x|. */
  const meaning = graph(({ input, parameter }) => {
    const x = input("x", [3]);
    x.multiply(x.abs())
      .multiply(parameter("w", [3]))
      .sum({ axes: [0], keepdims: false });
  });
  const environment = new Map([["w", { shape: [3], data: Float64Array.of(1, 2, 3) }]]);
  const numbers = ([tensor]: readonly FlatTensor[]): Float64Array => present(tensor, "an argument").data;
  const weights = (given: ReadonlyMap<string, FlatTensor>): Float64Array => present(given.get("w"), "w").data;
  const kernel = (slope: number): HandWritten => ({
    value: (inputs, given) => {
      const w = weights(given);
      return [numbers(inputs).reduce((sum, x, i) => sum + x * Math.abs(x) * floatAt(w, i), 0)];
    },
    vjp: (inputs, cotangents, given) => {
      const w = weights(given);
      const [bar = 0] = numbers(cotangents);
      return [numbers(inputs).map((x, i) => slope * Math.abs(x) * floatAt(w, i) * bar)];
    },
  });

  test("holds of one that is right", async () => {
    await expectGradients(kernel(2)).of(meaning, { environment });
  });

  test("fails with the point, the number and what is to blame", async () => {
    const asked = expectGradients(kernel(2.0000002)).of(meaning, { environment, name: "x · |x|", points: 5 });
    await expect(asked).rejects.toThrow(
      /^error\[wrong-derivative\]: x · \|x\| [\s\S]*given: x = [\s\S]*dL\/dx\[0\]: got [\s\S]*1 \+ 1e-7 times/,
    );
  });

  test("fails where the function overwrites what it is given, or throws", async () => {
    const overwriting: HandWritten = {
      vjp: (inputs) => {
        numbers(inputs).fill(0);
        return [numbers(inputs)];
      },
    };
    await expect(expectGradients(overwriting).of(meaning, { environment })).rejects.toThrow(
      /argument 0 was overwritten/,
    );
    const throwing: HandWritten = {
      vjp: () => {
        throw new RangeError("not today");
      },
    };
    await expect(expectGradients(throwing).of(meaning, { environment })).rejects.toThrow(
      /RangeError: not today/,
    );
    const short: HandWritten = { vjp: () => [[1, 2]] };
    await expect(expectGradients(short).of(meaning, { environment })).rejects.toThrow(
      /result 0 has not the 3\s+numbers of\s+shape \[3\]/,
    );
  });

  test("fails with a hint where the graph has no such names", async () => {
    const asked = expectGradients(kernel(2)).of(meaning, { environment, domain: { X: { low: 0 } } });
    await expect(asked).rejects.toThrow(/no "X" there.*did you mean "x"/s);
    await expect(expectGradients(kernel(2)).of(meaning)).rejects.toThrow(
      /"w" of the environment has no tensor/,
    );
    await expect(expectGradients({ value: () => [1] }).of(meaning, { environment })).rejects.toThrow(
      /no derivative/,
    );
  });
});
