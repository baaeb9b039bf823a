import { join } from "node:path";
import { reportJson } from "../../../conformance/report/index.ts";
import { disagreement, section } from "../../../conformance/report/sections.test.kit.ts";
import { noCounts } from "../../../oracle/index.ts";
import type { Issue, Result } from "../../../spec/shapes/index.ts";
import { type Job, type Series, type Subject, subjectId } from "./job.ts";
import { joinedSections, type Outcome, readOutcome } from "./outcome.ts";
import type { FileLimits } from "./schema.ts";
import { CampaignStore } from "./store.ts";

const { description } = section({});

export const subject: Subject = {
  label: "one",
  name: description.name,
  version: description.version,
  offer: "{}",
};

export const seriesOf = (seed: number, of: Subject = subject): Series => ({
  ...{ subject: subjectId(of), kind: "graphs", profile: "mix", seed, dtype: "float64" },
  ...{ lawsEvery: 4, adjudge: "0.1.0" },
});

/** Returns the value of a result that has one. */
export function present<T>(result: Result<T, Issue[]>): T {
  if (!result.ok) throw new Error(result.error.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return result.value;
}

/** Makes the report of a job, whose every tenth question is answered wrongly at one of two sums. */
export function reportOfJob({ first, count }: Pick<Job, "first" | "count">, asked = count): object {
  const places = Array.from({ length: asked }, (_, place) => first + place).filter((n) => n % 10 === 0);
  const counts = { ...noCounts, agrees: asked - places.length, disagrees: places.length };
  const one = section({
    tally: { ...section({}).tally, counts },
    extent: { cases: asked, operators: new Set(), ended: "all", seconds: 1 },
    verdicts: places.map((place) => ({ case: place, verdict: disagreement(place % 20 === 0 ? 0 : 1) })),
  });
  const run = { adjudge: "0.1.0", seed: 1, cases: asked, profile: "mix", lawsEvery: 4, shares: [] };
  return reportJson(run, [one]);
}

/** Makes the outcome of a job's first questions. */
export function outcomeOf(job: Job, asked: number = job.count): Outcome {
  const answered = { report: JSON.parse(JSON.stringify(reportOfJob(job, asked))), milliseconds: 10 };
  return present(readOutcome(job, asked, seriesOf(1), subject, answered));
}

/** Opens a new store in a folder, with a run and a series. */
export function newStore(
  folder: string,
  name = "campaign.db",
  limits: Partial<FileLimits> = {},
): {
  readonly store: CampaignStore;
  readonly run: number;
  readonly series: string;
} {
  const store = present(CampaignStore.open(join(folder, name), true, { join: joinedSections, ...limits }));
  present(store.addSubject(subject));
  const series = present(store.addSeries(seriesOf(1)));
  const run = present(store.beginRun(start("here:1"), () => false));
  return { store, run, series };
}

/** A run that a process has begun. */
export const start = (owner: string): Parameters<CampaignStore["beginRun"]>[0] => ({
  ...{ started: "2026-01-01T00:00:00Z", adjudge: "0.1.0", owner, words: "adjudge campaign run" },
});
