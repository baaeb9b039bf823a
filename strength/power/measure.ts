import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Row } from "./row.ts";
import type { Trial, TrialOrders } from "./trial.ts";
import type { Orders } from "./worker.ts";

/** Measures the rows of named mutants. `onRow` is told of each as it comes. Rejects if a worker breaks. */
export function measureRows(
  names: readonly string[],
  orders: Orders,
  onRow: (row: Row) => void,
): Promise<ReadonlyMap<string, Row>> {
  const start = (): Worker => new Worker(new URL("./worker.ts", import.meta.url), { workerData: orders });
  return measure(start, names, onRow);
}

/** Finds after how many cases a trial finds each named mutant, or `undefined`. Rejects if a worker breaks. */
export async function measureTrials(
  names: readonly string[],
  orders: TrialOrders,
): Promise<ReadonlyMap<string, number | undefined>> {
  const start = (): Worker =>
    new Worker(new URL("./trial_worker.ts", import.meta.url), { workerData: orders });
  const trials = await measure<Trial>(start, names, () => {});
  return new Map([...trials].map(([name, { cases }]) => [name, cases]));
}

/** Measures named mutants on every core; the result does not depend on which core did what. */
async function measure<Result extends { readonly name: string }>(
  start: () => Worker,
  names: readonly string[],
  onResult: (result: Result) => void,
): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  const waiting = [...names];
  const count = Math.min(availableParallelism(), names.length);
  const runs = Array.from({ length: count }, () =>
    work<Result>(start(), waiting, (result) => {
      results.set(result.name, result);
      onResult(result);
    }),
  );
  await Promise.all(runs);
  return results;
}

/** Runs one worker, which takes waiting names until there are none. */
function work<Result>(worker: Worker, waiting: string[], onResult: (result: Result) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const name = waiting.shift();
      if (name === undefined) worker.terminate().then(() => resolve(), reject);
      else worker.postMessage(name);
    };
    worker.on("message", (result: Result) => {
      onResult(result);
      next();
    });
    worker.on("error", reject);
    next();
  });
}
