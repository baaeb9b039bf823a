import { describe, expect, test } from "vitest";
import { emptyTally } from "../../oracle/index.ts";
import type { KnownFailure } from "../../spec/index.ts";
import type { Section } from "./json.ts";
import { runSummary } from "./run_summary.ts";
import { description, disagreement, section } from "./sections.test.kit.ts";
import type { Palette } from "./terminal.ts";

const same = (text: string): string => text;
const plain: Palette = { bold: same, dim: same, red: same, green: same, yellow: same };

const wrong = (count: number): Section => {
  const verdicts = Array.from({ length: count }, (_, n) => ({ case: n, verdict: disagreement(n % 4) }));
  return section({
    label: "two",
    description: { ...description, name: "an engine of a name that has no end to it at all" },
    tally: { ...emptyTally, counts: { ...emptyTally.counts, agrees: 3, disagrees: count } },
    verdicts,
  });
};

describe("the summary of a run", () => {
  test("begins with the findings, the most frequent first", () => {
    const crash = { case: 9, verdict: { kind: "crashed", message: "no memory" } as const };
    const [head, first, second] = runSummary([section({ verdicts: [crash] }), wrong(3)], plain);
    expect(head).toBe("2 findings");
    expect(first).toMatch(/^✗ an engine.*sum.*\(3\)$/);
    expect(second).toMatch(/crashed: no memory \(1\)$/);
  });

  test("leaves out known failures", () => {
    const { verdicts, ...rest } = wrong(2);
    const failure: KnownFailure = { engine: "e", versions: "*", kind: "crashed", message: "m" };
    const known = { ...rest, verdicts: verdicts.map((entry) => ({ ...entry, known: failure })) };
    expect(runSummary([known], plain)[0]).toBe("Nothing new was found.");
  });

  test("fits a screen of 80 columns for any run", () => {
    const lines = runSummary(
      Array.from({ length: 40 }, (_, n) => wrong(n + 1)),
      plain,
    );
    expect(lines.length).toBeLessThanOrEqual(34);
    expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
    expect(lines).toContain("  and 28 more");
    expect(lines.at(-1)).toBe("  and 24 more");
  });
});
