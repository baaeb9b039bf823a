import type { Counts } from "../../../oracle/judge/index.ts";
import { fail, InvariantError, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { type DataType, dataTypes } from "../../../spec/wire/index.ts";
import { type Series, type SeriesKind, type Subject, seriesKinds } from "./job.ts";
import { numberIn, type Row, type Tables, textIn } from "./tables.ts";

/** A run of the campaign: one process that has workers ask. */
export interface RunStart {
  /** The date in UTC, as ISO 8601 writes it. */
  readonly started: string;
  readonly adjudge: string;
  /** The host and the process, as `host:pid`. */
  readonly owner: string;
  /** The command line. */
  readonly words: string;
}

/** A run as the store has it. */
export interface StoredRun extends RunStart {
  readonly id: number;
  /** Absent of a run that goes on, or was killed. */
  readonly ended?: string;
}

/** What a series was asked so far. */
export interface SeriesTotals {
  readonly id: string;
  readonly series: Series;
  readonly subject: Subject;
  readonly questions: number;
  readonly counts: Counts;
  readonly milliseconds: number;
  /** This many questions nobody could ask: each has killed its worker several times. */
  readonly dead: number;
}

/** A fault of an engine, with its smallest witness. */
export interface StoredFinding {
  readonly subject: Subject;
  readonly kind: SeriesKind;
  readonly sort: "disagrees" | "crashed";
  readonly title: string;
  readonly operator?: string;
  readonly cases: number;
  /** The smallest failure has this place in this series. */
  readonly series: string;
  readonly place: number;
  readonly verdict: string;
  /** It was found first in this run. */
  readonly run: number;
}

/** A verdict that is told by itself, as its report has it. */
export interface StoredVerdict {
  readonly place: number;
  readonly kind: string;
  readonly fault?: string;
  readonly verdict: string;
}

/** A question that nobody could ask. */
export interface DeadJob {
  readonly series: Series;
  readonly subject: Subject;
  readonly place: number;
  readonly said: string;
}

/** A range of questions, from `first` to before `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Adds the tallies of two parts of a series, as texts. */
export type JoinSections = (kind: SeriesKind, a: string, b: string) => Result<string, Issue[]>;

/** Tells what a store has. Each answer is of one moment; a run that goes on changes it. */
export class StoreView {
  readonly #tables: Tables;

  readonly #join: JoinSections;

  constructor(tables: Tables, join: JoinSections) {
    this.#tables = tables;
    this.#join = join;
  }

  /** Tells what each series was asked, in the order in which they were added. */
  totals(): Result<readonly SeriesTotals[], Issue[]> {
    return this.#tables.read(() => {
      const subjects = this.#subjects();
      const rows = this.#tables.all(`SELECT s.*, coalesce(sum(t.questions), 0) AS questions,
        coalesce(sum(t.agrees), 0) AS agrees, coalesce(sum(t.disagrees), 0) AS disagrees,
        coalesce(sum(t.undecided), 0) AS undecided, coalesce(sum(t.unsupported), 0) AS unsupported,
        coalesce(sum(t.crashed), 0) AS crashed, coalesce(sum(t.milliseconds), 0) AS milliseconds,
        (SELECT coalesce(sum(count), 0) FROM jobs WHERE series = s.id AND state = 'dead') AS dead
        FROM series s LEFT JOIN tallies t ON t.series = s.id GROUP BY s.place ORDER BY s.place`);
      return rows.map((row): SeriesTotals => {
        const series = seriesIn(row);
        return {
          id: textIn(row, "id"),
          series,
          subject: subjectOf(subjects, series.subject),
          questions: numberIn(row, "questions"),
          counts: mapCounts((name) => numberIn(row, name)),
          milliseconds: numberIn(row, "milliseconds"),
          dead: numberIn(row, "dead"),
        };
      });
    });
  }

  #subjects(): ReadonlyMap<string, Subject> {
    return new Map(
      this.#tables.all("SELECT * FROM subjects ORDER BY place").map((row) => [
        textIn(row, "id"),
        {
          label: textIn(row, "label"),
          name: textIn(row, "name"),
          version: textIn(row, "version"),
          offer: textIn(row, "offer"),
        },
      ]),
    );
  }

  /** Lists the faults, those that most cases show first. */
  findings(): Result<readonly StoredFinding[], Issue[]> {
    return this.#tables.read(() => {
      const subjects = this.#subjects();
      const rows = this.#tables.all(`SELECT f.*, v.verdict FROM findings f JOIN verdicts v
        ON v.series = f.series AND v.place = f.place ORDER BY f.cases DESC, f.fault`);
      return rows.map((row): StoredFinding => {
        const operator = row.operator;
        return {
          subject: subjectOf(subjects, textIn(row, "subject")),
          kind: kindIn(row),
          sort: textIn(row, "sort") === "crashed" ? "crashed" : "disagrees",
          title: textIn(row, "fault"),
          ...(typeof operator === "string" ? { operator } : {}),
          cases: numberIn(row, "cases"),
          series: textIn(row, "series"),
          place: numberIn(row, "place"),
          verdict: textIn(row, "verdict"),
          run: numberIn(row, "run"),
        };
      });
    });
  }

  /** Lists the questions that were given up, with what was said the last time. */
  dead(): Result<readonly DeadJob[], Issue[]> {
    return this.#tables.read(() => {
      const subjects = this.#subjects();
      const rows = this.#tables.all(`SELECT s.*, j.first, j.said FROM jobs j JOIN series s ON s.id = j.series
        WHERE j.state = 'dead' ORDER BY s.place, j.first`);
      return rows.map((row): DeadJob => {
        const series = seriesIn(row);
        const subject = subjectOf(subjects, series.subject);
        return { series, subject, place: numberIn(row, "first"), said: textIn(row, "said") };
      });
    });
  }

  get path(): string {
    return this.#tables.path;
  }

  faultCount(): Result<number, Issue[]> {
    return this.#tables.read(() => numberIn(this.#tables.one("SELECT count(*) AS n FROM findings"), "n"));
  }

  /** Lists the runs, the first first. */
  runs(): Result<readonly StoredRun[], Issue[]> {
    return this.#tables.read(() =>
      this.#tables.all("SELECT * FROM runs ORDER BY id").map((row) => {
        const ended = row.ended;
        return {
          id: numberIn(row, "id"),
          started: textIn(row, "started"),
          adjudge: textIn(row, "adjudge"),
          owner: textIn(row, "owner"),
          words: textIn(row, "words"),
          ...(typeof ended === "string" ? { ended } : {}),
        };
      }),
    );
  }

  /** Tells how many questions a run counted, and how many faults it found that none before it had. */
  trend(): Result<
    readonly { readonly run: number; readonly questions: number; readonly faults: number }[],
    Issue[]
  > {
    return this.#tables.read(() =>
      this.#tables
        .all(`SELECT id AS run, (SELECT coalesce(sum(questions), 0) FROM tallies WHERE run = r.id) AS questions,
        (SELECT count(*) FROM findings WHERE run = r.id) AS faults FROM runs r ORDER BY id`)
        .map((row) => ({
          run: numberIn(row, "run"),
          questions: numberIn(row, "questions"),
          faults: numberIn(row, "faults"),
        })),
    );
  }

  /** Returns the tally of a series, all runs together; `undefined` of one that was asked nothing. */
  section(series: string, kind: SeriesKind): Result<string | undefined, Issue[]> {
    const rows = this.#tables.read(() =>
      this.#tables.all("SELECT section FROM tallies WHERE series = ? ORDER BY run", series),
    );
    if (!rows.ok) return rows;
    const [first, ...others] = rows.value.map((row) => textIn(row, "section"));
    let all = first;
    for (const one of others) {
      const sum = all === undefined ? ok(one) : this.#join(kind, all, one);
      if (!sum.ok) return sum;
      all = sum.value;
    }
    return ok(all);
  }

  /** Lists the verdicts of a series that are told one by one, in the order of its questions. */
  verdicts(series: string): Result<readonly StoredVerdict[], Issue[]> {
    const sql = "SELECT place, kind, fault, verdict FROM verdicts WHERE series = ? ORDER BY place";
    return this.#tables.read(() =>
      this.#tables.all(sql, series).map((row): StoredVerdict => {
        const { fault } = row;
        const [place, kind, verdict] = [numberIn(row, "place"), textIn(row, "kind"), textIn(row, "verdict")];
        return { place, kind, verdict, ...(typeof fault === "string" ? { fault } : {}) };
      }),
    );
  }

  /** Lists what was asked of a series, in order. */
  spans(series: string): Result<readonly Span[], Issue[]> {
    return this.#tables.read(() =>
      this.#tables
        .all("SELECT first, count FROM jobs WHERE series = ? AND state = 'done' ORDER BY first", series)
        .map((row) => {
          const first = numberIn(row, "first");
          return { first, end: first + numberIn(row, "count") };
        }),
    );
  }

  /**
   * Checks the laws of the store: the jobs of a series are all its questions up to the next, each in one
   * job, and the tallies count those that are done. Fails: `store/sums`.
   */
  checkSums(): Result<void, Issue[]> {
    const found = this.#tables.read(() =>
      this.#tables.all("SELECT id, next FROM series").flatMap((row) => {
        const id = textIn(row, "id");
        const jobs = this.#tables.all("SELECT first, count FROM jobs WHERE series = ? ORDER BY first", id);
        const end = jobs.reduce(
          (next, job) => (numberIn(job, "first") === next ? next + numberIn(job, "count") : Number.NaN),
          0,
        );
        const done = this.#tables.one(
          "SELECT coalesce(sum(count), 0) AS n FROM jobs WHERE series = ? AND state = 'done'",
          id,
        );
        const sums = this.#tables.one(
          `SELECT coalesce(sum(questions), 0) AS n, coalesce(sum(questions - agrees), 0) AS told,
            coalesce(sum(agrees + disagrees + undecided + unsupported + crashed), 0) AS verdicts
            FROM tallies WHERE series = ?`,
          id,
        );
        const told = this.#tables.one("SELECT count(*) AS n FROM verdicts WHERE series = ?", id);
        const isRight =
          end === numberIn(row, "next") &&
          numberIn(done, "n") === numberIn(sums, "n") &&
          numberIn(sums, "verdicts") === numberIn(sums, "n") &&
          numberIn(told, "n") === numberIn(sums, "told");
        return isRight ? [] : [unbalanced(this.#tables.path, id)];
      }),
    );
    if (!found.ok) return found;
    return found.value.length === 0 ? ok(undefined) : fail(found.value);
  }
}

function unbalanced(path: string, series: string): Issue {
  const message = `${path}: the questions of series ${series} are not each counted once.`;
  return { code: "store/sums", pointer: "", message, hint: "keep a copy, and report this with it" };
}

/** Reads the kind of a series. */
export function kindIn(row: Row): SeriesKind {
  const kind = seriesKinds.find((name) => name === row.kind);
  if (kind === undefined) throw new InvariantError("a series has a kind");
  return kind;
}

function seriesIn(row: Row): Series {
  const dtype: DataType | undefined = dataTypes.find((name) => name === row.dtype);
  if (dtype === undefined) throw new InvariantError("a series has a precision");
  return {
    subject: textIn(row, "subject"),
    kind: kindIn(row),
    profile: textIn(row, "profile"),
    seed: numberIn(row, "seed"),
    dtype,
    lawsEvery: numberIn(row, "laws_every"),
    adjudge: textIn(row, "adjudge"),
  };
}

function subjectOf(subjects: ReadonlyMap<string, Subject>, id: string): Subject {
  const subject = subjects.get(id);
  if (subject === undefined) throw new InvariantError("a series has a subject");
  return subject;
}

function mapCounts(read: (name: keyof Counts) => number): Counts {
  return {
    agrees: read("agrees"),
    disagrees: read("disagrees"),
    undecided: read("undecided"),
    unsupported: read("unsupported"),
    crashed: read("crashed"),
  };
}
