import { expect, test } from "vitest";
import { searchedCase } from "../../oracle/generate/index.ts";
import { countClasses, listed, readBlindList, seldom, unlisted } from "./blind.ts";
import { families } from "./blind_classes.ts";

test("every class that a case has is one of its family, and some have it", () => {
  const questions = Array.from({ length: 60 }, (_, index) => searchedCase(9, index));
  for (const [name, { all, in: classesIn }] of families) {
    const found = new Set(questions.flatMap((question) => [...classesIn(question)]));
    const known = new Set(all);
    expect([name, [...found].filter((one) => !known.has(one))]).toEqual([name, []]);
    const reached = all.length - seldom(countClasses(questions).get(name) ?? new Map(), 0).length;
    expect([name, reached]).toEqual([name, found.size]);
    expect(found.size).toBeGreaterThan(0);
  }
});

test("classes are listed by operator and read back", () => {
  const classes = ["var: no axis, correction 1", "var: all axes", "diamond", "sum: 8"];
  expect(listed(classes)).toEqual({ var: "no axis, correction 1; all axes", all: "diamond", sum: "8" });
  expect([...unlisted(listed(classes))].sort()).toEqual([...classes].sort());
});

test("the list that is kept names classes that there are", () => {
  for (const [name, lists] of Object.entries(readBlindList().classes)) {
    const known = new Set(families.get(name)?.all);
    expect(unlisted(lists).filter((one) => !known.has(one))).toEqual([]);
  }
});
