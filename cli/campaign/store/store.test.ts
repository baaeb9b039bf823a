import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { jobOf } from "./job.ts";
import { joinedSections, readOutcome } from "./outcome.ts";
import { campaignOf } from "./reports.ts";
import {
  subject as known,
  newStore,
  outcomeOf,
  present,
  reportOfJob,
  seriesOf,
  start,
} from "./store.test.kit.ts";
import { CampaignStore, type Claim } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const nextFile = (): number => {
  files += 1;
  return files;
};
const fresh = (): ReturnType<typeof newStore> => newStore(folder, `${nextFile()}.db`);

const claim = (run: number, series: readonly string[], change: Partial<Claim> = {}): Claim => ({
  ...{ run, worker: "w1", now: 0, lease: 1000, among: new Set(series), most: 200 },
  ...change,
});

describe("a store of a campaign", () => {
  test("gives out each question of a series once, up to the most that are wanted", () => {
    const { store, run, series } = fresh();
    const spans: string[] = [];
    for (;;) {
      const job = present(store.claim(claim(run, [series], { most: 120 })));
      if (job === undefined) break;
      spans.push(`${job.first}+${job.count}`);
      expect(present(store.finish(job, job.count, run, outcomeOf(job)))).toBe("counted");
    }
    expect(spans).toEqual(["0+50", "50+50", "100+20"]);
    expect(present(store.told.totals())[0]?.counts).toMatchObject({ agrees: 108, disagrees: 12 });
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("counts the second outcome of a job for nothing", () => {
    const { store, run, series } = fresh();
    const job = present(store.claim(claim(run, [series]))) ?? jobOf(series, 0, 1);
    expect(present(store.finish(job, 50, run, outcomeOf(job)))).toBe("counted");
    expect(present(store.finish(job, 50, run, outcomeOf(job)))).toBe("known");
    expect(present(store.told.totals())[0]?.questions).toBe(50);
  });

  test("keeps each fault once, with its smallest witness and the count of its cases", () => {
    const { store, run, series } = fresh();
    for (let n = 0; n < 2; n++) {
      const job = present(store.claim(claim(run, [series])));
      if (job !== undefined) present(store.finish(job, 50, run, outcomeOf(job)));
    }
    const findings = present(store.told.findings());
    expect(findings.map(({ title, operator, cases, place }) => [title, operator, cases, place])).toEqual([
      ["sum value", "sum", 10, 0],
    ]);
    expect(JSON.parse(findings[0]?.verdict ?? "").witness.blame.op).toBe("sum");
  });

  test("asks first what has been asked least, and then what took least time", () => {
    const { store, run, series } = fresh();
    const other = present(store.addSeries(seriesOf(2)));
    const order: string[] = [];
    for (let n = 0; n < 10; n++) {
      const job = present(store.claim(claim(run, [series, other], { most: 1000 })));
      if (job === undefined) throw new Error("there is a job");
      order.push(job.series === series ? "a" : "b");
      const outcome = { ...outcomeOf(job), milliseconds: job.series === series ? 100 : 1 };
      present(store.finish(job, job.count, run, outcome));
    }
    // Each has its first look of 200 questions; then the second costs less time.
    expect(order.slice(0, 8).filter((one) => one === "a")).toHaveLength(4);
    expect(order.slice(8)).toEqual(["b", "b"]);
  });

  test("takes a job back when its lease is over, and gives it to the next worker", () => {
    const { store, run, series } = fresh();
    const job = present(store.claim(claim(run, [series])));
    if (job === undefined) throw new Error("there is a job");
    expect(present(store.renew(job, "w1", 3000))).toBe(true);
    expect(present(store.takeOver(2999))).toEqual([]);
    expect(present(store.takeOver(3001))).toEqual(["w1"]);
    expect(present(store.renew(job, "w1", 9000))).toBe(false);
    expect(present(store.claim(claim(run, [series], { worker: "w2" })))?.id).toBe(job.id);
  });

  test("halves a job that fails twice, until the question that kills is given up alone", () => {
    const { store, run, series } = fresh();
    const killing = 37;
    for (let n = 0; n < 60; n++) {
      const job = present(store.claim(claim(run, [series], { most: 50 })));
      if (job === undefined) break;
      const isHit = job.first <= killing && killing < job.first + job.count;
      if (isHit) present(store.failed(job, "w1", "the worker was killed"));
      else present(store.finish(job, job.count, run, outcomeOf(job)));
    }
    const [total] = present(store.told.totals());
    expect([total?.questions, total?.dead]).toEqual([49, 1]);
    expect(
      present(store.told.spans(series)).some(({ first, end }) => first <= killing && killing < end),
    ).toBe(false);
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("takes the part of a job that is handed in, and asks the rest later", () => {
    const { store, run, series } = fresh();
    const job = present(store.claim(claim(run, [series])));
    if (job === undefined) throw new Error("there is a job");
    present(store.finish(job, 13, run, outcomeOf(job, 13)));
    expect(present(store.finish(job, 50, run, outcomeOf(job)))).toBe("known");
    expect(present(store.claim(claim(run, [series])))).toMatchObject({ first: 13, count: 37 });
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("gives the jobs of a run whose owner is gone to the next run", () => {
    const { store, run, series } = fresh();
    const job = present(store.claim(claim(run, [series])));
    const next = present(store.beginRun(start("here:2"), (owner) => owner === "here:1"));
    expect(present(store.claim(claim(next, [series])))?.id).toBe(job?.id);
    const third = present(store.beginRun(start("here:3"), () => false));
    expect(present(store.claim(claim(third, [series])))?.first).toBe(50);
  });

  test("takes a text that nobody wrote there for damage", async () => {
    for (const sql of ["UPDATE tallies SET section = 'x'", "UPDATE series SET kind = 'y'"]) {
      const { store, run, series } = fresh();
      const job = present(store.claim(claim(run, [series])));
      if (job !== undefined) present(store.finish(job, 50, run, outcomeOf(job)));
      const file = new DatabaseSync(join(folder, `${files}.db`));
      file.exec(sql);
      file.close();
      expect(await campaignOf(store.told, "0.1.0")).toMatchObject({
        ok: false,
        error: [{ code: "store/damaged" }],
      });
    }
  });

  test("notices a store whose sums are wrong", () => {
    const { store, run, series } = fresh();
    const job = present(store.claim(claim(run, [series])));
    if (job !== undefined) present(store.finish(job, 50, run, outcomeOf(job)));
    const file = new DatabaseSync(join(folder, `${files}.db`));
    file.exec("UPDATE tallies SET questions = 51, agrees = agrees + 1");
    file.close();
    expect(store.told.checkSums()).toMatchObject({ ok: false, error: [{ code: "store/sums" }] });
  });
});

describe("a worker's word is refused", () => {
  const job = jobOf("s", 100, 20);
  const good = JSON.parse(JSON.stringify(reportOfJob(job)));
  const codes = (report: unknown, asked = 20): string[] => {
    const read = readOutcome(job, asked, seriesOf(1), known, { report, milliseconds: 1 });
    return read.ok ? [] : read.error.map(({ code }) => code);
  };

  test("unless it is right", () => expect(codes(good)).toEqual([]));

  test.each<[string, (report: typeof good) => unknown]>([
    ["outcome/questions", (one) => (one.engines[0].verdicts[0].case = 99)],
    ["outcome/questions", (one) => (one.engines[0].verdicts[0].case = one.engines[0].verdicts[1].case)],
    ["outcome/questions", (one) => one.engines[0].verdicts.pop()],
    ["outcome/questions", (one) => (one.engines[0].counts.agrees += 1)],
    ["outcome/subject", (one) => (one.engines[0].description.version = "9")],
    ["outcome/subject", (one) => (one.engines[0].dtype = "float32")],
    ["outcome/engines", (one) => one.engines.push(one.engines[0])],
    ["outcome/engines", (one) => one.engines.pop()],
  ])("with %s", (code, spoil) => {
    const bad = structuredClone(good);
    spoil(bad);
    expect(codes(bad)).toEqual([code]);
  });

  test("if it is no report", () => {
    for (const report of [null, 7, "report", [], {}, { format: "adjudge.report.v1" }])
      expect(codes(report).length).toBeGreaterThan(0);
  });
});

describe("a file that is no good store is refused, with what to do", () => {
  const codeOf = (path: string, isNew = false): string => {
    const opened = CampaignStore.open(path, isNew, { join: joinedSections });
    if (opened.ok) opened.value[Symbol.dispose]();
    return opened.ok ? "" : opened.error.map(({ code, hint }) => (hint === "" ? "" : code)).join(" ");
  };
  const path = (name: string): string => join(folder, name);

  test("if it is not there", () => expect(codeOf(path("none.db"))).toBe("store/none"));

  test("if its folder is not there", () => expect(codeOf(path("no/such.db"), true)).toBe("store/unwritable"));

  test("if it is a text, or cut off", () => {
    writeFileSync(path("text.db"), "no database, but long enough to have a header".repeat(40));
    expect(codeOf(path("text.db"))).toBe("store/damaged");
    const { store } = newStore(folder, "cut.db");
    store[Symbol.dispose]();
    truncateSync(path("cut.db"), 9000);
    expect(codeOf(path("cut.db"))).toBe("store/damaged");
  });

  test("if it is of something else, or of a later version", () => {
    const other = new DatabaseSync(path("other.db"));
    other.exec("CREATE TABLE t (x)");
    other.close();
    expect(codeOf(path("other.db"), true)).toBe("store/foreign");
    newStore(folder, "newer.db").store[Symbol.dispose]();
    const newer = new DatabaseSync(path("newer.db"));
    newer.exec("PRAGMA user_version = 2");
    newer.close();
    expect(codeOf(path("newer.db"))).toBe("store/newer");
  });

  test("if the disk is full, and what was there stays", () => {
    const { store, run, series } = newStore(folder, "full.db", { pages: 60 });
    let issue: string | undefined;
    let counted = 0;
    while (issue === undefined) {
      const job = store.claim(claim(run, [series], { most: 1e6 }));
      const done =
        job.ok && job.value !== undefined ? store.finish(job.value, 50, run, outcomeOf(job.value)) : job;
      if (done.ok) counted += 50;
      else issue = done.error[0]?.code;
    }
    expect(issue).toBe("store/full");
    expect(present(store.told.totals())[0]?.questions).toBe(counted);
    expect(store.told.checkSums().ok).toBe(true);
  });

  test("if another process holds it too long", () => {
    const { store, run, series } = newStore(folder, "held.db", { patience: 50 });
    const holder = new DatabaseSync(path("held.db"));
    holder.exec("BEGIN IMMEDIATE");
    expect(store.claim(claim(run, [series]))).toMatchObject({ ok: false, error: [{ code: "store/locked" }] });
    holder.exec("COMMIT");
    holder.close();
    expect(store.claim(claim(run, [series])).ok).toBe(true);
  });
});

/**
 * Counts questions in a process of its own until it is killed, or all are counted; resolves with its last
 * words.
 */
function counting(path: string, killAfter: number): Promise<"killed" | "done"> {
  const script = fileURLToPath(new URL("./killed.test.script.ts", import.meta.url));
  const child = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] });
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    lines += chunk.toString().split("\n").length - 1;
    if (lines >= killAfter) child.kill("SIGKILL");
  });
  return new Promise((resolve) =>
    child.on("close", (_code, signal) => resolve(signal === "SIGKILL" ? "killed" : "done")),
  );
}

test("kill -9 loses nothing that was counted, and has nothing counted twice, at 5 moments", async () => {
  const path = join(folder, "killed.db");
  const ends: string[] = [];
  for (let round = 1; round <= 5; round++) {
    ends.push(await counting(path, 3 * round));
    using store = present(CampaignStore.open(path, true, { join: joinedSections }));
    expect(store.told.checkSums().ok).toBe(true);
  }
  ends.push(await counting(path, Number.POSITIVE_INFINITY));
  expect(ends).toEqual(["killed", "killed", "killed", "killed", "killed", "done"]);
  using store = present(CampaignStore.open(path, false, { join: joinedSections }));
  expect(store.told.checkSums().ok).toBe(true);
  const [total] = present(store.told.totals());
  expect([total?.questions, total?.counts.disagrees, total?.dead]).toEqual([5000, 500, 0]);
});
