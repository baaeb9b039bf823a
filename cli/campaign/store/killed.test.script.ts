/**
 * `node killed.test.script.ts STORE` counts 5,000 questions into a store, as a campaign does, and prints a
 * line for each step. A test kills it at any of them. It loads no judge, so that it can be killed often.
 */
import process from "node:process";
import { type Job, type Series, subjectId } from "./job.ts";
import type { Outcome } from "./outcome.ts";
import { CampaignStore } from "./store.ts";

const [, , path = ""] = process.argv;
const opened = CampaignStore.open(path, true, { join: (_kind, a, b) => ({ ok: true, value: `${a}${b}` }) });
const store = present(opened);
const subject = { label: "one", name: "one", version: "1", offer: "{}" };
const series: Series = {
  ...{ subject: subjectId(subject), kind: "graphs", profile: "mix", seed: 1, dtype: "float64" },
  ...{ lawsEvery: 4, adjudge: "0.1.0" },
};
present(store.addSubject(subject));
const id = present(store.addSeries(series));
const started = { started: "2026-01-01T00:00:00Z", adjudge: "0.1.0", owner: `${process.pid}`, words: "test" };
const run = present(store.beginRun(started, () => true));
for (;;) {
  const claim = { run, worker: "w", now: 0, lease: 1, among: new Set([id]), most: 5000 };
  const job = present(store.claim(claim));
  if (job === undefined) break;
  process.stdout.write("claimed\n");
  present(store.finish(job, job.count, run, outcomeOf(job)));
  process.stdout.write("counted\n");
}
present(store.endRun(run, "2026-01-01T01:00:00Z"));

/** Every tenth question is answered wrongly. */
function outcomeOf({ first, count }: Job): Outcome {
  const places = Array.from({ length: count }, (_, place) => first + place).filter(
    (place) => place % 10 === 0,
  );
  const counts = {
    agrees: count - places.length,
    disagrees: places.length,
    undecided: 0,
    unsupported: 0,
    crashed: 0,
  };
  const failure = { sort: "disagrees", title: "sum value", operator: "sum", size: 1 } as const;
  const told = places.map((place) => ({ place, kind: "disagrees", failure, verdict: "{}" }));
  return { counts, milliseconds: 1, section: ".", told };
}

function present<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
