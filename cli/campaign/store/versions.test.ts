import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Subject, subjectId } from "./job.ts";
import { joinedSections, type Outcome } from "./outcome.ts";
import { outcomeOf, present, seriesOf, start, subject } from "./store.test.kit.ts";
import { CampaignStore } from "./store.ts";
import { changesOf, commonSpans, type VersionChange } from "./versions.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-versions-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A version has shown these faults, each at one question, and was asked so many. */
interface Asked {
  readonly version: string;
  readonly questions: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly offer?: string;
}

let files = 0;

/** Compares versions whose questions were counted so. */
function compared(...all: readonly Asked[]): readonly VersionChange[] {
  files += 1;
  using store = present(CampaignStore.open(join(folder, `${files}.db`), true, { join: joinedSections }));
  const run = present(store.beginRun(start("here:1"), () => false));
  for (const { version, questions, faults, offer = "{}" } of all) {
    const own: Subject = { ...subject, version, offer };
    present(store.addSubject(own));
    const series = present(store.addSeries({ ...seriesOf(1), subject: subjectId(own) }));
    for (;;) {
      const among = new Set([series]);
      const job = present(store.claim({ run, worker: "w", now: 0, lease: 1, among, most: questions }));
      if (job === undefined) break;
      const told = Object.entries(faults).flatMap(([title, place]): Outcome["told"] =>
        place < job.first || place >= job.first + job.count
          ? []
          : [{ place, kind: "disagrees", verdict: "{}", failure: { sort: "disagrees", title, size: 1 } }],
      );
      const counts = {
        agrees: job.count - told.length,
        disagrees: told.length,
        undecided: 0,
        unsupported: 0,
        crashed: 0,
      };
      present(
        store.finish(job, job.count, run, {
          ...outcomeOf(job),
          counts,
          told,
          section: outcomeOf(job).section,
        }),
      );
    }
  }
  return present(changesOf(store.told));
}

const titles = ({ broke, mended, common }: VersionChange): unknown => ({
  common,
  broke: broke.map(({ title }) => title),
  mended: mended.map(({ title }) => title),
});

describe("two versions of an engine", () => {
  test("are compared in the order of versions, whoever was asked first", () => {
    const [change, ...others] = compared(
      { version: "1.10.0", questions: 100, faults: { "sum value": 7 } },
      { version: "1.9.0", questions: 100, faults: { "relu cotangent": 12 } },
    );
    expect(others).toEqual([]);
    expect([change?.before.version, change?.after.version]).toEqual(["1.9.0", "1.10.0"]);
    expect(change && titles(change)).toEqual({
      common: 100,
      broke: ["sum value"],
      mended: ["relu cotangent"],
    });
  });

  test("do not differ by what one of them alone was asked", () => {
    const [change] = compared(
      { version: "1.0.0", questions: 50, faults: {} },
      { version: "2.0.0", questions: 200, faults: { "sum value": 120 } },
    );
    expect(change && titles(change)).toEqual({ common: 50, broke: [], mended: [] });
  });

  test("have a fault in common that they show at different questions", () => {
    const [change] = compared(
      { version: "1.0.0", questions: 100, faults: { "sum value": 80 } },
      { version: "2.0.0", questions: 50, faults: { "sum value": 3 } },
    );
    expect(change && titles(change)).toEqual({ common: 50, broke: [], mended: [] });
  });

  test("that offer other operators were asked other questions", () => {
    const [change] = compared(
      { version: "1.0.0", questions: 50, faults: {}, offer: '{"description":{"operators":["add"]}}' },
      {
        version: "2.0.0",
        questions: 50,
        faults: { "sum value": 3 },
        offer: '{"description":{"operators":["sum"]}}',
      },
    );
    expect(change && titles(change)).toEqual({ common: 0, broke: [], mended: [] });
  });
});

test("spans have in common what is in both", () => {
  const spans = (...pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([first, end]) => ({ first, end }));
  expect(commonSpans(spans([0, 10], [20, 30]), spans([5, 25]))).toEqual(spans([5, 10], [20, 25]));
  expect(commonSpans(spans([0, 10]), spans([10, 20]))).toEqual([]);
  expect(commonSpans([], spans([0, 1]))).toEqual([]);
});
