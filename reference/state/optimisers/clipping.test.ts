import { describe, expect, test } from "vitest";
import { float64 } from "../../algebras/float.ts";
import { afterCalls } from "./calls.test.kit.ts";
import { byGradientDescent, type Clipping, training } from "./index.ts";

describe("clipping", () => {
  /** The step of rate 1 from 0 for two parameters whose gradients have the norms 3 and 4: together 5. */
  function step(clipping: Clipping, limit: number, gradient: readonly number[] = [3, 4]): number[] {
    const parameters = ["w", "b"].map((name) => ({ name, shape: [1] }));
    const program = training([{ name: "all", rule: byGradientDescent(), parameters }], { clipping });
    const call = {
      "w.gradient": gradient.slice(0, 1),
      "b.gradient": gradient.slice(1),
      limit: [limit],
      "all.rate": [-1],
    };
    const left = afterCalls(float64, program, {}, [call])[0];
    return [...(left?.get("w") ?? []), ...(left?.get("b") ?? [])];
  }

  test("by value cuts each element, and leaves one that is exactly at the limit", () => {
    expect(step("value", 3)).toEqual([3, 3]);
    expect(step("value", 2, [-3, 1])).toEqual([-2, 1]);
  });

  test("by the global norm keeps the direction, and changes nothing where the norm is exactly the limit", () => {
    expect(step("globalNorm", 2.5)).toEqual([1.5, 2]);
    expect(step("globalNorm", 5)).toEqual([3, 4]);
    expect(step("globalNorm", 6)).toEqual([3, 4]);
    expect(step("ownNorm", 2.5)).toEqual([2.5, 2.5]);
  });

  test("of zeros leaves zeros, whatever the limit", () => {
    for (const clipping of ["value", "ownNorm", "globalNorm", "paddedNorm"] as const)
      for (const limit of [0, 1]) expect(step(clipping, limit, [0, 0])).toEqual([0, 0]);
  });

  test("with padding shortens a norm that is exactly the limit, and does not lengthen one below", () => {
    const [w] = step("paddedNorm", 5);
    expect(w).toBe(3 * (5 / (5 + 1e-6)));
    expect(step("paddedNorm", 5.1)).toEqual([3, 4]);
  });
});
