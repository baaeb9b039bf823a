import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { distancesOf, distanceTable } from "./storage_plans.ts";

describe("the distance of plans from the optimum", () => {
  test("stands in docs/lifetimes.md as it is measured", () => {
    const page = readFileSync(new URL("../docs/lifetimes.md", import.meta.url), "utf8");
    expect(page).toContain(`\n${distanceTable().join("\n")}\n`);
  });

  test("is none where a plan is the optimum, and never negative", () => {
    const { ways, runs, proved } = distancesOf("tensor", 50, 2);
    expect(proved).toBe(runs);
    expect(ways.map(({ way }) => way)).toEqual(["nothing reused", "best fit in time", "best fit by size"]);
    for (const { mean, worst, best } of ways) {
      expect(mean).toBeGreaterThanOrEqual(1);
      expect(worst).toBeGreaterThanOrEqual(mean);
      expect(best === runs).toBe(worst === 1);
    }
  });
});
