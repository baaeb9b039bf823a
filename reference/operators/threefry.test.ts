import { describe, expect, test } from "vitest";
import { threefry2x32 } from "./threefry.ts";

type Pair = readonly [number, number];

/** Counter, key and result of `threefry2x32-20` in kat_vectors of the authors' Random123. */
const knownAnswers: readonly (readonly [counter: Pair, key: Pair, result: Pair])[] = [
  [
    [0, 0],
    [0, 0],
    [0x6b200159, 0x99ba4efe],
  ],
  [
    [0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x1cb996fc, 0xbb002be7],
  ],
  [
    [0x243f6a88, 0x85a308d3],
    [0x13198a2e, 0x03707344],
    [0xc4923a9c, 0x483df7a0],
  ],
];

describe("Threefry-2x32 with 20 rounds", () => {
  test.each(knownAnswers)("of counter %j and key %j is the known answer %j", (counter, key, result) => {
    expect(threefry2x32(key, counter)).toEqual(result);
  });

  test("depends on every bit of counter and key", () => {
    const [key, counter]: [Pair, Pair] = [
      [0x13198a2e, 0x03707344],
      [0, 7],
    ];
    const base = threefry2x32(key, counter);
    for (let bit = 0; bit < 32; bit++) {
      const flip = ([a, b]: Pair, first: boolean): Pair =>
        first ? [(a ^ (1 << bit)) >>> 0, b] : [a, (b ^ (1 << bit)) >>> 0];
      for (const first of [true, false]) {
        expect(threefry2x32(flip(key, first), counter)).not.toEqual(base);
        expect(threefry2x32(key, flip(counter, first))).not.toEqual(base);
      }
    }
  });
});
