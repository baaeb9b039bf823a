import { describe, expect, test } from "vitest";
import {
  type Comparison,
  compared,
  everything,
  firstDifference,
  integers,
  sums,
} from "../../plan/scalar/agreement.test.kit.ts";
import { javascriptScalars } from "./executable.ts";

const backend = javascriptScalars;
const shapes = [
  ["float64", "runs"],
  ["float64", "steps"],
  ["float32", "runs"],
  ["float32", "steps"],
] as const;

describe.each(shapes)("generated JavaScript in %s, by %s", (precision, schedule) => {
  const takesRuns = schedule === "runs";

  test.each([
    ["all operators at all numbers", everything],
    ["sums whose order shows", sums],
  ])("is the interpreter to the bit in the bit-exact profile: %s", (_, recipe) => {
    const comparison: Comparison = { backend, precision, profile: "bit_exact", recipe, takesRuns };
    expect(firstDifference(comparison, 40)).toBeUndefined();
  });

  test("is the interpreter in the fast profile where sums are exact", () => {
    const comparison: Comparison = { backend, precision, profile: "fast", recipe: integers, takesRuns };
    expect(firstDifference(comparison, 40)).toBeUndefined();
  });
});

test("signed zeros are among what is compared", () => {
  const comparison: Comparison = {
    backend,
    precision: "float64",
    profile: "bit_exact",
    recipe: everything,
    takesRuns: true,
  };
  const counts = Array.from({ length: 10 }, (_, seed) => compared(comparison, seed).negativeZeros);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
});
