import { assertNever, fail, type Issue, ok, type Result, visible } from "../../../spec/shapes/index.ts";
import type { DataType } from "../../../spec/wire/index.ts";
import type { Job, Series, SeriesKind, Subject } from "./job.ts";
import { readOutcome } from "./outcome.ts";
import type { CampaignStore } from "./store.ts";
import type { Described, Said } from "./worker.ts";
import type { StartWorker, WorkerProcess } from "./worker_process.ts";

/** A campaign asks this, of these engines. */
export interface Wanted {
  readonly labels: readonly string[];
  readonly kinds: readonly SeriesKind[];
  /** If empty, an engine is asked in every precision that it has; programs in float64. */
  readonly dtypes: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly lawsEvery: number;
  readonly adjudge: string;
  /** No series is asked more questions than these. */
  readonly most: number;
}

/** A run has these surroundings. */
export interface Surroundings {
  readonly store: CampaignStore;
  readonly run: number;
  readonly start: StartWorker;
  /** So many workers ask at once. */
  readonly workers: number;
  /** Returns the time in milliseconds since any fixed moment. */
  now(): number;
  /** The run ends at this time. */
  readonly until: number;
  /** A worker without a sign of life for so many milliseconds has lost its job. */
  readonly lease: number;
  /** The workers are those of a fleet, which come and go, and bring the engines. */
  readonly fleet?: Fleet;
}

/** What a run knows of the fleet that asks for it. */
interface Fleet {
  /** Tells whether the fleet takes another job of a subject. */
  accepts(subject: string): boolean;
  /** Tells whether an engine has nobody yet who asks it, so that the run goes on. */
  isAwaited(): boolean;
}

/** Reports that were not what their jobs asked for. */
interface Refused {
  readonly reports: number;
  readonly last: string;
}

/** A run came to this. */
export interface Ended {
  /** These engines were not asked, each with the reason. */
  readonly absent: ReadonlyMap<string, string>;
  readonly broken: ReadonlyMap<string, string>;
  /** So many reports were refused, and why the last one was. */
  readonly refused: Refused;
  /** The store could not be used any more. */
  readonly issues: readonly Issue[];
}

/** A worker asks as many jobs of one series before it looks around. */
const STAY = 10;

/** After so many workers in a row that died before they answered, it is not the questions that kill them. */
const DEATHS = 30;

/** A worker's place, with what it does. */
interface Slot {
  readonly name: string;
  process: WorkerProcess | undefined;
  doing:
    | { readonly kind: "idle" }
    | { readonly kind: "describing"; readonly label: string; readonly until: number }
    | { readonly kind: "asking"; readonly job: Job };
  last: { readonly series: string; readonly jobs: number } | undefined;
}

/** What a series asks, and of whom. */
interface Known {
  readonly series: Series;
  readonly subject: Subject;
}

/**
 * Has workers ask what the store says is most in need, and counts what they answer. Whoever runs it calls
 * `tick` from time to time. Law: a worker that dies or hangs costs its unfinished job once, and no other.
 */
export class Runner {
  readonly #wanted: Wanted;
  readonly #world: Surroundings;
  readonly #slots: Slot[];
  readonly #series = new Map<string, Known>();
  readonly #pending: string[];
  readonly #absent = new Map<string, string>();
  readonly #broken = new Map<string, string>();
  readonly #issues: Issue[] = [];
  readonly #end = Promise.withResolvers<Ended>();
  #isDraining = false;
  #refused: Refused = { reports: 0, last: "" };
  /** So many workers died since the last answer. */
  #deaths = 0;

  constructor(wanted: Wanted, world: Surroundings) {
    this.#wanted = wanted;
    this.#world = world;
    this.#pending = [...wanted.labels];
    this.#slots = [];
    this.widen(world.workers);
  }

  /** Has at least so many workers ask from now on. */
  widen(workers: number): void {
    while (this.#slots.length < workers) {
      const name = `${this.#world.run}.${this.#slots.length + 1}`;
      this.#slots.push({ name, process: undefined, doing: { kind: "idle" }, last: undefined });
    }
  }

  /** Begins; resolves when the time is over, all is asked, or the run was drained. */
  begin(): Promise<Ended> {
    this.#feed();
    return this.#end.promise;
  }

  get refused(): Refused {
    return this.#refused;
  }

  /** Asks an engine that somebody else has described. */
  add(label: string, engine: Described): void {
    this.#addEngine(label, engine);
    this.#feed();
  }

  /** Ends the run, because the store or the fleet cannot be used any more. */
  fail(issues: readonly Issue[]): void {
    this.#checked(fail([...issues]));
    this.#finish();
  }

