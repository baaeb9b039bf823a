import { expect, test } from "vitest";
import { Choice } from "../programs.test.kit.ts";
import { FreeList } from "./free_list.ts";

test("what is left of a block that was larger than asked for stays free", () => {
  const list = new FreeList();
  list.release(list.take(6), 6);
  expect([list.take(2), list.take(4), list.length]).toEqual([0, 2, 6]);
});

test("the smallest block that has room is taken, the first among equals", () => {
  const list = new FreeList();
  const [large, , small, , another] = [6, 1, 2, 1, 2, 1].map((size) => list.take(size));
  list.release(large ?? -1, 6);
  list.release(another ?? -1, 2);
  list.release(small ?? -1, 2);
  expect([list.take(2), list.take(2), list.take(3), list.length]).toEqual([small, another, large, 13]);
});

test("the arena grows by what its last block lacks", () => {
  const list = new FreeList();
  list.take(2);
  list.release(list.take(3), 3);
  expect([list.take(5), list.length]).toEqual([2, 7]);
});

test("no two blocks that are taken share a place, and all that are given back are one", () => {
  const choice = new Choice(11);
  const list = new FreeList();
  const taken: { readonly start: number; readonly size: number }[] = [];
  for (let n = 0; n < 2000; n++) {
    const [one] = choice.happens(0.5) ? taken.splice(choice.below(Math.max(1, taken.length)), 1) : [];
    if (one !== undefined) list.release(one.start, one.size);
    else {
      const size = choice.between(1, 5);
      const start = list.take(size);
      expect(taken.filter((other) => start < other.start + other.size && other.start < start + size)).toEqual(
        [],
      );
      expect(start + size).toBeLessThanOrEqual(list.length);
      taken.push({ start, size });
    }
  }
  for (const { start, size } of taken) list.release(start, size);
  const { length } = list;
  expect([list.take(length), list.length]).toEqual([0, length]);
});
