/**
 * Counts how often the judge names the operator that a fault was planted at: `node
 * strength/blame/main.ts [cases] [seed]`, by default 100 cases of seed 1, for every mutant of one
 * operator and for faults of pairs.
 * Prints each that it misses, and fails where fewer than 98 % are named.
 */
import process from "node:process";
import { LEAST_SHARE, type Named, namedMutants, namedPairs } from "./named.ts";

const [cases, seed] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1)];
const indexes = Array.from({ length: cases }, (_, index) => index);

async function counted(what: string, all: AsyncIterable<Named>): Promise<void> {
  let [told, right] = [0, 0];
  for await (const { fault, index, planted, blamed, sentence } of all) {
    told += 1;
    if (blamed === planted) right += 1;
    else console.log(`${fault}, case ${index}: ${blamed ?? "no operator"} for ${planted}: ${sentence}`);
  }
  console.log(`${what}: ${right} of ${told} named`);
  if (right < LEAST_SHARE * told) process.exitCode = 1;
}

async function* pairs(): AsyncGenerator<Named> {
  for (const index of indexes) yield* namedPairs(seed, index);
}

await counted("pairs", pairs());
await counted("mutants", namedMutants(seed, indexes));
