/**
 * Prints how many of the pairs of operators that can read each other occur in the first cases of the random
 * search: `node strength/pairs/main.ts [cases]`, by default 10,000.
 */
import { searchedCase } from "../../oracle/generate/index.ts";
import { pairsIn, readablePairs } from "../../oracle/generate/pair_census.ts";

const cases = Number(process.argv[2] ?? 10_000);
const seen = new Set<string>();
const all = readablePairs().length;

for (let index = 0; index < cases; index++) {
  for (const pair of pairsIn(searchedCase(1, index))) seen.add(pair);
  if (index + 1 === cases || index + 1 === 1000 || index + 1 === 3000) {
    const share = ((100 * seen.size) / all).toFixed(1);
    process.stdout.write(`${index + 1} cases: ${seen.size} of ${all} pairs, ${share} %\n`);
  }
}
