import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { MAXIMUM_ISSUES } from "./shapes/result.ts";

interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly issues: number;
  readonly size: number;
  readonly megabytes: number;
}

/** Runs hostile.test.child.ts on a group in a heap of 256 MB. A crash or two minutes' silence fail. */
function outcomesOf(group: string): Outcome[] {
  const script = fileURLToPath(new URL("./hostile.test.child.ts", import.meta.url));
  const flags = ["--expose-gc", "--max-old-space-size=256", "--max-semi-space-size=8"];
  const child = spawnSync(process.execPath, [...flags, script, group], {
    encoding: "utf8",
    timeout: 120_000,
  });
  expect(child.stderr).toBe("");
  expect(child.status).toBe(0);
  return child.stdout
    .trim()
    .split("\n")
    .map((line): Outcome => JSON.parse(line));
}

describe("hostile documents", () => {
  it.each([
    ["texts", 13],
    ["graphs", 25],
    ["others", 6],
  ])("are refused in a few words and under 512 MB: %s", (group, count) => {
    const outcomes = outcomesOf(group);
    expect(outcomes).toHaveLength(count);
    for (const { name, ok, issues, size, megabytes } of outcomes) {
      expect.soft(ok, name).toBe(false);
      expect.soft(issues, name).toBeGreaterThan(0);
      expect.soft(issues, name).toBeLessThanOrEqual(MAXIMUM_ISSUES);
      expect.soft(size, name).toBeLessThan(50_000);
      expect.soft(megabytes, name).toBeLessThan(512);
    }
  });
});
