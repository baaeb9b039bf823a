import process from "node:process";
import { type News, type Order, trierOf } from "./trial.ts";

/** Tells the process that has forked this one, and waits until it is told: a crash then has its seed. */
const tell = (news: News): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(news, (failed: Error | null) => (failed === null ? resolve() : reject(failed)));
  });

/** Tries one seed after the other until the process is told to end. An unhandled rejection ends it too. */
async function work({ kind, first, stride }: Order, folder: string): Promise<void> {
  const attempt = await trierOf(kind, folder);
  await tell({ kind: "ready" });
  for (let seed = first; ; seed += stride) {
    await tell({ kind: "begun", seed });
    await tell({ kind: "done", seed, tried: await attempt(seed) });
  }
}

// An exit, and not the signal itself, so that what it has started ends with it.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit());
process.on("disconnect", () => process.exit());
const [, , folder = ""] = process.argv;
process.once("message", (order: Order) => void work(order, folder));
