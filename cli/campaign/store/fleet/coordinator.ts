import { setTimeout as pause } from "node:timers/promises";
import { type Issue, visible } from "../../../../spec/shapes/index.ts";
import type { Job } from "../job.ts";
import type { Runner } from "../runner.ts";
import type { CampaignStore } from "../store.ts";
import type { StartWorker } from "../worker_process.ts";
import { Board, type Finished, isCoordinator, machines, SIGN } from "./board.ts";
import { readHandedIn, type Sign, type Task } from "./messages.ts";
import { type Connection, masked } from "./redis.ts";

/** What a coordinator needs beside its Redis. */
export interface Coordinating {
  readonly store: CampaignStore;
  readonly labels: readonly string[];
  /** The host and the process, as `host:pid`. */
  readonly name: string;
  readonly adjudge: string;
  /** So many jobs wait in all beyond those that machines can ask at once. */
  readonly ahead: number;
  readonly note: (line: string) => void;
}

/** The machines are looked at so often, in milliseconds. */
const LOOK = 1000;

/** A job whose place in Redis nobody has looked at for so long may have been lost with its Redis. */
const LOST = 10_000;

/** The jobs of an engine without a machine are taken back after so many milliseconds. */
const DESERTED = 30_000;

/** So many outcomes of a subject are counted in one transaction. */
const BATCH = 200;

/** Without outcomes the queues are looked at again after so many milliseconds. */
const IDLE = 50;

/** An engine without a machine is told of after so many milliseconds. */
const AWAITED = 10_000;

/** An engine may be announced in so many versions. */
const VERSIONS = 16;

/** So many jobs are out at most, however many machines come. */
const MOST = 20_000;

/** A job that is out, and whose slot hears of it. */
interface Out {
  readonly job: Job;
  readonly task: Task;
  readonly label: string;
  readonly place: Parameters<StartWorker>[0];
  looked: number;
}

interface Machined {
  readonly label: string;
  /** When a machine was last there that asks it, and how many jobs such machines ask at once. */
  seen: number;
  jobs: number;
}

/**
 * Has a fleet ask the jobs of a run: what the run tells a worker waits in Redis, and what a machine hands in
 * is told to the run. Laws: an outcome is taken from Redis when it is counted, so that a coordinator which
 * dies before that finds it again; adding a job twice changes nothing, so that a Redis which forgot some is
 * told again; nothing that Redis says is believed before it is read.
 */
