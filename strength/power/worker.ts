import { parentPort, workerData } from "node:worker_threads";
import { mutants, unseenMutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import { measureRow, type RowOptions } from "./row.ts";
import { suiteCases } from "./suite.ts";

/** A worker is told this when it starts. */
export type Orders = Omit<RowOptions, "suite">;

const orders: Orders = workerData;
const port = present(parentPort ?? undefined, "a parent");
const suite = suiteCases();

port.on("message", async (name: string) => {
  const mutant = present(
    [...mutants, ...unseenMutants].find((candidate) => candidate.name === name),
    name,
  );
  port.postMessage(await measureRow(mutant, { ...orders, suite }));
});
