import type { Said } from "../worker.ts";
import type { StartWorker } from "../worker_process.ts";
import { Machine } from "./machine.ts";
import { addressOf, type Connection, openRedis, type TlsFiles } from "./redis.ts";

/** Connects to a Redis. */
export async function connected(url: string, files: TlsFiles = {}): Promise<Connection> {
  const address = addressOf(url, files);
  const connection = address.ok ? await openRedis(address.value, () => {}) : address;
  if (!connection.ok) throw new Error(connection.error.map(({ message }) => message).join("\n"));
  return connection.value;
}

/** The engine of tests: it is described so, and answers each job with the same report. */
export interface Cheap {
  readonly name: string;
  readonly version: string;
  /** The report of a job of 50 questions, all of which agree. */
  readonly report: unknown;
}

/** What a worker says of a job instead of the truth. */
export type Answer = (
  told: Parameters<ReturnType<StartWorker>["tell"]>[0] & { readonly kind: "ask" },
) => Said;

/** Makes workers in this process which answer a job after so many milliseconds. */
export function cheapWorkers({ name, version }: Cheap, milliseconds: number, answer: Answer): StartWorker {
  return ({ hear }) => ({
    tell: (told) => {
      if (told.kind === "describe")
        queueMicrotask(() =>
          hear({
            kind: "described",
            label: told.label,
            engine: {
              ...{ name, version, dtypes: ["float64"], offer: "{}" },
              ...{ hasPrograms: false, hasTapes: false, bringsFunctions: false },
            },
          }),
        );
      if (told.kind === "ask") setTimeout(() => hear(answer(told)), milliseconds);
    },
    end: () => {},
  });
}

/** Answers a job as it should be. */
export const rightly =
  ({ report }: Cheap): Answer =>
  ({ job }) => ({ kind: "answered", job: job.id, asked: job.count, answered: { report, milliseconds: 1 } });

/** Makes a machine of such workers. */
export function machineOf(
  connection: Connection,
  start: StartWorker,
  {
    name,
    lock = 30_000,
    adjudge = "0.1.0",
    jobs = 1,
  }: { name: string; lock?: number; adjudge?: string; jobs?: number },
): Machine {
  return new Machine(connection, {
    ...{ labels: ["one"], jobs, start, name, adjudge, note: () => {} },
    ...{ lease: 60_000, lock },
  });
}
