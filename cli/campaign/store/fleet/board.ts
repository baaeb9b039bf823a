import type { JobType, Queue } from "bullmq";
import type { Job } from "../job.ts";
import {
  type Announced,
  longest,
  readAnnounced,
  readSign,
  type Sign,
  signText,
  type Task,
} from "./messages.ts";
import type { Connection } from "./redis.ts";

/** All keys in Redis begin with this. */
export const PREFIX = "adjudge";

/** A sign is believed for so many seconds. */
export const SIGN = 15;

/** A job that is asked no more: its outcome, or why it has none. */
export interface Finished {
  readonly subject: string;
  readonly id: string;
  readonly kind: "completed" | "failed";
  /** As it was handed in; absent if it is too long. */
  readonly text?: string;
}

/** What a queue of a subject has. */
export interface Lengths {
  readonly waiting: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
  /** The job that waits longest waits so many milliseconds. */
  readonly oldest: number;
}

/** A job is told by this in Redis, where an id must not look like a number. */
export function jobName(id: string): string {
  return `j${id}`;
}

/** Another adjudge, or another version of an engine, has another queue, so that its jobs are left to it. */
export function queueName(adjudge: string, subject: string): string {
  return `${adjudge}-${subject}`;
}

/** Writes an announcement of an engine where every coordinator of this adjudge finds it. */
export async function announce(
  { redis }: Connection,
  adjudge: string,
  subject: string,
  announced: Announced,
): Promise<void> {
  await redis.hset(`${PREFIX}:engines:${adjudge}`, subject, JSON.stringify(announced));
}

/** Lists the ids of the engines that were announced for an adjudge. */
export async function engineIds({ redis }: Connection, adjudge: string): Promise<readonly string[]> {
  return await redis.hkeys(`${PREFIX}:engines:${adjudge}`);
}

/** Leaves a sign of a machine, or takes it away. */
export async function signs({ redis }: Connection, id: string, sign: Sign | undefined): Promise<void> {
  if (sign === undefined) {
    await redis.srem(`${PREFIX}:machines`, id);
    await redis.del(`${PREFIX}:machine:${id}`);
    return;
  }
  await redis.set(`${PREFIX}:machine:${id}`, signText(sign), "EX", SIGN);
  await redis.sadd(`${PREFIX}:machines`, id);
}

/** Lists the machines that gave a sign lately. */
export async function machines({ redis }: Connection): Promise<readonly Sign[]> {
  const ids = await redis.smembers(`${PREFIX}:machines`);
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map((id) => `${PREFIX}:machine:${id}`));
  const gone = ids.filter((_, place) => texts[place] === null);
  if (gone.length > 0) await redis.srem(`${PREFIX}:machines`, ...gone);
  return texts.flatMap((text) => {
    const sign = readSign(text ?? "");
    return sign.ok ? [sign.value] : [];
  });
}

const coordinatorKey = `${PREFIX}:coordinator`;

/** Reads the sign of the coordinator. */
export async function coordinatorOf({ redis }: Connection): Promise<Sign | undefined> {
  const sign = readSign((await redis.get(coordinatorKey)) ?? "");
  return sign.ok ? sign.value : undefined;
}

/**
 * Leaves the sign of the coordinator, and tells whether it is the only one. Law: while one gives signs, no
 * other gets in.
 */
export async function isCoordinator({ redis }: Connection, sign: Sign): Promise<boolean> {
  const text = signText(sign);
  if ((await redis.set(coordinatorKey, text, "EX", SIGN, "NX")) !== null) return true;
  const there = readSign((await redis.get(coordinatorKey)) ?? "");
  if (!there.ok || there.value.name !== sign.name || there.value.since !== sign.since) return false;
  await redis.set(coordinatorKey, text, "EX", SIGN);
  return true;
}

