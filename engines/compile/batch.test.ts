import { describe, expect, test } from "vitest";
import { at, graph } from "../../spec/index.ts";
import { compile, startGradientBatch } from "./browser_wasm.ts";

/** This is log Σ exp(xᵢ aᵢ), with the `a` that an index names. */
const pick = graph(({ input, parameter, indices }) => {
  const x = input("x", [5]);
  const a = parameter("a", [3]).take({ axis: 0, indices: indices("i", [5]) });
  return x.multiply(a).logsumexp({ axes: [0], keepdims: false });
});
const a = Float64Array.of(0.5, -2, 3);
const i = Uint32Array.of(2, 0, 1, 1, 2);
const xs = Float64Array.from({ length: 35 }, (_, n) => Math.sin(n * n));

describe("a batch of gradients", () => {
  test.each([1, 2, 3])("in %i threads has the bits of one call after the other", async (threads) => {
    using batch = startGradientBatch(pick, { capacity: 7, threads, common: ["a"] });
    batch.inputs.get("x")?.set(xs);
    batch.inputs.get("a")?.set(a);
    batch.inputs.get("i")?.set(i);
    await batch.run(7);
    const one = compile(pick, { engine: "wasm" });
    one.bind({ a, i });
    for (let item = 0; item < 7; item++) {
      const { value, gradient } = one.valueAndGradient(xs.slice(5 * item, 5 * item + 5));
      expect(batch.values[item]).toBe(value[0]);
      expect([...at(batch.gradients, 0)].slice(5 * item, 5 * item + 5)).toEqual([...at(gradient, 0)]);
    }
  });

  test("refuses names and outputs that are none, and an index out of range", async () => {
    expect(() => startGradientBatch(pick, { capacity: 2, threads: 1, common: ["b"] })).toThrow(/no "b"/);
    expect(() => startGradientBatch(pick, { capacity: 2, threads: 1, output: 0 })).toThrow(/one number/);
    using batch = startGradientBatch(pick, { capacity: 2, threads: 1 });
    batch.inputs.get("i")?.set([0, 1, 2, 3, 0]);
    await expect(batch.run(1)).rejects.toThrow(/index 3 at position 3 of "i" is not below 3/);
  });
});
