import { describe, expect, test } from "vitest";
import { at } from "../../../spec/index.ts";
import { float64 } from "../../algebras/float.ts";
import type { Rational } from "../../algebras/rational.ts";
import { afterCalls, minus, pathOf, plus, q, texts, times } from "./calls.test.kit.ts";
import { adam, byAdam, byGradientDescent, byMomentum, training } from "./index.ts";

const rate = q(1, 4);
const momentum = q(2, 3);
const zero = q(0);

describe("a training step", () => {
  const one = { name: "w", shape: [2] };
  const plain = byGradientDescent();
  const group = { name: "all", rule: plain, parameters: [one] };

  test("moves a tied parameter once by the summed gradient, which two updates are not with a velocity", () => {
    const rule = byMomentum();
    const tied = training([{ name: "all", rule, parameters: [{ ...one, uses: 2 }] }]);
    const whole = training([{ name: "all", rule, parameters: [one] }]);
    const [g, h] = [
      [q(1, 2), q(-3)],
      [q(2, 7), q(5, 3)],
    ];
    const rates = { "all.rate": [rate], "all.momentum": [momentum] };
    const begin = { w: [q(1), q(2)] };
    const both = [q(1, 2), q(-3)].map((x, i) => plus(x, at(h ?? [], i)));
    const once = pathOf(tied, begin, Array(4).fill({ ...rates, "w.gradient1": g, "w.gradient2": h }), "w");
    expect(once).toEqual(pathOf(whole, begin, Array(4).fill({ ...rates, "w.gradient": both }), "w"));
    const twice = pathOf(
      whole,
      begin,
      Array.from({ length: 8 }, (_, i) => ({ ...rates, "w.gradient": (i % 2 === 0 ? g : h) ?? [] })),
      "w",
    ).filter((_, i) => i % 2 === 1);
    expect(twice).not.toEqual(once);
  });

  test("gives each group its own rate and decay, and its rule", () => {
    const program = training([
      { name: "slow", rule: byGradientDescent({ decay: "coupled" }), parameters: [{ name: "w", shape: [] }] },
      { name: "fast", rule: byMomentum(), parameters: [{ name: "b", shape: [] }] },
    ]);
    const call = {
      "w.gradient": [q(1)],
      "b.gradient": [q(1)],
      "slow.rate": [q(1, 10)],
      "slow.decay": [q(1, 3)],
      "fast.rate": [q(1, 2)],
      "fast.momentum": [q(1, 4)],
    };
    const state = { w: [q(2)], b: [q(2)] };
    expect(pathOf(program, state, [call, call], "w")).toEqual(["11/6", texts(q(301, 180))]);
    expect(pathOf(program, state, [call, call], "b")).toEqual(["3/2", texts(q(7, 8))]);
  });

  test("leaves a parameter without a gradient where it is, with its memory and its count", () => {
    const parameters = ["w", "b"].map((name) => ({ name, shape: [], mayBeAbsent: true }));
    const program = training([{ name: "all", rule: byAdam(), parameters }]);
    const rates = { "all.rate": [0.1], "all.beta1": [0.75], "all.beta2": [0.875], "all.epsilon": [0.25] };
    const gradients = [0.5, -1.25, 3, 0.125, -2];
    const isPresent = [1, 0, 1, 1, 0];
    const calls = gradients.map((g, i) => ({
      ...rates,
      "w.gradient": [g],
      "w.present": [at(isPresent, i)],
      "b.gradient": [g],
      "b.present": [1],
    }));
    const left = afterCalls(float64, program, { w: [2], b: [2] }, calls);
    const alone = (kept: readonly number[]): readonly number[] | undefined =>
      afterCalls(
        float64,
        adam([]),
        { x: [2] },
        kept.map((gradient) => ({
          gradient: [gradient],
          rate: [0.1],
          beta1: [0.75],
          beta2: [0.875],
          epsilon: [0.25],
        })),
      )
        .at(-1)
        ?.get("x");
    expect(left.at(-1)?.get("w")).toEqual(alone(gradients.filter((_, i) => isPresent[i] === 1)));
    expect(left.at(-1)?.get("b")).toEqual(alone(gradients));
    expect(left.at(-1)?.get("w.p1")).toEqual([0.75 ** 3]);
    expect(left[1]?.get("w.m")).toEqual(left[0]?.get("w.m"));
  });

  /** Gradients of a mean over examples, cut into micro-batches of these sizes. */
  const examples = [3, -1, 4, 1, -5, 9].map((x, i): readonly Rational[] => [q(x, 3), q(i - 2, 7)]);

  function mean(of: readonly (readonly Rational[])[]): Rational[] {
    return [0, 1].map((axis) =>
      times(
        q(1, of.length),
        of.reduce((sum, example) => plus(sum, at([...example], axis)), zero),
      ),
    );
  }

  function inBatches(
    accumulation: "sum" | "mean" | "weighted",
    sizes: readonly number[],
    epochs = 2,
  ): string[] {
    const program = training([{ ...group, rule: byMomentum() }], { accumulation });
    let from = 0;
    const epoch = sizes.map((size, i) => {
      const part = examples.slice(from, from + size);
      from += size;
      return {
        "w.gradient": mean(part),
        size: [q(size)],
        last: [q(i === sizes.length - 1 ? 1 : 0)],
        "all.rate": [rate],
        "all.momentum": [momentum],
      };
    });
    const calls = Array.from({ length: epochs }, () => epoch).flat();
    return pathOf(program, { w: [q(1), q(2)] }, calls, "w").filter((_, i) => (i + 1) % sizes.length === 0);
  }

  test("of weighted micro-batches is that of the whole batch, whatever their sizes", () => {
    const whole = inBatches("weighted", [6]);
    for (const sizes of [
      [3, 3],
      [1, 2, 3],
      [5, 1],
      [1, 1, 1, 1, 1, 1],
    ])
      expect(inBatches("weighted", sizes)).toEqual(whole);
  });

  test("of the mean of means is so for equal sizes alone, and the sum is as many times as long", () => {
    const whole = inBatches("weighted", [6]);
    expect(inBatches("mean", [2, 2, 2])).toEqual(whole);
    expect(inBatches("mean", [1, 2, 3])).not.toEqual(whole);
    expect(inBatches("sum", [2, 2, 2])).not.toEqual(whole);
    // The first step from 0 velocity: three times the mean.
    const [sum, one] = [inBatches("sum", [2, 2, 2], 1), inBatches("mean", [2, 2, 2], 1)];
    const g = mean(examples);
    expect(one).toEqual([texts(...[q(1), q(2)].map((x, i) => minus(x, times(rate, at(g, i)))))]);
    expect(sum).toEqual([texts(...[q(1), q(2)].map((x, i) => minus(x, times(times(q(3), rate), at(g, i)))))]);
  });

  test("undoes the scale of a loss before it clips", () => {
    const program = training([group], { isScaled: true, clipping: "value" });
    const call = { "w.gradient": [q(8), q(-80)], scale: [q(16)], limit: [q(1)], "all.rate": [q(1)] };
    expect(pathOf(program, { w: [q(0), q(0)] }, [call], "w")).toEqual(["-1/2 1"]);
  });
});
