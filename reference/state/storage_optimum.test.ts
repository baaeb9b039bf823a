import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockLists, smallestPeak } from "./blocks.test.kit.ts";
import { MOST_SEARCHED, optimalPlan } from "./storage_optimum.ts";
import { type Block, greatestNeed, planBySize, planFaults, planInTime } from "./storage_plan.ts";

function blocksOf(...rows: readonly (readonly [born: number, last: number, elements: number])[]): Block[] {
  return rows.map(([born, last, elements]) => ({ born, last, elements }));
}

/** Blocks that need more room than is ever taken at once. No seven have been found that do. */
const gaps: readonly (readonly Block[])[] = [
  blocksOf([0, 1, 2], [0, 0, 2], [1, 2, 1], [1, 3, 1], [2, 3, 1], [2, 2, 1], [3, 4, 2], [4, 4, 2]),
  blocksOf([0, 0, 3], [0, 2, 3], [1, 4, 1], [1, 3, 2], [3, 4, 1], [3, 3, 2], [4, 5, 3], [4, 5, 1], [5, 5, 2]),
];

describe("the optimum", () => {
  test("has the peak that all orders of up to seven blocks find", () => {
    fc.assert(
      fc.property(blockLists(7), (blocks) => {
        const { plan, isProved } = optimalPlan(blocks);
        expect(isProved).toBe(true);
        expect(planFaults(blocks, plan)).toEqual([]);
        expect(plan.peak).toBe(smallestPeak(blocks));
      }),
      { seed: 23, numRuns: 150 },
    );
  });

  test.each(gaps)("is above the greatest need where all orders say so", (...blocks) => {
    const { plan, isProved } = optimalPlan(blocks);
    expect(isProved).toBe(true);
    expect(planFaults(blocks, plan)).toEqual([]);
    expect(plan.peak).toBe(greatestNeed(blocks).elements + 1);
    expect(smallestPeak(blocks)).toBe(plan.peak);
  });

  test("is better than both best fits in one case of five at least, of up to twenty blocks", () => {
    const better = fc
      .sample(blockLists(20), { seed: 24, numRuns: 300 })
      .filter((blocks) => blocks.length > 12)
      .map((blocks) => {
        const { plan, isProved } = optimalPlan(blocks);
        expect(isProved).toBe(true);
        expect(planFaults(blocks, plan)).toEqual([]);
        return plan.peak < Math.min(planInTime(blocks).peak, planBySize(blocks).peak);
      });
    expect(better.filter(Boolean).length).toBeGreaterThan(better.length / 5);
  });

  test("is said to be open where the search was cut short, or was not begun", () => {
    const [eight = []] = gaps;
    expect(optimalPlan(eight, 3)).toMatchObject({ isProved: false });
    const apart = Array.from({ length: MOST_SEARCHED }, (_, n) => ({
      born: 10 + n,
      last: 10 + n,
      elements: 1,
    }));
    const many = [...eight, ...apart];
    expect(optimalPlan(many)).toEqual({ plan: optimalPlan(many).plan, isProved: false });
    expect(planFaults(many, optimalPlan(many).plan)).toEqual([]);
  });

  test("of nothing is nothing", () => {
    expect(optimalPlan([])).toEqual({ plan: { offsets: [], peak: 0 }, isProved: true });
  });

  test("is told from a bound that is taken for the optimum, and from a best fit that is", () => {
    const wrong: readonly ((blocks: readonly Block[]) => number)[] = [
      (blocks) => greatestNeed(blocks).elements,
      (blocks) => planInTime(blocks).peak,
      (blocks) => planBySize(blocks).peak,
    ];
    const asked = [...gaps, ...fc.sample(blockLists(7), { seed: 23, numRuns: 150 })];
    for (const peakOf of wrong)
      expect(asked.some((blocks) => peakOf(blocks) !== optimalPlan(blocks).plan.peak)).toBe(true);
  });
});
