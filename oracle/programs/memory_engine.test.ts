import { describe, expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { countedProgram, noPrograms, type ProgramCounts, programsOn } from "./campaign.ts";

const SEED = 2;

async function countsOf(
  policy: "copy" | "version" | "forbid",
  programs: number,
  dtype: "float64" | "float32" = "float64",
): Promise<ProgramCounts> {
  let counts = noPrograms;
  const engine = interpreterEngine("engine", {}, { policy });
  for await (const { index, verdict } of programsOn(engine, { seed: SEED, programs, dtype })) {
    expect([index, verdict]).not.toEqual([index, expect.objectContaining({ kind: "disagrees" })]);
    counts = countedProgram(counts, verdict);
  }
  return counts;
}

describe("the interpreter, running random programs in place", () => {
  test.each(["float64", "float32"] as const)("agrees with the graphs of their runs in %s", async (dtype) => {
    const counts = await countsOf("copy", 30, dtype);
    expect(counts.agrees).toBeGreaterThan(25);
    expect(counts.agrees + counts.undecided).toBe(30);
  });

  test.each([
    "version",
    "forbid",
  ] as const)("agrees under %s too, or refuses where there is need", async (policy) => {
    const counts = await countsOf(policy, 40);
    expect(counts["refused with need"]).toBeGreaterThan(5);
    expect(counts.agrees).toBeGreaterThan(5);
    expect(counts.agrees + counts.undecided + counts["refused with need"]).toBe(40);
  });
});
