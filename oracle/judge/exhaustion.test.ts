import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, mutants } from "../../engines/index.ts";
import { Arena } from "../../reference/numerics/index.ts";
import { Exhausted, step, whileInTime } from "../../reference/package.ts";
import { graph, nodeId, present } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { caseAt, tensorProfile } from "../generate/index.ts";
import { posedCases } from "./campaign.ts";
import { judge } from "./judge.ts";
import { emptyTally, tallied } from "./tally.ts";

const scalar = (x: number) => ({ shape: [], data: Float64Array.of(x) });

/** Repeats x so often, and sums it. */
function repeated(count: number): Case {
  const written = graph(({ input }) => {
    input("x", [])
      .broadcast_to({ shape: [count] })
      .sum({ axes: [0], keepdims: false });
  });
  const point = { inputs: [scalar(3)], environment: new Map() };
  return { graph: written, point, tangents: [scalar(1)], seeds: [{ id: nodeId(2), cotangent: scalar(1) }] };
}

/** Makes an engine count what is loaded into it. */
function counting(engine: Engine): { readonly engine: Engine; readonly loads: () => number } {
  const count = { loads: 0 };
  const load: Engine["load"] = (...asked) => {
    count.loads += 1;
    return engine.load(...asked);
  };
  const asked: Engine = {
    describe: () => engine.describe(),
    load,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
  return { engine: asked, loads: () => count.loads };
}

describe("a case over the budget", () => {
  test("is unsupported, and the engine is not asked", async () => {
    const { engine, loads } = counting(interpreterEngine());
    const small = { elements: 100, work: 1000 };
    expect(await judge(engine, repeated(98), { dtype: "float64", budget: small })).toEqual({
      kind: "agrees",
    });
    const before = loads();
    expect(await judge(engine, repeated(99), { dtype: "float64", budget: small })).toMatchObject({
      kind: "unsupported",
      reason: expect.stringContaining("--max-elements"),
    });
    expect(await judge(engine, repeated(2 ** 27 - 1), { dtype: "float64" })).toMatchObject({
      kind: "unsupported",
    });
    expect(loads()).toBe(before);
  });

  test("is charged to nobody, and nothing of it is evaluated", async () => {
    const { engine, loads } = counting(interpreterEngine());
    const large = repeated(2 ** 27 - 1);
    const judged = await (await posedCases(engine, "float64")(large, {}).ask()).judge();
    expect(loads()).toBe(0);
    expect(judged.refusal).toEqual({ operators: [], modes: [] });
    const tally = tallied(emptyTally, judged, 0);
    expect([tally.counts.unsupported, tally.foreign, tally.promises.size]).toEqual([1, 0, 0]);
  });
});

describe("a case whose time is over", () => {
  const dtype = "float64";

  test("is undecided, and the evaluation ends where it is", async () => {
    const looks = { left: 5 };
    const isOver = (): boolean => {
      looks.left -= 1;
      return looks.left <= 0;
    };
    expect(await judge(interpreterEngine(), repeated(50_000), { dtype, isOver })).toEqual({
      kind: "undecided",
      cause: "the time was used up before the truth was known",
    });
    // Nothing went on, so it looks at most once more than when it was over.
    expect(looks.left).toBeGreaterThanOrEqual(-1);
  });

  test("is judged as ever where the time suffices", async () => {
    expect(await judge(interpreterEngine(), repeated(500), { dtype, isOver: () => false })).toEqual({
      kind: "agrees",
    });
  });

  test("convicts whom it has found wrong, though nothing smaller was looked for", async () => {
    const mutant = present(
      mutants.find(({ name }) => name === "fan_out_overwritten"),
      "a mutant",
    );
    for (let index = 0; index < 200; index++) {
      const question = caseAt(tensorProfile, 1, index);
      const whole = await judge(mutant.engine(), question, { dtype });
      if (whole.kind !== "disagrees") continue;
      const { engine, loads } = counting(mutant.engine());
      const hasty = await judge(engine, question, { dtype, isOver: () => loads() > 1 });
      if (hasty.kind === "disagrees" && hasty.witness.blame.sentence.startsWith("The time was used up")) {
        expect(hasty.witness.case).toBe(question);
        return;
      }
    }
    expect.fail("no case of 200 was found wrong and interrupted");
  });
});

describe("the clock", () => {
  test("is nobody's outside the work that was given a time", async () => {
    const isOver = (): boolean => true;
    const long = async (): Promise<void> => {
      await null;
      for (let i = 0; i < 10_000; i++) step();
    };
    const timed = whileInTime(isOver, long);
    await expect(long()).resolves.toBeUndefined();
    await expect(timed).rejects.toThrow(Exhausted);
  });
});

describe("MPFR's memory", () => {
  test("ends with an exception and not with the process, and is there again afterwards", () => {
    const fill = (): void => {
      using arena = new Arena(128, 10_000);
      for (let i = 0; i < 10_000; i++) arena.fresh();
    };
    for (let round = 0; round < 3; round++) expect(fill).toThrow(Exhausted);
  });
});
