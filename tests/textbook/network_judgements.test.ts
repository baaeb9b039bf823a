import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { type CaseProfile, caseAt, tensorProfile } from "../../oracle/generate/index.ts";
import { networkNames } from "../../oracle/generate/network_composites.ts";
import { judge } from "../../oracle/judge/judge.ts";
import { type CompositeRows, composites, type OperatorName } from "../../spec/index.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

const helpers: readonly OperatorName[] = ["constant", "reshape", "add", "tanh"];

const profile: CaseProfile = {
  ...tensorProfile,
  name: "network",
  operators: [...networkNames, ...helpers],
  nodes: [1, 6],
  maximumRank: 4,
  maximumDegree: Number.POSITIVE_INFINITY,
};

const CASES = 150;

async function verdicts(rows: CompositeRows, dtype: "float64" | "float32"): Promise<Map<string, number>> {
  await using engine = interpreterEngine("under test", { composites: rows });
  const counts = new Map<string, number>();
  for (let index = 0; index < CASES; index++) {
    const { kind } = await judge(engine, caseAt(profile, 31, index), { dtype, shrinkBudget: 0 });
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

test.each([
  "float64",
  "float32",
] as const)("the interpreter agrees with the truth on networks (%s)", async (dtype) => {
  const counts = await verdicts(composites, dtype);
  expect(counts.get("disagrees") ?? 0).toBe(0);
  expect(counts.get("agrees") ?? 0).toBeGreaterThan(0.9 * CASES);
});

test("it would not with faults planted in every expansion", async () => {
  const counts = await verdicts({ ...composites, ...wrongRows }, "float64");
  expect(counts.get("disagrees") ?? 0).toBeGreaterThan(0.5 * CASES);
});

test("those cases hold every composite of networks", () => {
  const seen = new Set(
    Array.from({ length: CASES }, (_, index) =>
      caseAt(profile, 31, index).graph.nodes.map(({ op }) => op),
    ).flat(),
  );
  expect(networkNames.filter((name) => !seen.has(name))).toEqual([]);
});
