import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at } from "../../spec/index.ts";
import { blockLists } from "./blocks.test.kit.ts";
import {
  type Block,
  greatestNeed,
  planBySize,
  planFaults,
  planInTime,
  type StoragePlan,
} from "./storage_plan.ts";

const planners: Readonly<Record<string, (blocks: readonly Block[]) => StoragePlan>> = {
  "in order of time": planInTime,
  "in order of size": planBySize,
};

const block = (born: number, last: number, elements: number): Block => ({ born, last, elements });

describe.each(Object.entries(planners))("best fit %s", (_, plan) => {
  test("puts no two blocks that meet in one place, and none outside", () => {
    fc.assert(
      fc.property(blockLists(40), (blocks) => {
        expect(planFaults(blocks, plan(blocks))).toEqual([]);
      }),
      { seed: 17, numRuns: 300 },
    );
  });

  test("has an arena that is full at some place, and no smaller than the greatest need", () => {
    fc.assert(
      fc.property(blockLists(40), (blocks) => {
        const { offsets, peak } = plan(blocks);
        const ends = blocks.map(({ elements }, n) => (elements === 0 ? 0 : at(offsets, n) + elements));
        expect(peak).toBe(Math.max(0, ...ends));
        expect(peak).toBeGreaterThanOrEqual(greatestNeed(blocks).elements);
      }),
      { seed: 18, numRuns: 300 },
    );
  });

  test("gives back what is over, and uses it again", () => {
    const chain = Array.from({ length: 10 }, (_, n) => block(n, n + 1, 5));
    expect(plan(chain).peak).toBe(10);
  });

  test("takes the smallest room that is large enough", () => {
    // Rooms of 5 and of 3 come free at step 1; the block of 3 has to leave the 5 alone.
    const blocks = [
      ...[block(0, 0, 5), block(0, 4, 1), block(0, 0, 3), block(0, 4, 1)],
      ...[block(1, 4, 3), block(2, 4, 5)],
    ];
    expect(plan(blocks).peak).toBe(10);
  });
});

describe("best fit in order of size", () => {
  // At step 0, blocks of 10, 9, 8, 7 and 6 are stacked; those that live on leave rooms between.
  const leaving = (...living: readonly number[]): Block[] =>
    [10, 9, 8, 7, 6].map((elements) => block(0, living.includes(elements) ? 4 : 0, elements));

  test.each([
    ["the second room, of 8, and not the first, of 10", leaving(9, 7), 19],
    ["the first room, of 10, and not the second, of 15", leaving(9, 6), 0],
    ["the place above all, where there is no room", leaving(10, 9, 8, 7, 6), 40],
  ])("takes %s", (_, blocks, offset) => {
    expect(planBySize([...blocks, block(1, 4, 5)]).offsets.at(-1)).toBe(offset);
  });
});

describe("the greatest need", () => {
  test("is the most that is there at any step, and says when first", () => {
    fc.assert(
      fc.property(blockLists(12), (blocks) => {
        const steps = Array.from({ length: 20 }, (_, step) =>
          blocks.reduce(
            (sum, { born, last, elements }) => (born <= step && step <= last ? sum + elements : sum),
            0,
          ),
        );
        const most = Math.max(...steps);
        expect(greatestNeed(blocks)).toEqual({ elements: most, step: steps.indexOf(most) });
      }),
      { seed: 19, numRuns: 200 },
    );
  });
});

describe("a wrong plan is told", () => {
  const blocks = [block(0, 2, 4), block(1, 3, 4), block(3, 4, 2), block(0, 4, 0)];

  test.each<[string, StoragePlan, unknown]>([
    [
      "two at one place at once",
      { offsets: [0, 3, 0, 0], peak: 8 },
      { kind: "overlap", first: 0, second: 1 },
    ],
    [
      "one within another at its last step",
      { offsets: [0, 4, 5, 0], peak: 8 },
      { kind: "overlap", first: 1, second: 2 },
    ],
    ["one beyond the end", { offsets: [0, 4, 7, 0], peak: 8 }, { kind: "outside", block: 2 }],
    ["one before the begin", { offsets: [-1, 4, 0, 0], peak: 8 }, { kind: "outside", block: 0 }],
    ["one between elements", { offsets: [0, 4, 0.5, 0], peak: 8 }, { kind: "outside", block: 2 }],
    ["one without a place", { offsets: [0, 4, 0], peak: 8 }, { kind: "count", blocks: 4, offsets: 3 }],
  ])("%s", (_, plan, fault) => {
    expect(planFaults(blocks, plan)).toContainEqual(fault);
  });

  test("and the right one is not", () => {
    expect(planFaults(blocks, { offsets: [0, 4, 0, 3], peak: 8 })).toEqual([]);
  });
});
