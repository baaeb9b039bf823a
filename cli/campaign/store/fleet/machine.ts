import { setTimeout as pause } from "node:timers/promises";
import type { Job as QueuedJob, Worker as QueueWorker } from "bullmq";
import { visible } from "../../../../spec/shapes/index.ts";
import { subjectId } from "../job.ts";
import type { Described, Said } from "../worker.ts";
import type { StartWorker, WorkerProcess } from "../worker_process.ts";
import { announce, PREFIX, queueName, signs } from "./board.ts";
import { type HandedIn, longest, readTask } from "./messages.ts";
import type { Connection } from "./redis.ts";

/** A machine asks these engines, in so many processes. */
export interface Machining {
  readonly labels: readonly string[];
  readonly jobs: number;
  readonly start: StartWorker;
  /** The host and the process, as `host:pid`. */
  readonly name: string;
  readonly adjudge: string;
  readonly note: (line: string) => void;
  /** A process without a sign of life for so many milliseconds has lost its job. */
  readonly lease: number;
  /** A machine without a sign of life for so many milliseconds has lost its jobs. */
  readonly lock: number;
}

/** A job that was taken over so often is dead; its machine may have been ended for another reason. */
const TAKEOVERS = 3;

/** A machine gives a sign of life so often, in milliseconds. */
const BEAT = 5000;

/** A queue without jobs is waited at for so many seconds. */
const WAIT = 1;

/** After a mishap with Redis it is tried again after so many milliseconds. */
const AGAIN = 500;

/** An engine that is asked here. */
interface Asked {
  readonly label: string;
  readonly subject: string;
  readonly queue: QueueWorker;
  /** It was asked for so many milliseconds. */
  spent: number;
}

/** A place for a process, and what it does: it hears what the process says. */
interface Slot {
  process: WorkerProcess | undefined;
  hear: ((said: Said | { readonly kind: "gone"; readonly why: string }) => void) | undefined;
}

type Came =
  | { readonly kind: "answered"; readonly handedIn: HandedIn }
  | { readonly kind: "failed"; readonly why: string }
  /** The engine cannot be asked here any more. */
  | { readonly kind: "left"; readonly why: string }
  /** The job was taken over by another machine meanwhile. */
  | { readonly kind: "lost" };

/**
 * A machine of a fleet: it takes jobs about its engines from Redis, and hands in what its processes say.
 * Laws: it runs no command but those that it was started with; a job is handed in once, by whoever holds it.
 */
export class Machine {
  readonly #connection: Connection;
  readonly #world: Machining;
  readonly #id: string = crypto.randomUUID();
  readonly #since = Date.now();
  readonly #slots: Slot[];
  readonly #engines: Asked[] = [];
  readonly #working = new Set<Promise<void>>();
  #isDraining = false;
  #done = 0;

  constructor(connection: Connection, world: Machining) {
    this.#connection = connection;
    this.#world = world;
    this.#slots = Array.from({ length: world.jobs }, () => ({ process: undefined, hear: undefined }));
  }

