import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Row } from "./row.ts";
import type { Orders } from "./worker.ts";

/**
 * Measures the rows of the mutants named, on every core; the result does not depend on which core did what.
 * `onRow` hears of each as it comes. Rejects if a worker breaks.
 */
export async function measureRows(
  names: readonly string[],
  orders: Orders,
  onRow: (row: Row) => void,
): Promise<ReadonlyMap<string, Row>> {
  const rows = new Map<string, Row>();
  const waiting = [...names];
  const count = Math.min(availableParallelism(), names.length);
  const runs = Array.from({ length: count }, () =>
    work(orders, waiting, (row) => {
      rows.set(row.name, row);
      onRow(row);
    }),
  );
  await Promise.all(runs);
  return rows;
}

/** One worker, which takes from the names that wait until there are none. */
function work(orders: Orders, waiting: string[], onRow: (row: Row) => void): Promise<void> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: orders });
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const name = waiting.shift();
      if (name === undefined) worker.terminate().then(() => resolve(), reject);
      else worker.postMessage(name);
    };
    worker.on("message", (row: Row) => {
      onRow(row);
      next();
    });
    worker.on("error", reject);
    next();
  });
}