  /** Looks at the clock: ends the run, and workers that give no sign of life. */
  tick(): void {
    const { store, now, until, lease } = this.#world;
    const time = now();
    if (time >= until) this.drain();
    // The jobs of a fleet are taken over where they wait.
    if (this.#world.fleet !== undefined) this.#checked(store.renewAll(this.#world.run, time + lease));
    const over = this.#checked(store.takeOver(time));
    for (const slot of this.#slots) {
      const { doing } = slot;
      const isLate = doing.kind === "describing" && doing.until < time;
      if (isLate) this.#broken.set(doing.label, "it did not start in time");
      if (isLate || (doing.kind === "asking" && over?.includes(slot.name) === true)) this.#replace(slot);
    }
    this.#feed();
  }

  /** Gives out nothing more, and has workers hand in what they have asked. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const slot of this.#slots) {
      if (slot.doing.kind === "asking") slot.process?.tell({ kind: "drain" });
      else this.#replace(slot);
    }
    this.#finish();
  }

  /** Ends the workers that have not handed in; their jobs wait for the next run. */
  abandon(): void {
    this.drain();
    for (const slot of this.#slots) {
      if (slot.doing.kind === "asking") this.#checked(this.#world.store.giveBack(slot.doing.job, slot.name));
      this.#replace(slot);
    }
    this.#finish();
  }

  /** Gives every idle worker something to do, and ends the run where there is nothing. */
  #feed(): void {
    if (!this.#isDraining)
      for (const slot of this.#slots) if (slot.doing.kind === "idle" && !this.#give(slot)) break;
    this.#finish();
  }

  /** Returns whether there was something to do. */
  #give(slot: Slot): boolean {
    const { store, run, now, lease, fleet } = this.#world;
    const label = this.#pending.shift();
    if (label !== undefined) {
      slot.doing = { kind: "describing", label, until: now() + lease };
      this.#processOf(slot).tell({ kind: "describe", label });
      return true;
    }
    const { last } = slot;
    const stays = last !== undefined && last.jobs < STAY;
    const among = new Set<string>();
    for (const [id, { series }] of this.#series) if (fleet?.accepts(series.subject) !== false) among.add(id);
    const claimed = this.#checked(
      store.claim({
        ...{ run, worker: slot.name, now: now(), lease, among, most: this.#wanted.most },
        ...(stays ? { preferred: last.series } : {}),
      }),
    );
    const known = claimed && this.#series.get(claimed.series);
    if (claimed === undefined || known === undefined) return false;
    slot.last = { series: claimed.series, jobs: last?.series === claimed.series ? last.jobs + 1 : 1 };
    slot.doing = { kind: "asking", job: claimed };
    const { series, subject } = known;
    this.#processOf(slot).tell({ kind: "ask", label: subject.label, job: claimed, series });
    return true;
  }

  #processOf(slot: Slot): WorkerProcess {
    if (slot.process !== undefined) return slot.process;
    const own: WorkerProcess = this.#world.start({
      // A process that was replaced has nothing more to say.
      hear: (said) => {
        if (slot.process === own) this.#hear(slot, said);
      },
      gone: (why) => {
        if (slot.process === own) this.#gone(slot, why);
      },
    });
    slot.process = own;
    return own;
  }

  #hear(slot: Slot, said: Said): void {
    const { store, now, lease } = this.#world;
    const { doing } = slot;
    switch (said.kind) {
      case "described":
        if (doing.kind === "describing") this.#addEngine(doing.label, said.engine);
        break;
      case "absent":
      case "broken":
        this.#leave(slot, said);
        break;
      case "alive":
        if (doing.kind === "asking") this.#checked(store.renew(doing.job, slot.name, now() + lease));
        return;
      case "answered":
        if (doing.kind !== "asking" || doing.job.id !== said.job) return;
        this.#deaths = 0;
        this.#count(slot, doing.job, said);
        break;
      default:
        assertNever(said);
    }
    slot.doing = { kind: "idle" };
    if (this.#isDraining) this.#replace(slot);
    this.#feed();
  }

  /** Asks an engine no more that is not there, or does not start. */
  #leave(slot: Slot, { kind, label, reason }: Said & { readonly kind: "absent" | "broken" }): void {
    (kind === "absent" ? this.#absent : this.#broken).set(label, reason);
    for (const [id, { subject }] of this.#series) if (subject.label === label) this.#series.delete(id);
    const { doing } = slot;
    if (doing.kind === "asking") this.#checked(this.#world.store.giveBack(doing.job, slot.name));
  }

  #count(slot: Slot, job: Job, { asked, answered }: Said & { readonly kind: "answered" }): void {
    const { store, run } = this.#world;
    const known = this.#series.get(job.series);
    const { isAll = false } = answered;
    if (known === undefined || (asked === 0 && !isAll))
      return void this.#checked(store.giveBack(job, slot.name));
    const outcome = readOutcome(job, asked, known.series, known.subject, answered);
    if (outcome.ok) return void this.#checked(store.finish(job, asked, run, outcome.value, isAll));
    const why = outcome.error.map(({ message }) => message).join(" ");
    this.#refused = { reports: this.#refused.reports + 1, last: why };
    this.#checked(store.failed(job, slot.name, why));
  }

  #gone(slot: Slot, why: string): void {
    const { doing } = slot;
    slot.process = undefined;
    slot.doing = { kind: "idle" };
    if (doing.kind === "describing") this.#broken.set(doing.label, why);
    if (doing.kind === "asking") this.#checked(this.#world.store.failed(doing.job, slot.name, why));
    this.#deaths += 1;
    if (this.#deaths > DEATHS) this.#checked(fail([deadWorkers(why)]));
    this.#feed();
  }

  /** Ends a worker; its place is free for another. */
  #replace(slot: Slot): void {
    const { process } = slot;
    slot.process = undefined;
    slot.doing = { kind: "idle" };
    process?.end();
  }

  #addEngine(label: string, engine: Described): void {
    const { store } = this.#world;
    const { kinds, dtypes, profile, seed, lawsEvery, adjudge } = this.#wanted;
    const { name, version, offer } = engine;
    const subject: Subject = { label, name, version, offer };
    const id = this.#checked(store.addSubject(subject));
    if (id === undefined) return;
    for (const kind of kinds) {
      for (const dtype of dtypesFor(kind, engine, dtypes)) {
        const laws = kind === "graphs" ? lawsEvery : 0;
        // Programs have one profile, and functions are brought.
        const drawn = kind === "programs" || kind === "functions" ? kind : profile;
        const from = kind === "functions" ? 0 : seed;
        const series: Series = {
          subject: id,
          kind,
          profile: drawn,
          seed: from,
          dtype,
          lawsEvery: laws,
          adjudge,
        };
        const added = this.#checked(store.addSeries(series));
        if (added !== undefined) this.#series.set(added, { series, subject });
      }
    }
  }

  /** Returns what the store says; a store that says nothing any more ends the run. */
  #checked<T>(result: Result<T, Issue[]>): T | undefined {
    if (result.ok) return result.value;
    this.#issues.push(...result.error);
    this.#isDraining = true;
    return undefined;
  }

  #finish(): void {
    const isBusy = this.#slots.some(({ doing }) => doing.kind !== "idle");
    const hasFailed = this.#issues.length > 0;
    const isAwaited = !this.#isDraining && this.#world.fleet?.isAwaited() === true;
    if ((isBusy || isAwaited) && !hasFailed) return;
    for (const slot of this.#slots) this.#replace(slot);
    const [issue] = this.#issues;
    this.#end.resolve({
      absent: this.#absent,
      broken: this.#broken,
      refused: this.#refused,
      issues: issue === undefined ? [] : [issue],
    });
  }
}

