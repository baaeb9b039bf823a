import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rationalFromNumber, rationalOf } from "../../reference/package.ts";
import { floatAbove, floatBelow } from "./round.ts";

describe("floatBelow and floatAbove", () => {
  test("are the number itself where it is a float64", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const q = rationalFromNumber(x);
        expect([floatBelow(q) + 0, floatAbove(q) + 0]).toEqual([x + 0, x + 0]);
      }),
      { seed: 3 },
    );
  });

  test("are neighbours around a number that is none", () => {
    const third = rationalOf(1n, 3n);
    expect([floatBelow(third), floatAbove(third)]).toEqual([1 / 3, 1 / 3 + 2 ** -54]);
    const minus = rationalOf(-1n, 3n);
    expect([floatBelow(minus), floatAbove(minus)]).toEqual([-1 / 3 - 2 ** -54, -1 / 3]);
    const tiny = rationalOf(1n, 3n << 1100n);
    expect([floatBelow(tiny) + 0, floatAbove(tiny)]).toEqual([0, Number.MIN_VALUE]);
    const huge = rationalOf(3n ** 700n, 1n);
    expect([floatBelow(huge), floatAbove(huge)]).toEqual([Number.MAX_VALUE, Number.POSITIVE_INFINITY]);
  });
});
