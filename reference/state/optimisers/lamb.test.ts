import { describe, expect, test } from "vitest";
import { float64 } from "../../algebras/float.ts";
import { afterCalls } from "./calls.test.kit.ts";
import { adam, byLamb, lamb, training } from "./index.ts";

describe("LAMB", () => {
  const rates = { rate: [0.5], beta1: [0.75], beta2: [0.875], epsilon: [0], decay: [0.125] };

  test("moves by the rate times the norm of the parameter, whatever the gradient", () => {
    const program = lamb([2], { hasDecay: true });
    const left = afterCalls(float64, program, { x: [3, 4] }, [{ ...rates, gradient: [1000, 0.001] }])[0];
    const moved = Math.hypot(3 - (left?.get("x")?.[0] ?? 0), 4 - (left?.get("x")?.[1] ?? 0));
    expect(moved).toBeCloseTo(2.5, 12);
  });

  test("takes Adam's step where the parameter is 0, and stands still where the step is", () => {
    const from = (x: readonly number[], gradient: readonly number[], atZeroNorm: "one" | "quotient") =>
      afterCalls(float64, lamb([2], { atZeroNorm }), { x }, [{ ...rates, epsilon: [0.5], gradient }])[0]?.get(
        "x",
      );
    const adams = afterCalls(float64, adam([2]), {}, [{ ...rates, epsilon: [0.5], gradient: [1, -2] }])[0];
    expect(from([0, 0], [1, -2], "one")).toEqual(adams?.get("x"));
    expect(from([3, 4], [0, 0], "one")).toEqual([3, 4]);
    expect(from([0, 0], [1, -2], "quotient")).toEqual([0, 0]);
    expect(from([3, 4], [0, 0], "quotient")).toEqual([Number.NaN, Number.NaN]);
  });

  test("has a trust ratio for each parameter of its own", () => {
    const parameters = ["w", "b"].map((name) => ({ name, shape: [1] }));
    const program = training([{ name: "all", rule: byLamb(), parameters }]);
    const call = {
      "all.rate": [0.5],
      "all.beta1": [0.75],
      "all.beta2": [0.875],
      "all.epsilon": [0],
      "w.gradient": [7],
      "b.gradient": [-9],
    };
    const left = afterCalls(float64, program, { w: [4], b: [16] }, [call])[0];
    expect([left?.get("w"), left?.get("b")]).toEqual([[2], [24]]);
  });

  test("keeps proportions: a parameter four times as long, with a quarter of the decay, goes a way four times as long", () => {
    const way = (x: readonly number[], decay: number): (readonly number[])[] =>
      afterCalls(
        float64,
        lamb([2], { hasDecay: true }),
        { x },
        [
          [1, -2],
          [0.5, 3],
          [-4, 0.25],
        ].map((gradient) => ({ ...rates, epsilon: [0.5], decay: [decay], gradient })),
      ).map((left) => left.get("x") ?? []);
    expect(way([12, -16], 0.03125)).toEqual(way([3, -4], 0.125).map((x) => x.map((element) => 4 * element)));
  });
});
