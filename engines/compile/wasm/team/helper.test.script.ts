/** A thread of `team.test.ts`: it helps with the counted stages that it is given, run after run. */
import { workerData } from "node:worker_threads";
import { countedStages, type Given } from "./counted.test.kit.ts";
import { awaitChange, help } from "./stages.ts";

const { control, words }: Given = workerData;
for (let seen = 0; ; ) {
  awaitChange(words, 0, seen);
  seen = Atomics.load(words, 0);
  help(control, countedStages(words, 2));
}