  /** Asks until it is drained, or no engine is left; returns how many jobs were handed in. */
  async work(): Promise<number> {
    for (const label of this.#world.labels) await this.#open(label);
    await this.#beat();
    const beats = setInterval(() => void this.#beat().catch(() => {}), BEAT);
    let turn = 0;
    while (!this.#isDraining && this.#engines.length > 0) {
      const slot = this.#slots.find(({ hear }) => hear === undefined);
      if (slot === undefined) {
        await Promise.race(this.#working);
        continue;
      }
      turn += 1;
      const taken = await this.#take(`${this.#id}:${turn}`);
      if (taken === undefined) continue;
      if (this.#isDraining) {
        await taken.job.moveToWait(`${this.#id}:${turn}`);
        break;
      }
      const work = this.#ask(slot, taken.engine, taken.job, `${this.#id}:${turn}`);
      this.#working.add(work);
      void work.finally(() => this.#working.delete(work));
    }
    await Promise.all(this.#working);
    clearInterval(beats);
    for (const slot of this.#slots) slot.process?.end();
    await signs(this.#connection, this.#id, undefined);
    await Promise.all(this.#engines.map(({ queue }) => queue.close()));
    return this.#done;
  }

  /** Takes no more jobs, and has processes hand in what they have asked. */
  drain(): void {
    this.#isDraining = true;
    for (const slot of this.#slots) if (slot.hear !== undefined) slot.process?.tell({ kind: "drain" });
  }

  /** Starts an engine, says what it is, and opens its queue. */
  async #open(label: string): Promise<void> {
    const { adjudge, note, lock } = this.#world;
    const [slot] = this.#slots;
    if (slot === undefined) return;
    const engine = await this.#describe(slot, label);
    if (typeof engine === "string") return note(`${visible(label, 400)} is not asked here: ${engine}`);
    const { name, version, offer } = engine;
    const subject = subjectId({ label, name, version, offer });
    await announce(this.#connection, adjudge, subject, { label, engine });
    const { bull, redis } = this.#connection;
    const queue = new bull.Worker(queueName(adjudge, subject), null, {
      ...{ connection: redis, prefix: PREFIX, name: this.#world.name, drainDelay: WAIT },
      ...{ lockDuration: lock, stalledInterval: lock, maxStalledCount: TAKEOVERS },
    });
    // What goes wrong is said by the command that it goes wrong for.
    queue.on("error", () => {});
    await queue.startStalledCheckTimer();
    this.#engines.push({ label, subject, queue, spent: 0 });
  }

  #describe(slot: Slot, label: string): Promise<Described | string> {
    return new Promise((resolve) => {
      const settle = (what: Described | string): void => {
        clearTimeout(timer);
        slot.hear = undefined;
        resolve(what);
      };
      const timer = setTimeout(() => {
        this.#end(slot);
        settle("it did not start in time");
      }, this.#world.lease);
      slot.hear = (said) => {
        if (said.kind === "described") settle(said.engine);
        if (said.kind === "absent" || said.kind === "broken") settle(said.reason);
        if (said.kind === "gone") settle(said.why);
      };
      this.#processOf(slot).tell({ kind: "describe", label });
    });
  }

  /** Takes a job of the engine that was asked for the shortest time and has one, or waits for one. */
  async #take(token: string): Promise<{ readonly engine: Asked; readonly job: QueuedJob } | undefined> {
    const order = this.#engines.toSorted((a, b) => a.spent - b.spent);
    for (const engine of order) {
      // Where there is one engine alone, its queue is waited at.
      const job = await engine.queue
        .getNextJob(token, { block: order.length === 1 })
        .catch(() => pause(AGAIN));
      if (job !== undefined) return { engine, job };
    }
    if (order.length > 1) await pause(AGAIN);
    return undefined;
  }

  async #ask(slot: Slot, engine: Asked, queued: QueuedJob, token: string): Promise<void> {
    const { adjudge } = this.#world;
    const task = readTask(queued.data, (queued.id ?? "").slice(1), engine.subject, adjudge);
    const begin = performance.now();
    const came: Came = task.ok
      ? await this.#answer(slot, engine, task.value, queued, token)
      : { kind: "failed", why: task.error.map(({ message }) => message).join(" ") };
    engine.spent += performance.now() - begin;
    try {
      await this.#handIn(came, engine, queued, token);
    } catch {
      // Another machine has taken the job over, or Redis has forgotten that this one had it.
    }
  }

  async #handIn(came: Came, engine: Asked, queued: QueuedJob, token: string): Promise<void> {
    switch (came.kind) {
      case "answered": {
        const { handedIn } = came;
        if (JSON.stringify(handedIn).length > longest.handedIn) {
          await queued.moveToFailed(new Error("the report of the job is too long"), token, false);
          return;
        }
        await queued.moveToCompleted(handedIn, token, false);
        this.#done += 1;
        return;
      }
      case "failed":
        await queued.moveToFailed(new Error(came.why.slice(0, 2000)), token, false);
        return;
      case "left":
        this.#world.note(`${visible(engine.label, 400)} is asked no more here: ${visible(came.why, 2000)}`);
        await queued.moveToWait(token);
        await this.#close(engine);
        return;
      case "lost":
    }
  }

  /** Asks no more jobs about an engine. */
  async #close(engine: Asked): Promise<void> {
    const place = this.#engines.indexOf(engine);
    if (place < 0) return;
    this.#engines.splice(place, 1);
    await this.#beat();
    await engine.queue.close();
  }

  /** Has a process answer, and says meanwhile that the job is in hand. */
  #answer(
    slot: Slot,
    { label }: Asked,
    { job, series }: (ReturnType<typeof readTask> & { readonly ok: true })["value"],
    queued: QueuedJob,
    token: string,
  ): Promise<Came> {
    const { lease, lock } = this.#world;
    return new Promise((resolve) => {
      let heard = performance.now();
      const settle = (came: Came): void => {
        clearInterval(timer);
        slot.hear = undefined;
        resolve(came);
      };
      const lose = (came: Came): void => {
        this.#end(slot);
        settle(came);
      };
      const timer = setInterval(() => {
        if (performance.now() - heard > lease)
          return lose({ kind: "failed", why: "the worker gave no sign of life" });
        queued.extendLock(token, lock).then(
          (held) => {
            if (held === 0 && slot.hear === hear) lose({ kind: "lost" });
          },
          () => {
            if (slot.hear === hear) lose({ kind: "lost" });
          },
        );
      }, lock / 3);
      const hear = (said: Parameters<NonNullable<Slot["hear"]>>[0]): void => {
        heard = performance.now();
        if (said.kind === "answered" && said.job === job.id) {
          const { asked, answered } = said;
          settle({ kind: "answered", handedIn: { asked, answered } });
        }
        if (said.kind === "absent" || said.kind === "broken") settle({ kind: "left", why: said.reason });
        if (said.kind === "gone") settle({ kind: "failed", why: said.why });
      };
      slot.hear = hear;
      this.#processOf(slot).tell({ kind: "ask", label, job, series });
      if (this.#isDraining) slot.process?.tell({ kind: "drain" });
    });
  }

  #processOf(slot: Slot): WorkerProcess {
    if (slot.process !== undefined) return slot.process;
    const own: WorkerProcess = this.#world.start({
      // A process that was ended has nothing more to say.
      hear: (said) => {
        if (slot.process === own) slot.hear?.(said);
      },
      gone: (why) => {
        if (slot.process !== own) return;
        slot.process = undefined;
        slot.hear?.({ kind: "gone", why });
      },
    });
    slot.process = own;
    return own;
  }

  #end(slot: Slot): void {
    const { process } = slot;
    slot.process = undefined;
    process?.end();
  }

  async #beat(): Promise<void> {
    const { name, adjudge, jobs } = this.#world;
    const counts = new Map([
      ["jobs", jobs],
      ["busy", this.#working.size],
      ["done", this.#done],
    ]);
    const subjects = this.#engines.map(({ subject }) => subject);
    await signs(this.#connection, this.#id, { name, adjudge, since: this.#since, subjects, counts });
  }
}
