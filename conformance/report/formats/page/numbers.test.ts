import { describe, expect, test } from "vitest";
import { boundsAway, rightDigits } from "./numbers.ts";

describe("boundsAway", () => {
  test.each([
    ["3", "2", "1/2", 2],
    ["0x1p-1", "1", "0x1p-2", -2],
    ["1e300", "1", "1/3", 3e300],
    ["1", "0", "0x0p+0", Infinity],
    ["-1", "0", "0", -Infinity],
    ["nan", "0", "1", undefined],
    ["inf", "1", "1", undefined],
    ["1", "1/0", "1", undefined],
    ["what", "ever", "this", undefined],
  ])("of %s, where %s within %s is expected, is %s", (answer, expected, bound, away) => {
    expect(boundsAway({ answer, expected, bound })).toBe(away);
  });
});

describe("rightDigits", () => {
  test.each([
    ["1001", "1000", 3],
    ["-1", "1", 0],
    ["nan", "1", 0],
    ["1", "1", 17],
    ["1", "0", 0],
  ])("of %s, where %s is expected, are %s", (answer, expected, right) => {
    expect(rightDigits({ answer, expected, bound: "1" })).toBeCloseTo(right, 12);
  });
});
