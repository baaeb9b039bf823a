import { parentPort, workerData } from "node:worker_threads";
import { mutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import { type TrialOrders, tried } from "./trial.ts";

const orders: TrialOrders = workerData;
const port = present(parentPort ?? undefined, "a parent");

port.on("message", async (name: string) => {
  const mutant = present(
    mutants.find((candidate) => candidate.name === name),
    name,
  );
  port.postMessage(await tried(mutant, orders));
});
