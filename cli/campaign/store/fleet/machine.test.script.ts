/**
 * `node machine.test.script.ts URL ENGINE MACHINES JOBS MILLISECONDS` is so many machines of a fleet, each
 * with so many workers, which answer every job after so many milliseconds as the file ENGINE says. A test
 * kills it; it ends with whoever started it.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Cheap, cheapWorkers, connected, machineOf, rightly } from "./machine.test.kit.ts";

const [, , url = "", file = "", machines = "1", jobs = "1", milliseconds = "0"] = process.argv;
const cheap: Cheap = JSON.parse(readFileSync(file, "utf8"));
const start = cheapWorkers(cheap, Number(milliseconds), rightly(cheap));
process.on("disconnect", () => process.exit());
for (let number = 1; number <= Number(machines); number++) {
  const connection = await connected(url);
  const machine = machineOf(connection, start, {
    name: `here:${process.pid}.${number}`,
    lock: 3000,
    jobs: Number(jobs),
  });
  void machine.work().then(() => connection[Symbol.asyncDispose]());
}
