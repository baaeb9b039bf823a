import { describe, expect, test } from "vitest";
import { exactCentre } from "../centre/index.ts";
import { referenceStandard } from "../standard/standard.ts";
import { narrowed } from "./bounded.ts";
import { infinite, infiniteSum } from "./infinities.ts";
import type { Bounded } from "./radius.ts";

const finite: Bounded<number> = { centre: 1, error: 0, magnitude: 1, terms: 1, grain: 0 };
const unknown: Bounded<number> = { ...finite, error: Number.NaN };
const positive: Bounded<number> = { ...unknown, infinity: 1 };
const negative: Bounded<number> = { ...unknown, infinity: -1 };

describe("a sum with an infinity", () => {
  test("is it where the other summand is finite, or the same infinity", () => {
    expect(infiniteSum(positive, finite)).toBe(positive);
    expect(infiniteSum(finite, negative)).toBe(negative);
    expect(infiniteSum(positive, positive)).toBe(positive);
  });

  test("is not known where the other summand is not, which may be the other infinity", () => {
    expect(infiniteSum(positive, unknown)).toBeUndefined();
    expect(infiniteSum(unknown, positive)).toBeUndefined();
    expect(infiniteSum(positive, negative)).toBeUndefined();
  });

  test("is no infinity where neither summand is one", () => {
    expect(infiniteSum(finite, unknown)).toBeUndefined();
    expect(infiniteSum(unknown, finite)).toBeUndefined();
  });
});

test.each([true, false])("an infinity stays one in a narrower precision, whether it meets: %s", (meets) => {
  const [narrow, wide] = [referenceStandard("float16"), referenceStandard("float32")];
  for (const infinity of [infinite(exactCentre, 1), infinite(exactCentre, -1)])
    expect(narrowed(exactCentre, narrow, wide, infinity, meets)).toEqual(infinity);
});
