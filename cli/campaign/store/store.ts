import { InvariantError, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { type Job, jobOf, type Series, type SeriesKind, type Subject, seriesId, subjectId } from "./job.ts";
import type { Outcome, ToldVerdict } from "./outcome.ts";
import type { FileLimits } from "./schema.ts";
import { numberIn, type Row, Tables, textIn } from "./tables.ts";
import { type JoinSections, kindIn, type RunStart, StoreView } from "./view.ts";

/** A job for a worker, which has it until its lease is over. */
export interface Claim {
  readonly run: number;
  readonly worker: string;
  /** In milliseconds, as the caller's clock tells time. */
  readonly now: number;
  readonly lease: number;
  /** Jobs of these series are given out. */
  readonly among: ReadonlySet<string>;
  /** A job of this series is preferred: its engine is running. */
  readonly preferred?: string;
  /** No series is asked more questions than these. */
  readonly most: number;
}

/** These options are for a store's file, and say how the tallies of two parts of a series are added. */
export interface StoreOptions extends Partial<FileLimits> {
  readonly join: JoinSections;
}

/** Every engine is asked so many questions of each series before time is shared out. */
const FIRST_LOOK = 200;

/** A job has so many questions. */
const BATCH = 50;

/** Functions are brought in one conversation from the first on, so that a job is to have all of them. */
const FUNCTIONS = 1000;

/** A job that fails so often is split, and a single question given up. */
const ATTEMPTS = 2;

/**
 * A campaign's memory in one file. Laws: what a call has returned is on the disk, and a call that fails or is
 * killed has changed nothing; each question of a series is counted at most once, whoever asks it how often.
 */
export class CampaignStore implements Disposable {
  readonly #tables: Tables;
  /** What the store tells. */
  readonly told: StoreView;

  readonly #join: JoinSections;

  private constructor(tables: Tables, join: JoinSections) {
    this.#tables = tables;
    this.#join = join;
    this.told = new StoreView(tables, join);
  }

  /** Opens a store, and makes it if `isNew` allows that. Fails: as `openFile` does. */
  static open(
    path: string,
    isNew: boolean,
    { join, ...limits }: StoreOptions,
  ): Result<CampaignStore, Issue[]> {
    const tables = Tables.open(path, isNew, limits);
    return tables.ok ? ok(new CampaignStore(tables.value, join)) : tables;
  }

  [Symbol.dispose](): void {
    this.#tables[Symbol.dispose]();
  }

  /** Begins a run, and takes back the jobs of runs whose owners are gone. */
  beginRun(run: RunStart, isGone: (owner: string) => boolean): Result<number, Issue[]> {
    return this.#tables.changed(() => {
      for (const row of this.#tables.all(
        "SELECT DISTINCT r.id, r.owner FROM runs r JOIN jobs j ON j.run = r.id WHERE j.state = 'leased'",
      ))
        if (isGone(textIn(row, "owner")))
          this.#tables.run(
            "UPDATE jobs SET state = 'waiting', worker = NULL WHERE run = ? AND state = 'leased'",
            numberIn(row, "id"),
          );
      this.#tables.run(
        "INSERT INTO runs (started, adjudge, owner, words) VALUES (?, ?, ?, ?)",
        run.started,
        run.adjudge,
        run.owner,
        run.words,
      );
      return numberIn(this.#tables.one("SELECT last_insert_rowid() AS id"), "id");
    });
  }

  endRun(run: number, ended: string): Result<void, Issue[]> {
    return this.#tables.changed(() => {
      this.#tables.run("UPDATE runs SET ended = ? WHERE id = ?", ended, run);
    });
  }

  /** Keeps a subject, and returns its id. */
  addSubject(subject: Subject): Result<string, Issue[]> {
    const id = subjectId(subject);
    const { label, name, version, offer } = subject;
    const sql = "INSERT OR IGNORE INTO subjects (id, label, name, version, offer) VALUES (?, ?, ?, ?, ?)";
    return this.#tables.changed(() => {
      this.#tables.run(sql, id, label, name, version, offer);
      return id;
    });
  }

  /** Keeps a series, and returns its id. */
  addSeries(series: Series): Result<string, Issue[]> {
    const id = seriesId(series);
    const { subject, kind, profile, seed, dtype, lawsEvery, adjudge } = series;
    const sql = `INSERT OR IGNORE INTO series (id, subject, kind, profile, seed, dtype, laws_every, adjudge)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    return this.#tables.changed(() => {
      this.#tables.run(sql, id, subject, kind, profile, seed, dtype, lawsEvery, adjudge);
      return id;
    });
  }

  /**
   * Gives a worker the job that is most in need: of series that few questions were asked of first, then
   * of those that took least time. Questions handed back come before new ones.
   */
  claim(claim: Claim): Result<Job | undefined, Issue[]> {
    return this.#tables.changed(() => {
      for (const series of this.#inNeed(claim)) {
        const waiting = this.#tables.maybe(
          "SELECT id, first, count FROM jobs WHERE series = ? AND state = 'waiting' ORDER BY first LIMIT 1",
          series,
        );
        const job = waiting === undefined ? this.#further(series, claim.most) : jobIn(series, waiting);
        if (job === undefined) continue;
        this.#tables.run(
          "UPDATE jobs SET state = 'leased', worker = ?, run = ?, until = ? WHERE id = ?",
          claim.worker,
          claim.run,
          claim.now + claim.lease,
          job.id,
        );
        return job;
      }
      return undefined;
    });
  }

  /** Lists the series that may be asked, the most in need first. */
  #inNeed({ among, preferred }: Claim): string[] {
    const rows = this.#tables.all(`SELECT id,
      next - (SELECT coalesce(sum(count), 0) FROM jobs WHERE series = s.id AND state = 'waiting') AS taken,
      (SELECT coalesce(sum(milliseconds), 0) FROM tallies WHERE series = s.id) AS spent
      FROM series s WHERE closed = 0 AND NOT (kind = 'functions' AND
        EXISTS (SELECT 1 FROM jobs WHERE series = s.id AND state = 'leased')) ORDER BY place`);
    const needs = rows.flatMap((row) => {
      const [id, taken] = [textIn(row, "id"), numberIn(row, "taken")];
      const need = { id, taken: Math.min(taken, FIRST_LOOK), spent: numberIn(row, "spent") };
      return among.has(id) ? [need] : [];
    });
    const order = needs.toSorted((a, b) => a.taken - b.taken || a.spent - b.spent).map(({ id }) => id);
    return preferred !== undefined && order.includes(preferred) ? [preferred, ...order] : order;
  }

  /** Makes the job of the next questions of a series. */
  #further(series: string, most: number): Job | undefined {
    const row = this.#tables.one("SELECT next, kind FROM series WHERE id = ?", series);
    const next = numberIn(row, "next");
    const count = Math.min(kindIn(row) === "functions" ? FUNCTIONS : BATCH, most - next);
    if (count <= 0) return undefined;
    const job = jobOf(series, next, count);
    this.#tables.run("UPDATE series SET next = ? WHERE id = ?", next + count, series);
    this.#put(job, "waiting");
    return job;
  }

  /** Prolongs a lease; a worker that has lost its job learns so. */
  renew(job: Job, worker: string, until: number): Result<boolean, Issue[]> {
    const sql = "UPDATE jobs SET until = ? WHERE id = ? AND worker = ? AND state = 'leased'";
    return this.#tables.changed(() => this.#tables.run(sql, until, job.id, worker) > 0);
  }

  /**
   * Counts the first `asked` questions of a job; the others wait again. Law: the second outcome of a job is
   * dropped, whoever brings it, and so is that of a job which was meanwhile split. If `isAll`, its series has
   * no question behind them, and is closed.
   */
  finish(
    job: Job,
    asked: number,
    run: number,
    outcome: Outcome,
    isAll: boolean = false,
  ): Result<"counted" | "known", Issue[]> {
    return this.#tables.changed(() => {
      const state = this.#tables.maybe("SELECT state FROM jobs WHERE id = ?", job.id)?.state;
      if (state !== "leased" && state !== "waiting") return "known";
      if (asked < job.count) {
        this.#tables.run("DELETE FROM jobs WHERE id = ?", job.id);
        if (asked > 0) this.#put(jobOf(job.series, job.first, asked), "done", run);
        const rest = jobOf(job.series, job.first + asked, job.count - asked);
        if (isAll)
          this.#tables.run("UPDATE series SET next = ?, closed = 1 WHERE id = ?", rest.first, job.series);
        else this.#put(rest, "waiting");
      } else
        this.#tables.run("UPDATE jobs SET state = 'done', worker = NULL, run = ? WHERE id = ?", run, job.id);
      if (asked > 0) this.#count(job.series, asked, run, outcome);
      return "counted";
    });
  }

  #count(series: string, asked: number, run: number, outcome: Outcome): void {
    const row = this.#tables.one("SELECT kind, subject FROM series WHERE id = ?", series);
    const [kind, subject] = [kindIn(row), textIn(row, "subject")];
    const { counts, milliseconds, told } = outcome;
    const { agrees, disagrees, undecided, unsupported, crashed } = counts;
    const before = this.#tables.maybe(
      "SELECT section FROM tallies WHERE series = ? AND run = ?",
      series,
      run,
    );
    const joined =
      before === undefined
        ? ok(outcome.section)
        : this.#join(kind, textIn(before, "section"), outcome.section);
    if (!joined.ok) throw new InvariantError("the parts of a series are of one engine");
    this.#tables.run(
      `INSERT INTO tallies (series, run, questions, agrees, disagrees, undecided, unsupported, crashed,
        milliseconds, section) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        questions = questions + excluded.questions, agrees = agrees + excluded.agrees,
        disagrees = disagrees + excluded.disagrees, undecided = undecided + excluded.undecided,
        unsupported = unsupported + excluded.unsupported, crashed = crashed + excluded.crashed,
        milliseconds = milliseconds + excluded.milliseconds, section = excluded.section`,
      ...[series, run, asked, agrees, disagrees, undecided, unsupported, crashed],
      ...[Math.round(milliseconds), joined.value],
    );
    for (const verdict of told) this.#tell(subject, kind, series, run, verdict);
  }

  /** Keeps a verdict, and the fault that it shows; the witness of a fault is the smallest. */
  #tell(subject: string, kind: SeriesKind, series: string, run: number, told: ToldVerdict): void {
    const { place, failure, verdict } = told;
    this.#tables.run(
      "INSERT INTO verdicts (series, place, run, kind, fault, size, verdict) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[series, place, run, told.kind, failure?.title ?? null, failure?.size ?? 0, verdict],
    );
    if (failure === undefined) return;
    const { sort, title, operator = null, size } = failure;
    this.#tables.run(
      `INSERT INTO findings (subject, kind, sort, fault, operator, cases, size, series, place, run)
        VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET cases = cases + 1,
        series = iif(excluded.size < size, excluded.series, series),
        place = iif(excluded.size < size, excluded.place, place), size = min(size, excluded.size)`,
      ...[subject, kind, sort, title, operator, size, series, place, run],
    );
  }

  /** Takes a job back that its worker did not begin. */
  giveBack(job: Job, worker: string): Result<void, Issue[]> {
    const sql =
      "UPDATE jobs SET state = 'waiting', worker = NULL WHERE id = ? AND worker = ? AND state = 'leased'";
    return this.#tables.changed(() => {
      this.#tables.run(sql, job.id, worker);
    });
  }

  /** Says that a job came to nothing: it is asked again, then split, and a single question is given up. */
  failed(job: Job, worker: string, why: string): Result<void, Issue[]> {
    return this.#tables.changed(() => this.#fail(job, worker, why));
  }

  #fail(job: Job, worker: string, why: string): void {
    const row = this.#tables.maybe(
      "SELECT attempts FROM jobs WHERE id = ? AND worker = ? AND state = 'leased'",
      job.id,
      worker,
    );
    if (row === undefined) return;
    const attempts = numberIn(row, "attempts") + 1;
    if (attempts >= ATTEMPTS && job.count > 1) {
      const half = Math.ceil(job.count / 2);
      this.#tables.run("DELETE FROM jobs WHERE id = ?", job.id);
      this.#put(jobOf(job.series, job.first, half), "waiting");
      this.#put(jobOf(job.series, job.first + half, job.count - half), "waiting");
      return;
    }
    const state = attempts >= ATTEMPTS ? "dead" : "waiting";
    const sql = "UPDATE jobs SET state = ?, worker = NULL, attempts = ?, said = ? WHERE id = ?";
    this.#tables.run(sql, state, attempts, why.slice(0, 2000), job.id);
  }

  /** Tells the state of a job; nothing of one that nobody made, or that was split. */
  stateOf(id: string): Result<string | undefined, Issue[]> {
    return this.#tables.read(() => {
      const row = this.#tables.maybe("SELECT state FROM jobs WHERE id = ?", id);
      return row === undefined ? undefined : textIn(row, "state");
    });
  }

  /** Prolongs the leases of all jobs of a run. */
  renewAll(run: number, until: number): Result<void, Issue[]> {
    const sql = "UPDATE jobs SET until = ? WHERE run = ? AND state = 'leased'";
    return this.#tables.changed(() => {
      this.#tables.run(sql, until, run);
    });
  }

  /** Does all that an action changes in one transaction, or nothing of it. */
  together(action: () => void): Result<void, Issue[]> {
    return this.#tables.changed(action);
  }

  /** Takes back the jobs whose leases are over, and lists their workers: they are dead, or hang. */
  takeOver(now: number): Result<readonly string[], Issue[]> {
    return this.#tables.changed(() => {
      const sql = "SELECT series, id, first, count, worker FROM jobs WHERE state = 'leased' AND until < ?";
      return this.#tables.all(sql, now).map((row) => {
        const worker = textIn(row, "worker");
        this.#fail(jobIn(textIn(row, "series"), row), worker, "the worker gave no sign of life");
        return worker;
      });
    });
  }

  #put({ id, series, first, count }: Job, state: "waiting" | "done", run: number | null = null): void {
    const sql = "INSERT INTO jobs (id, series, first, count, state, run) VALUES (?, ?, ?, ?, ?, ?)";
    this.#tables.run(sql, id, series, first, count, state, run);
  }
}

function jobIn(series: string, row: Row): Job {
  return { id: textIn(row, "id"), series, first: numberIn(row, "first"), count: numberIn(row, "count") };
}
