/**
 * Plants the faults that were reported of torch.compile, and prints what tells each:
 * `node strength/compiled/main.ts`, for docs/strength.md; about ten minutes.
 */
import process from "node:process";
import { lineOf, mutantOf, reports, tellings, totalOf } from "./reports.ts";

const found = await tellings(reports, { cases: 10_000, programs: 2_000 }, ({ name, search, vector }) => {
  process.stderr.write(`${name}: ${search ?? "no"} random, ${vector ?? "no"} vector\n`);
});
console.log("| report | said by | reported | planted | search tells at | first vector that tells |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const report of reports) console.log(lineOf(report, found.get(mutantOf(report))));
console.log(`\n${totalOf([...found.values()])}`);
