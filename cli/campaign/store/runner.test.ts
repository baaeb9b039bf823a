import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { section } from "../../../conformance/report/sections.test.kit.ts";
import { joinedSections } from "./outcome.ts";
import { durationOf, type Ended, Runner, type Surroundings } from "./runner.ts";
import { present, reportOfJob, start } from "./store.test.kit.ts";
import { CampaignStore } from "./store.ts";
import type { Said, Told } from "./worker.ts";
import type { StartWorker } from "./worker_process.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-runner-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { description } = section({});
const { name, version } = description;

/** A worker answers what it is told, or does something else. */
type Answer = (told: Told & { readonly kind: "ask" }) => Said | "dies" | "hangs";

const described: Said = {
  kind: "described",
  label: "one",
  engine: {
    name,
    version,
    dtypes: ["float64"],
    hasPrograms: false,
    hasTapes: false,
    bringsFunctions: false,
    offer: "{}",
  },
};

const right: Answer = ({ job }) => ({
  kind: "answered",
  job: job.id,
  asked: job.count,
  answered: { report: JSON.parse(JSON.stringify(reportOfJob(job))), milliseconds: 1 },
});

/** Makes workers that answer so; `ended` counts those that were killed. */
function workersThat(answer: Answer): { readonly start: StartWorker; readonly ended: () => number } {
  let ended = 0;
  const start: StartWorker = ({ hear, gone }) => {
    const tell = (told: Told): void => {
      if (told.kind === "describe") queueMicrotask(() => hear(described));
      if (told.kind !== "ask") return;
      const said = answer(told);
      if (said === "dies") queueMicrotask(() => gone("killed"));
      else if (said !== "hangs") queueMicrotask(() => hear(said));
    };
    return {
      tell,
      end: () => {
        ended += 1;
      },
    };
  };
  return { start, ended: () => ended };
}

let files = 0;

/** Runs a campaign of `most` questions; `during` may move the clock. */
async function campaign(
  answer: Answer,
  during: (runner: Runner, clock: { time: number }) => Promise<void> = async () => {},
  change: Partial<Surroundings> = {},
  most = 200,
): Promise<{ readonly store: CampaignStore; readonly ended: Ended; readonly killed: number }> {
  files += 1;
  const path = join(folder, `${files}.db`);
  const store = present(CampaignStore.open(path, true, { join: joinedSections }));
  const run = present(store.beginRun(start("here:1"), () => false));
  const clock = { time: 0 };
  const workers = workersThat(answer);
  const runner = new Runner(
    {
      ...{ labels: ["one"], kinds: ["graphs", "tapes", "programs"], dtypes: [], profile: "mix" },
      ...{ seed: 1, lawsEvery: 4, adjudge: "0.1.0", most },
    },
    {
      ...{ store, run, start: workers.start, workers: 2, lease: 1000 },
      now: () => clock.time,
      until: Number.POSITIVE_INFINITY,
      ...change,
    },
  );
  const end = runner.begin();
  await during(runner, clock);
  return { store, ended: await end, killed: workers.ended() };
}

/** Lets all that is due happen. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a run of a campaign", () => {
  test("asks all that is wanted, each question once, and ends", async () => {
    const { store, ended } = await campaign(right);
    expect(ended.issues).toEqual([]);
    expect(present(store.told.totals()).map(({ series: { kind }, questions }) => [kind, questions])).toEqual([
      ["graphs", 200],
    ]);
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("ends a worker that hangs when its lease is over, and has another ask its job", async () => {
    let isFirst = true;
    const once: Answer = (told) => {
      const hangs = isFirst;
      isFirst = false;
      return hangs ? "hangs" : right(told);
    };
    const { store, killed } = await campaign(once, async (runner, clock) => {
      await settled();
      clock.time = 999;
      runner.tick();
      await settled();
      clock.time = 1001;
      runner.tick();
    });
    expect(killed).toBeGreaterThan(0);
    expect(present(store.told.totals())[0]?.questions).toBe(200);
  });

  test("gives up the one question that kills every worker, and asks all others", async () => {
    const killing: Answer = (told) => {
      const { first, count } = told.job;
      return first <= 77 && 77 < first + count ? "dies" : right(told);
    };
    const { store } = await campaign(killing);
    const [total] = present(store.told.totals());
    expect([total?.questions, total?.dead]).toEqual([199, 1]);
  });

  test("ends when no worker lives, and gives up few questions for that", async () => {
    const { ended, store } = await campaign(() => "dies");
    expect(ended.issues).toMatchObject([{ code: "campaign/workers" }]);
    expect(present(store.told.totals())[0]?.dead).toBeLessThan(5);
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("counts no answer that is not of its job", async () => {
    const lying: Answer = (told) => {
      const said = right({ ...told, job: { ...told.job, first: told.job.first + 1000 } });
      return typeof said === "object" && said.kind === "answered" ? { ...said, job: told.job.id } : said;
    };
    const { store } = await campaign(lying, undefined, { workers: 1 }, 20);
    const [total] = present(store.told.totals());
    // A question answered rightly has no place, so that only those with a verdict can be told apart.
    expect(total?.counts.disagrees).toBe(0);
    expect(total?.dead).toBeGreaterThan(0);
  });

  test("names an engine that does not start, and asks it nothing", async () => {
    const { ended, store } = await campaign(({ label }) => ({
      kind: "broken",
      label,
      reason: "no such file",
    }));
    expect([...ended.broken]).toEqual([["one", "no such file"]]);
    expect(present(store.told.totals())[0]?.questions).toBe(0);
  });

  test("drains when its time is over: what was asked is counted, and the rest waits", async () => {
    const { store } = await campaign(
      ({ job }) => ({
        kind: "answered",
        job: job.id,
        asked: 7,
        answered: { report: JSON.parse(JSON.stringify(reportOfJob(job, 7))), milliseconds: 1 },
      }),
      async (runner, clock) => {
        clock.time = 5000;
        runner.tick();
      },
      { until: 5000, workers: 1 },
    );
    expect(present(store.told.totals())[0]?.questions ?? 0).toBeLessThanOrEqual(7);
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("gives the jobs back of workers that do not hand in", async () => {
    const { store, killed } = await campaign(
      () => "hangs",
      async (runner) => {
        await settled();
        runner.drain();
        runner.abandon();
      },
    );
    expect(killed).toBe(2);
    expect(store.told.checkSums().ok).toBe(true);
    const run = present(store.beginRun(start("here:2"), () => false));
    const among = new Set(present(store.told.totals()).map(({ id }) => id));
    const claim = { run, worker: "w", now: 0, lease: 1, among, most: 200 };
    expect(present(store.claim(claim))?.first).toBe(0);
  });
});

test.each([
  ["8h", 28_800_000],
  ["90m", 5_400_000],
  ["1h30m", 5_400_000],
  ["2d", 172_800_000],
  ["15s", 15_000],
])("%s is a time", (text, milliseconds) => expect(present(durationAs(text))).toBe(milliseconds));

test.each(["", "8", "h", "8 h", "8h!", "-8h", "1.5h"])("%j is no time", (text) =>
  expect(durationOf(text).ok).toBe(false));

function durationAs(text: string): { readonly ok: true; readonly value: number } {
  const read = durationOf(text);
  if (!read.ok) throw new Error(read.error);
  return read;
}
