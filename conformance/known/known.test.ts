import { describe, expect, test } from "vitest";
import { noCounts, standingOf, type Verdict } from "../../oracle/index.ts";
import type { KnownFailure } from "../../spec/index.ts";
import { disagreement, section } from "../report/sections.test.kit.ts";
import { notMet, readKnown, updatedKnown, withKnown } from "./known.ts";
import { fromOn, isInRange } from "./versions.ts";

const name = section({}).description.name;
const crash: Verdict = { kind: "crashed", message: "request 7: lost" };
const wrongSum: KnownFailure = {
  kind: "disagrees",
  engine: name,
  versions: "*",
  operator: "sum",
  part: "value",
};
const lost: KnownFailure = { kind: "crashed", engine: name, versions: "*", message: "request #: lost" };

/** Describes a run in which a sum was wrong and the engine crashed once, and all else agrees. */
const run = section({
  tally: {
    ...section({}).tally,
    counts: { ...noCounts, agrees: 8, disagrees: 1, crashed: 1 },
    asked: new Set(["sum"]),
  },
  verdicts: [
    { case: 1, verdict: disagreement(0) },
    { case: 2, verdict: crash },
  ],
});

const outcomeWith = (...failures: KnownFailure[]) => standingOf(withKnown(run, failures)).kind;

describe("a run with known failures", () => {
  test("is green where every failure is known, and counts the cases of each", () => {
    const found = withKnown(run, [wrongSum, lost]);
    expect(standingOf(found).kind).toBe("agrees");
    expect(found.known).toEqual([
      { failure: wrongSum, cases: 1 },
      { failure: lost, cases: 1 },
    ]);
    expect(found.verdicts.map(({ known }) => known)).toEqual([wrongSum, lost]);
  });

  test.each([
    ["of another operator", { ...wrongSum, operator: "mean" }],
    ["of another part", { ...wrongSum, part: "cotangent" }],
    ["with other attributes", { ...wrongSum, attributes: "axes=[1], keepdims=false" }],
    ["of another question", { ...wrongSum, question: "vjp" }],
    ["in another precision", { ...wrongSum, dtype: "float32" }],
    ["of another engine", { ...wrongSum, engine: "another" }],
    ["of later versions", { ...wrongSum, versions: ">=7.0.0" }],
    ["that is a crash", { ...lost, message: "sum" }],
  ] as const)("fails where what is known is a failure %s", (_what, failure) => {
    expect(outcomeWith(failure, lost)).toBe("disagrees");
    expect(outcomeWith(wrongSum, lost)).toBe("agrees");
  });

  test.each([
    ...(["kind", "engine", "versions", "operator", "part"] as const).map(
      (field) => [wrongSum, field] as const,
    ),
    ...(["kind", "engine", "versions", "message"] as const).map((field) => [lost, field] as const),
  ])("has a list that names them: %o needs its %s", (failure, field) => {
    const read = (failures: unknown): boolean =>
      readKnown(JSON.stringify({ format: "adjudge.known.v1", failures })).ok;
    expect(read([failure])).toBe(true);
    expect(read([Object.fromEntries(Object.entries(failure).filter(([name]) => name !== field))])).toBe(
      false,
    );
  });

  test("fails for a crash that says something else", () => {
    expect(outcomeWith(wrongSum, { ...lost, message: "request #: late" })).toBe("crashed");
  });

  test("is not green when nearly all cases are excused", () => {
    const counts = { ...noCounts, disagrees: 10 };
    const bad = {
      ...run,
      tally: { ...run.tally, counts },
      verdicts: Array(10).fill({ case: 1, verdict: disagreement(0) }),
    };
    expect(standingOf(withKnown(bad, [wrongSum])).kind).toBe("nothing");
  });

  test("names known failures that no case showed", () => {
    const other = { ...wrongSum, attributes: "axes=[1], keepdims=false" };
    const foreign = { ...wrongSum, engine: "another" };
    expect(notMet([withKnown(run, [wrongSum, other, lost, foreign])])).toEqual([other]);
  });
});

describe("updatedKnown", () => {
  test("adds new failures in a stable order, after which all are known", () => {
    const document = updatedKnown([], [withKnown(run, [])]);
    expect(document.failures).toHaveLength(2);
    expect(outcomeWith(...document.failures)).toBe("agrees");
    expect(updatedKnown([...document.failures].reverse(), [withKnown(run, document.failures)])).toEqual(
      document,
    );
    expect(readKnown(JSON.stringify(document))).toEqual({ ok: true, value: document.failures });
  });

  test("keeps notes, other engines' failures and those not asked for, and drops those not met", () => {
    const noted = { ...wrongSum, note: "told upstream" };
    const foreign = { ...wrongSum, engine: "another" };
    const gone = { ...wrongSum, part: "tangent" } as const;
    const unasked = { ...wrongSum, operator: "mean" } as const;
    const failures = [noted, foreign, gone, unasked, lost];
    const kept = updatedKnown(failures, [withKnown(run, failures)]).failures;
    expect(new Set(kept)).toEqual(new Set([noted, foreign, unasked, lost]));
  });

  test("drops nothing after a run that was cut short", () => {
    const gone = { ...wrongSum, part: "tangent" } as const;
    const short = withKnown({ ...run, extent: { ...run.extent, ended: "time" } }, [gone, wrongSum, lost]);
    expect(updatedKnown([gone, wrongSum, lost], [short]).failures).toContain(gone);
  });
});

describe("readKnown", () => {
  test.each([
    ["[", "json/syntax"],
    ['{"format":"adjudge.known.v2","failures":[]}', "schema/const"],
    [JSON.stringify({ format: "adjudge.known.v1", failures: [{ ...wrongSum, operator: "sun" }] }), "schema/"],
    [
      JSON.stringify({ format: "adjudge.known.v1", failures: [{ ...wrongSum, versions: "new ones" }] }),
      "known/range",
    ],
  ])("refuses %s", (text, code) => {
    const read = readKnown(text);
    expect(read.ok ? "" : read.error[0]?.code).toContain(code);
  });

  test("says where a range is wrong", () => {
    const text = JSON.stringify({
      format: "adjudge.known.v1",
      failures: [lost, { ...wrongSum, versions: ">" }],
    });
    expect(readKnown(text)).toMatchObject({ ok: false, error: [{ pointer: "/failures/1/versions" }] });
  });
});

describe("versions", () => {
  test.each([
    ["2.15.0+cu132", ">=2.15.0 <2.16.0", true],
    ["2.16.0", ">=2.15.0 <2.16.0", false],
    ["1.9", ">=1.9.0", true],
    ["v3", "3.x", true],
    ["nightly", "*", true],
    ["nightly", ">=0.0.0", false],
  ])("%s is in %s: %s", (version, range, isIn) => {
    expect(isInRange(version, range)).toBe(isIn);
  });

  test("range from a version on", () => {
    expect([fromOn("2.15.0+cu132"), fromOn("1.9"), fromOn("nightly")]).toEqual([">=2.15.0", ">=1.9.0", "*"]);
  });
});
