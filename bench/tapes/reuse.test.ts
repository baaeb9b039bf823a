import { describe, expect, test } from "vitest";
import { missesOf, StackDistances } from "./reuse.ts";

/** Each letter is a datum; all have this many bytes. */
function followed(touches: string, bytes = 8) {
  const distances = new StackDistances();
  for (const datum of touches) distances.touch(datum, bytes);
  return distances.reuse();
}

/** Computes by definition the bytes of all other data touched between two touches of a datum. */
function defined(touches: string, bytes = 8): readonly number[] {
  return [...touches].flatMap((datum, n) => {
    const before = touches.lastIndexOf(datum, n - 1);
    return n === 0 || before < 0 ? [] : [bytes * new Set(touches.slice(before + 1, n)).size];
  });
}

describe("reuse distances", () => {
  test("are those of the definition, for a run long enough that the tree of sums grows", () => {
    let state = 1;
    const touches = Array.from({ length: 3000 }, () => {
      state = (state * 48271) % 2147483647;
      return String.fromCharCode(0x61 + (state % 26));
    }).join("");
    const buckets: number[] = [];
    for (const distance of defined(touches)) {
      const bucket = distance === 0 ? 0 : Math.floor(Math.log2(distance)) + 1;
      while (buckets.length <= bucket) buckets.push(0);
      buckets[bucket] = (buckets[bucket] ?? 0) + 8;
    }
    const { byDistance, first, total } = followed(touches);
    expect([byDistance, first, total]).toEqual([buckets, 26 * 8, 3000 * 8]);
  });

  test("grow in a run there and back, and are all the same in a run round and round", () => {
    expect(followed("abcdefgh".repeat(2)).byDistance).toEqual([0, 0, 0, 0, 0, 0, 64]);
    expect(followed("abcdefghhgfedcba").byDistance).toEqual([8, 0, 0, 0, 8, 16, 32]);
  });

  test("say what a cache misses: all that is touched for the first time, and what lies further back than it holds", () => {
    const thereAndBack = followed("abcdefghhgfedcba");
    expect([3, 4, 5, 6].map((n) => missesOf(thereAndBack, n))).toEqual([120, 112, 96, 64]);
  });
});
