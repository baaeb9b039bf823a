import { describe, expect, it } from "vitest";
import { checkAll, fail, formatIssue, InvariantError, type Issue, ok, present } from "./result.ts";

const issue: Issue = { code: "area/what", pointer: "/x", message: "It is wrong.", hint: "mend it" };

describe("checkAll", () => {
  it("gives all values in order, or the issues of all that failed", () => {
    expect(checkAll([1, 2], (x, i) => ok([x, i]))).toEqual(
      ok([
        [1, 0],
        [2, 1],
      ]),
    );
    expect(checkAll([1, 2, 3], (x) => (x === 2 ? ok(x) : fail([issue])))).toEqual(fail([issue, issue]));
    expect(checkAll([], () => fail([issue]))).toEqual(ok([]));
  });

  it("stops looking after 100 issues", () => {
    let looked = 0;
    const result = checkAll(new Array(1000).fill(0), () => {
      looked += 1;
      return fail([issue, issue, issue]);
    });
    expect(looked).toBe(34);
    expect(result.ok ? 0 : result.error.length).toBe(100);
  });
});

it("formatIssue names the whole document where the pointer is empty", () => {
  expect(formatIssue(issue)).toBe("area/what at /x: It is wrong. Hint: mend it");
  expect(formatIssue({ ...issue, pointer: "" })).toContain("at the document:");
});

it("present passes on what is there, even if it is false or 0, and throws where nothing is", () => {
  expect(present(0, "zero")).toBe(0);
  expect(present(null, "null")).toBe(null);
  expect(() => present(undefined, "it")).toThrow(InvariantError);
});
