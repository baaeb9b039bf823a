import { expect, test } from "vitest";
import { noCounts } from "../../oracle/index.ts";
import type { ReportJson } from "../../spec/index.ts";
import { compareReports } from "./compare.ts";
import { reportJson, type Section } from "./json.ts";
import { disagreement, section } from "./sections.test.kit.ts";

const plain = section({});

function reportOf(verdicts: Section["verdicts"], change: Partial<Section> = {}): ReportJson {
  const counts = { ...noCounts, agrees: 5, disagrees: verdicts.length };
  const tally = { ...plain.tally, counts, asked: new Set(["sum"] as const) };
  const run = { adjudge: "0.1.0", seed: 1, cases: 10, profile: "mix", lawsEvery: 4, shares: [] };
  return reportJson(run, [section({ tally, verdicts, ...change })]);
}

const wrong = [
  { case: 1, verdict: disagreement(0) },
  { case: 2, verdict: disagreement(0) },
];
const [good, bad] = [reportOf([]), reportOf(wrong)];

test("a failure that is only in the later report broke, one only in the earlier is mended", () => {
  expect(compareReports(good, bad)).toMatchObject({
    broke: [{ title: expect.stringContaining("sum value"), before: 0, after: 2 }],
    mended: [],
    still: [],
  });
  expect(compareReports(bad, good)).toMatchObject({
    broke: [],
    mended: [{ before: 2, after: 0 }],
    still: [],
  });
});

test("a failure in both reports is the same, whatever the cases and the version", () => {
  const later = reportOf(wrong.slice(0, 1), { description: { ...plain.description, version: "9" } });
  expect(compareReports(bad, later)).toMatchObject({
    broke: [],
    mended: [],
    still: [{ before: 2, after: 1 }],
  });
});

test("a fault of an operator that nobody asked for again is not called mended", () => {
  const unasked = reportOf([], { tally: plain.tally });
  expect(compareReports(bad, unasked)).toMatchObject({ mended: [], unasked: [{ before: 2 }] });
});

test("an engine in one report alone is named, and counts as no failure", () => {
  const other = reportOf(wrong, { description: { ...plain.description, name: "another" } });
  expect(compareReports(good, other)).toMatchObject({
    broke: [],
    gone: ["adjudge interpreter, float64"],
    added: ["another, float64"],
  });
});
