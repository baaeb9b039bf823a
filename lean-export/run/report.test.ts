import { expect, test } from "vitest";
import { complaintOf, reportRun } from "./report.ts";

const panics = "PANIC at outOfBounds Init.GetElem:17:2: index out of bounds\n".repeat(600);

test.each([
  [`no memory\n${panics}`, "no memory"],
  [`${panics}a\nb\n`, "a\nb"],
  [panics, "Lean exited with code 1"],
])("a run that fails is told by what is on standard error beside the panics of every run", (stderr, reason) => {
  const ending = { kind: "exited", code: 1 } as const;
  expect(complaintOf(reportRun({ ending, stdout: "", stderr, milliseconds: 1 }))).toBe(reason);
});
