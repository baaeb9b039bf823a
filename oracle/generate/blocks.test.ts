import { describe, expect, test } from "vitest";
import { blockAt } from "./blocks.ts";

/** Returns the different blocks of so many things. */
function blocksOf(count: number): readonly (readonly number[])[] {
  const things = Array.from({ length: count }, (_, i) => i);
  const blocks = Array.from({ length: 4000 }, (_, turn) => blockAt(things, turn));
  return [...new Map(blocks.map((block) => [block.join(), block])).values()];
}

describe("blocks", () => {
  test.each([
    [2, 2],
    [10, 5],
    [121, 11],
    [130, 13],
  ])("of %d things hold any two of them together exactly once, and at most %d", (count, order) => {
    const blocks = blocksOf(count).filter(({ length }) => length > 1);
    const together = blocks.flatMap((block) => block.flatMap((a) => block.map((b) => `${a} ${b}`)));
    const apart = together.filter((pair) => pair.split(" ")[0] !== pair.split(" ")[1]);
    expect(apart.length).toBe(count * (count - 1));
    expect(new Set(apart).size).toBe(apart.length);
    expect(Math.max(...blocks.map(({ length }) => length))).toBe(order);
  });

  test("that follow each other are different", () => {
    const things = Array.from({ length: 130 }, (_, i) => i);
    const blocks = Array.from({ length: 182 }, (_, turn) => blockAt(things, turn).join());
    expect(new Set(blocks).size).toBeGreaterThan(150);
  });

  test("of nothing are empty", () => {
    expect(blockAt([], 3)).toEqual([]);
  });
});
