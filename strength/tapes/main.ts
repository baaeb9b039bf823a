/**
 * Counts the planted tapes that the suites tell, and those that random search does: `npm run tapes`. Options:
 * `--cases 1000` for this many random cases and scripts of each, `--seed 1`. Fails unless each tells all but
 * those that no question can tell.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { tapeMutants } from "../../reference/package.ts";
import { beyondQuestions, plantedEngine, toldBySearch, toldBySuite } from "./told.ts";

const { values: options } = parseArgs({
  options: { cases: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});

let [bySuite, bySearch, missed] = [0, 0, 0];
for (const mutant of tapeMutants) {
  const vector = await toldBySuite(plantedEngine(mutant));
  const end = await toldBySearch(plantedEngine(mutant), Number(options.seed), Number(options.cases));
  if (vector !== undefined) bySuite += 1;
  if (end !== undefined) bySearch += 1;
  if (!beyondQuestions.includes(mutant.name) && (vector === undefined || end === undefined)) missed += 1;
  const search = end === undefined ? "no search" : `${end.by} ${end.questions}`;
  console.log(`${mutant.name}: ${vector ?? "no vector"}; ${search}`);
}
console.log(
  `the suites alone tell ${bySuite} of ${tapeMutants.length} planted tapes, random search alone ${bySearch}`,
);
if (missed > 0) process.exitCode = 1;
