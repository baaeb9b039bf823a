import { describe, expect, test } from "vitest";
import { disagreement } from "../../sections.test.kit.ts";
import { digitsByOperator } from "./digits.ts";
import { boundsAway, digitsOf } from "./numbers.ts";
import { blamedSection, reportOf } from "./page.test.kit.ts";

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

describe("digitsOf", () => {
  test.each([
    ["1001", "1000", "1/1000", 3, 6],
    ["-1", "1", "1/10", 0, 1],
    ["nan", "1", "1/10", 0, 1],
    ["1", "1", "0", 17, 17],
    ["1", "0", "1", 0, 0],
  ])("of %s, where %s within %s is expected, are %s of %s", (answer, expected, bound, right, asked) => {
    const digits = digitsOf({ answer, expected, bound });
    expect(digits.right).toBeCloseTo(right, 12);
    expect(digits.asked).toBeCloseTo(asked, 12);
  });

  test("are counted by operator, of the answers that disagree", () => {
    const [first, ...others] = digitsByOperator(reportOf(blamedSection([disagreement(0), disagreement(1)])));
    expect(others).toEqual([]);
    expect(first).toMatchObject({ operator: "sum", cases: 2, least: 0, counts: new Map([[0, 2]]) });
  });
});
