import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { caseAt, edgesProfile } from "../../generate/index.ts";
import { type Counts, judged, sloppy } from "../erring.test.kit.ts";
import { referenceStandard } from "../standard/standard.ts";

/** Judges an engine that errs by up to `share` of what its standard allows, at infinities, NaN and zeros. */
function counted(dtype: "float64" | "float32", share: number, cases: number): Counts {
  const standard = referenceStandard(dtype);
  const algebra = sloppy(standard, new Random(xoroshiro128plus(7)), share);
  const total = { within: 0, outside: 0, undecided: 0 };
  for (let index = 0; index < cases; index++) {
    const counts = judged(caseAt(edgesProfile, 9, index), standard, algebra);
    for (const kind of ["within", "outside", "undecided"] as const) total[kind] += counts[kind];
  }
  return total;
}

describe("at the edges", () => {
  test.each([
    "float64",
    "float32",
  ] as const)("an engine that errs within its standard is not outside (%s)", (dtype) => {
    const { within, outside, undecided } = counted(dtype, 1, 600);
    expect(outside).toBe(0);
    expect(undecided).toBeLessThan(0.04 * within);
  });

  test("one that errs 64 times as much is", () => {
    expect(counted("float32", 64, 200).outside).toBeGreaterThan(0);
  });
});
