import { describe, expect, test } from "vitest";
import { at } from "../../../spec/index.ts";
import { float64 } from "../../algebras/float.ts";
import { afterCalls, pathOf, q, texts, times } from "./calls.test.kit.ts";
import {
  byGradientDescent,
  constantRate,
  cosine,
  scheduleProgram,
  stepDecay,
  training,
  warmUp,
} from "./index.ts";

const rate = q(1, 4);
const momentum = q(2, 3);
const zero = q(0);

describe("schedules", () => {
  const steps = [0, 1, 2, 3, 4, 5, 6, 7];

  test("a constant rate stays", () => {
    expect(pathOf(scheduleProgram(constantRate), {}, [{ rate: [rate] }], "result")).toEqual(["1/4"]);
  });

  test("a step decay is η γ^⌊t / n⌋, to equality", () => {
    const calls = steps.map(() => ({ rate: [rate], every: [q(3)], factor: [momentum] }));
    const powers = [q(1), momentum, times(momentum, momentum)];
    expect(pathOf(scheduleProgram(stepDecay), {}, calls, "result")).toEqual(
      steps.map((t) => texts(times(rate, at(powers, Math.floor(t / 3))))),
    );
  });

  test("a warm-up begins at 0 or one step up, reaches the rate, and is no division by 0 without steps", () => {
    const warm = (from: "zero" | "one", n: number): string[] =>
      pathOf(
        scheduleProgram(warmUp({ from })),
        {},
        steps.map(() => ({ rate: [rate], warmUp: [q(n)] })),
        "result",
      );
    expect(warm("zero", 4)).toEqual(steps.map((t) => texts(times(rate, q(Math.min(t, 4), 4)))));
    expect(warm("one", 4)).toEqual(steps.map((t) => texts(times(rate, q(Math.min(t + 1, 4), 4)))));
    for (const from of ["zero", "one"] as const) expect(warm(from, 0)).toEqual(steps.map(() => "1/4"));
  });

  test("a cosine falls from the rate to the least, then holds or turns, and follows a warm-up", () => {
    const curve = (afterwards: "holds" | "turns"): number[] =>
      afterCalls(
        float64,
        scheduleProgram(cosine({ afterwards })),
        {},
        steps.map(() => ({ rate: [1], period: [4], least: [0.5] })),
      ).map((left) => Math.round((left.get("result")?.[0] ?? Number.NaN) * 1e12) / 1e12);
    const half = 0.5 + 0.25 * (1 + Math.SQRT1_2);
    const falling = [1, half, 0.75, 1.5 - half, 0.5].map((x) => Math.round(x * 1e12) / 1e12);
    expect(curve("holds")).toEqual([...falling, 0.5, 0.5, 0.5]);
    expect(curve("turns")).toEqual([...falling, ...falling.slice(1, 4).reverse()]);
    const both = scheduleProgram(warmUp(), cosine());
    const call = { rate: [1], warmUp: [2], period: [4], least: [0] };
    expect(afterCalls(float64, both, {}, [call, call]).map((left) => left.get("result"))).toEqual([
      [0],
      [0.5 * (0.5 * (1 + Math.cos(Math.PI / 4)))],
    ]);
  });

  test("make the rate of a group, whose count goes on with steps and not with calls", () => {
    const program = training(
      [
        {
          name: "all",
          rule: byGradientDescent(),
          schedules: [warmUp({ from: "one" })],
          parameters: [{ name: "w", shape: [] }],
        },
      ],
      { accumulation: "mean" },
    );
    const calls = [0, 1, 0, 1].map((last) => ({
      "w.gradient": [q(1)],
      last: [q(last)],
      "all.rate": [q(1)],
      "all.warmUp": [q(4)],
    }));
    expect(pathOf(program, { w: [zero] }, calls, "w")).toEqual(["0", "-1/4", "-1/4", "-3/4"]);
  });
});