export class Coordinator {
  readonly #connection: Connection;
  readonly #world: Coordinating;
  readonly #board: Board;
  readonly #out = new Map<string, Out>();
  readonly #outOf = new Map<string, number>();
  readonly #subjects = new Map<string, Machined>();
  readonly #since = Date.now();
  readonly #counts = { counted: 0, known: 0, unknown: 0, failed: 0 };
  #unread = 0;
  #new: Out[] = [];
  #isWithdrawing = false;
  #isTold = false;
  #hasEntered = false;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, world: Coordinating) {
    this.#connection = connection;
    this.#world = world;
    this.#board = new Board(connection, world.adjudge);
  }

  /** Makes a worker of a run of whatever machine comes first. */
  readonly start: StartWorker = (place) => {
    let own: string | undefined;
    return {
      tell: (told) => {
        if (told.kind === "drain") this.#isWithdrawing = true;
        if (told.kind !== "ask") return;
        const { job, series, label } = told;
        own = job.id;
        const { first, count } = job;
        const out = { job, label, task: { series, first, count }, place, looked: Date.now() };
        this.#set(job.id, out);
        this.#new.push(out);
      },
      end: () => {
        if (own !== undefined) this.#set(own, undefined);
      },
    };
  };

  /** Tells whether another job of a subject may be put up. */
  accepts(subject: string): boolean {
    const machined = this.#subjects.get(subject);
    if (machined === undefined || machined.jobs === 0) return false;
    const live = [...this.#subjects.values()].filter(({ jobs }) => jobs > 0).length;
    const share = Math.ceil(this.#world.ahead / live);
    return (this.#outOf.get(subject) ?? 0) < machined.jobs + share;
  }

  /** Tells whether an engine has no machine. */
  isAwaited(): boolean {
    const live = new Set(
      [...this.#subjects.values()].flatMap(({ label, jobs }) => (jobs > 0 ? [label] : [])),
    );
    return this.#world.labels.some((label) => !live.has(label));
  }

  /** Tells what happened to outcomes so far. */
  tallies(runner: Runner): ReadonlyMap<string, number> {
    const { reports } = runner.refused;
    return new Map([...Object.entries(this.#counts), ["refused", reports + this.#unread]]);
  }

  /** Becomes the coordinator of its Redis. Fails: `queue/busy`. */
  async enter(runner: Runner): Promise<Issue[]> {
    return (await isCoordinator(this.#connection, this.#sign(runner))) ? [] : [busy(this.#connection.name)];
  }

  /** Serves a run until it has ended, and leaves the Redis to another coordinator then. */
  async serve(runner: Runner, end: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = end.then(() => {
      isOver = true;
    });
    try {
      while (!isOver) await this.#round(runner);
      await over;
      if (!this.#hasEntered) return;
      for (const subject of this.#subjects.keys()) await this.#board.withdraw(subject, []);
      await this.#board.leave();
      await this.#board[Symbol.asyncDispose]();
    } catch (thrown) {
      runner.fail([broken(this.#connection.name, thrown)]);
      await over;
    }
  }

  async #round(runner: Runner): Promise<void> {
    if (Date.now() - this.#looked >= LOOK) {
      const issues = await this.enter(runner);
      // One that was killed gives no sign any more, but its last one is there for a while.
      const isEarly = !this.#hasEntered && Date.now() - this.#since < 1000 * (SIGN + 1);
      if (issues.length > 0 && isEarly) return void (await pause(LOOK));
      if (issues.length > 0) return runner.fail(issues);
      this.#hasEntered = true;
      await this.#lookAround(runner);
      this.#looked = Date.now();
      if (this.#isWithdrawing) await this.#withdraw([...this.#subjects.keys()]);
    }
    const found = await this.#count(runner);
    await this.#putUp();
    if (!found) await pause(IDLE);
  }

  /** Counts what was handed in, all in one transaction, and takes it from Redis. */
  async #count(runner: Runner): Promise<boolean> {
    const { store } = this.#world;
    const found = await this.#board.finished(this.#subjects.keys(), BATCH);
    if (found.length === 0) return false;
    const done = store.together(() => {
      for (const one of found) this.#hear(one);
    });
    if (!done.ok) {
      runner.fail(done.error);
      return false;
    }
    await this.#board.remove(found);
    return true;
  }

  /** Tells a run what came of a job. */
  #hear({ id, kind, text, subject }: Finished): void {
    const out = this.#out.get(id);
    if (out === undefined || out.task.series.subject !== subject) {
      const state = this.#world.store.stateOf(id);
      if (!state.ok) return;
      // One of an earlier run that this run has not given out yet is asked again.
      this.#counts[state.value === undefined ? "unknown" : "known"] += 1;
      return;
    }
    this.#set(id, undefined);
    const handedIn = kind === "completed" ? readHandedIn(text ?? "") : undefined;
    if (handedIn?.ok === true) {
      const { asked, answered } = handedIn.value;
      this.#counts.counted += 1;
      out.place.hear({ kind: "answered", job: id, asked, answered });
      return;
    }
    if (handedIn === undefined) this.#counts.failed += 1;
    else this.#unread += 1;
    const why =
      handedIn === undefined ? (text ?? "") : handedIn.error.map(({ message }) => message).join(" ");
    out.place.gone(why);
  }

  async #putUp(): Promise<void> {
    const some = this.#new.filter(({ job }) => this.#out.has(job.id));
    this.#new = [];
    if (some.length > 0) await this.#board.add(some.map(({ job: { id }, task }) => ({ ...task, id })));
  }

  /** Sees which machines are there and what they ask, and that no job was lost. */
  async #lookAround(runner: Runner): Promise<void> {
    const { adjudge, labels, ahead, note } = this.#world;
    const now = Date.now();
    const jobs = new Map<string, number>();
    for (const sign of await machines(this.#connection))
      if (sign.adjudge === adjudge)
        for (const subject of sign.subjects)
          jobs.set(subject, (jobs.get(subject) ?? 0) + (sign.counts.get("jobs") ?? 0));
    const fresh = [...jobs.keys()].filter((subject) => !this.#subjects.has(subject));
    const announced = await this.#board.announced(fresh.slice(0, VERSIONS * labels.length));
    for (const machined of this.#subjects.values()) machined.jobs = 0;
    for (const [subject, { label }] of announced) {
      const versions = [...this.#subjects.values()].filter((one) => one.label === label).length;
      if (labels.includes(label) && versions < VERSIONS)
        this.#subjects.set(subject, { label, seen: now, jobs: 0 });
    }
    for (const [subject, machined] of this.#subjects) {
      machined.jobs = jobs.get(subject) ?? 0;
      if (machined.jobs > 0) machined.seen = now;
    }
    const all = [...this.#subjects.values()].reduce((sum, one) => sum + one.jobs, 0);
    runner.widen(Math.min(MOST, all + ahead + this.#subjects.size));
    for (const [subject, { label, engine }] of announced)
      if (this.#subjects.has(subject)) runner.add(label, engine);
    if (this.isAwaited() && !this.#isTold && now - this.#since > AWAITED) {
      this.#isTold = true;
      const words = visible(labels.join(", "), 400);
      note(
        `no machine asks ${words} yet; one is: adjudge campaign work --queue … -e …, with the same engines`,
      );
    }
    const deserted = [...this.#subjects].filter(([, { seen }]) => now - seen > DESERTED);
    await this.#withdraw(deserted.map(([subject]) => subject));
    await this.#findLost(now);
  }

  /** Takes jobs back that nobody has begun: the run has them again. */
  async #withdraw(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) {
      const ids = this.#idsOf(subject);
      if (ids.length === 0) continue;
      for (const id of await this.#board.withdraw(subject, ids)) {
        const out = this.#out.get(id);
        this.#set(id, undefined);
        out?.place.hear({ kind: "answered", job: id, asked: 0, answered: { report: null, milliseconds: 0 } });
      }
    }
  }

  /** Puts jobs up again that a Redis has lost, as one does that was killed and wrote not every command. */
  async #findLost(now: number): Promise<void> {
    for (const subject of this.#subjects.keys()) {
      const ids = this.#idsOf(subject).filter((id) => now - (this.#out.get(id)?.looked ?? now) > LOST);
      for (const id of ids) {
        const out = this.#out.get(id);
        if (out !== undefined) out.looked = now;
      }
      for (const id of await this.#board.missing(subject, ids)) {
        const out = this.#out.get(id);
        if (out !== undefined) this.#new.push(out);
      }
    }
  }

  #idsOf(subject: string): string[] {
    return [...this.#out].flatMap(([id, { task }]) => (task.series.subject === subject ? [id] : []));
  }

  #set(id: string, out: Out | undefined): void {
    const { subject } = (out ?? this.#out.get(id))?.task.series ?? {};
    if (subject === undefined) return;
    this.#outOf.set(subject, (this.#outOf.get(subject) ?? 0) + (out === undefined ? -1 : 1));
    if (out === undefined) this.#out.delete(id);
    else this.#out.set(id, out);
  }

  #sign(runner: Runner): Sign {
    const { name, adjudge } = this.#world;
    return { name, adjudge, since: this.#since, subjects: [], counts: this.tallies(runner) };
  }
}

function broken(name: string, thrown: unknown): Issue {
  const message = `${name} failed: ${visible(masked(String(thrown)), 400)}.`;
  return {
    code: "queue/redis",
    pointer: "",
    message,
    hint: "see the log of Redis; the same command goes on",
  };
}

function busy(name: string): Issue {
  const message = `${name} has a coordinator already, which gives signs of life.`;
  const hint = "end that one, or give this campaign another database: redis://host/1";
  return { code: "queue/busy", pointer: "", message, hint };
}