/** The queues of a campaign, as its coordinator and whoever watches see them: one a subject. */
export class Board implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #adjudge: string;
  readonly #queues = new Map<string, Queue>();

  constructor(connection: Connection, adjudge: string) {
    this.#connection = connection;
    this.#adjudge = adjudge;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  /** Gives up being the coordinator. */
  async leave(): Promise<void> {
    await this.#connection.redis.del(coordinatorKey);
  }

  /** Reads the announcements of these subjects; those that are malformed are left out. */
  async announced(subjects: readonly string[]): Promise<ReadonlyMap<string, Announced>> {
    const { redis } = this.#connection;
    const key = `${PREFIX}:engines:${this.#adjudge}`;
    const found = new Map<string, Announced>();
    for (const subject of subjects) {
      if ((await redis.hstrlen(key, subject)) > longest.announced) continue;
      const announced = readAnnounced((await redis.hget(key, subject)) ?? "", subject);
      if (announced.ok) found.set(subject, announced.value);
    }
    return found;
  }

  /** Puts jobs up. Law: a job that is there already stays as it is. */
  async add(tasks: readonly (Task & Pick<Job, "id">)[]): Promise<void> {
    for (const [subject, some] of Map.groupBy(tasks, ({ series }) => series.subject))
      await this.#queue(subject).addBulk(
        some.map(({ id, ...task }) => ({ name: "ask", data: task, opts: { jobId: jobName(id) } })),
      );
  }

  /** Lists jobs of these subjects that are asked no more, at most so many of each, the oldest first. */
  async finished(subjects: Iterable<string>, most: number): Promise<Finished[]> {
    const { redis } = this.#connection;
    const found = await Promise.all(
      [...subjects].map(async (subject) => {
        const queue = this.#queue(subject);
        const lists = await Promise.all(
          (["completed", "failed"] as const).map(async (kind) => {
            const names = await redis.zrange(queue.toKey(kind), 0, `${most - 1}`);
            const field = kind === "completed" ? "returnvalue" : "failedReason";
            const sizes = await Promise.all(names.map((name) => redis.hstrlen(queue.toKey(name), field)));
            const texts = await Promise.all(
              names.map((name, place) =>
                (sizes[place] ?? 0) > longest.handedIn ? null : redis.hget(queue.toKey(name), field),
              ),
            );
            return names.map((name, place): Finished => {
              const text = texts[place];
              return { subject, id: name.slice(1), kind, ...(typeof text === "string" ? { text } : {}) };
            });
          }),
        );
        return lists.flat();
      }),
    );
    return found.flat();
  }

  /** Takes jobs away; one that is being asked stays. */
  async remove(jobs: readonly Pick<Finished, "subject" | "id">[]): Promise<void> {
    await Promise.all(jobs.map(({ subject, id }) => this.#queue(subject).remove(jobName(id))));
  }

  /** Takes back the jobs of a subject that nobody has begun, and lists those of `ids` that are gone. */
  async withdraw(subject: string, ids: readonly string[]): Promise<string[]> {
    const queue = this.#queue(subject);
    await queue.drain();
    return await this.missing(subject, ids);
  }

  /** Lists those of the jobs of a subject that Redis does not have. */
  async missing(subject: string, ids: readonly string[]): Promise<string[]> {
    const { redis } = this.#connection;
    const queue = this.#queue(subject);
    const there = await Promise.all(ids.map((id) => redis.exists(queue.toKey(jobName(id)))));
    return ids.filter((_, place) => there[place] === 0);
  }

  /** Tells how long the queue of a subject is. */
  async lengths(subject: string, now: number): Promise<Lengths> {
    const queue = this.#queue(subject);
    const kinds = ["waiting", "active", "completed", "failed"] as const satisfies JobType[];
    const counts = await queue.getJobCounts(...kinds);
    const [waiting, active, completed, failed] = kinds.map((kind) => counts[kind] ?? 0);
    const [oldest] = await queue.getJobs(["waiting"], 0, 0, true);
    return {
      ...{ waiting: waiting ?? 0, active: active ?? 0, completed: completed ?? 0, failed: failed ?? 0 },
      oldest: oldest === undefined ? 0 : Math.max(0, now - oldest.timestamp),
    };
  }

  #queue(subject: string): Queue {
    const known = this.#queues.get(subject);
    if (known !== undefined) return known;
    const { redis, bull } = this.#connection;
    const queue = new bull.Queue(queueName(this.#adjudge, subject), { connection: redis, prefix: PREFIX });
    // What goes wrong is said by the command that it goes wrong for.
    queue.on("error", () => {});
    this.#queues.set(subject, queue);
    return queue;
  }
}