function deadWorkers(why: string): Issue {
  const message = `${DEATHS} workers in a row ended before they answered anything; the last one: ${visible(why, 400)}.`;
  const hint = "see whether adjudge judge works here, and whether there is memory for so many (--jobs)";
  return { code: "campaign/workers", pointer: "", message, hint };
}

/** Lists the precisions in which an engine is asked questions of a kind; none if it has no such questions. */
function dtypesFor(
  kind: SeriesKind,
  { dtypes, hasPrograms, hasTapes, bringsFunctions }: Described,
  wanted: readonly DataType[],
): readonly DataType[] {
  const own = dtypes.filter((dtype) => wanted.length === 0 || wanted.includes(dtype));
  switch (kind) {
    case "graphs":
      return bringsFunctions ? [] : own;
    case "functions":
      return bringsFunctions ? ["float64"] : [];
    case "tapes":
      return hasTapes ? own : [];
    case "programs":
      return hasPrograms ? own.filter((dtype) => wanted.length > 0 || dtype === "float64") : [];
    default:
      return assertNever(kind);
  }
}

/** Reads how long a run goes on, such as `8h`, `90m` or `1h30m`, in milliseconds. */
export function durationOf(text: string): Result<number, string> {
  const parts = [...text.matchAll(/([0-9]+)([dhms])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join("") === text;
  if (!isWhole) return fail("It must be a time such as 8h, 90m or 1h30m.");
  const units: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 };
  return ok(
    parts.reduce((sum, [, count = "0", unit = "s"]) => sum + Number(count) * (units[unit] ?? 1), 0) * 1000,
  );
}
