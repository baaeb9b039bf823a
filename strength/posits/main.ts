/**
 * Checks posits and quires where the tests only sample: `npm run posits`. Options: `--only
 * fields|bounded|functions|guard` for a part, `--pairs 200000` for this many drawn pairs of each operation
 * and format. Fails if anything is wrong.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { carryGuardParts } from "./carry_guard.ts";
import { boundedParts, fieldParts } from "./fields.ts";
import type { Part } from "./finding.ts";
import { functionParts } from "./functions.ts";

const { values: options } = parseArgs({
  options: { only: { type: "string" }, pairs: { type: "string", default: "200000" } },
});

const campaigns: Readonly<Record<string, () => Generator<Part>>> = {
  fields: () => fieldParts(Number(options.pairs)),
  bounded: () => boundedParts(Number(options.pairs)),
  functions: functionParts,
  guard: carryGuardParts,
};

let [asked, undecided, wrongs] = [0, 0, 0];
for (const [name, parts] of Object.entries(campaigns)) {
  if (options.only !== undefined && options.only !== name) continue;
  for (const part of parts()) {
    asked += part.asked;
    undecided += part.undecided;
    wrongs += part.wrong.length;
    const figures = `${part.asked} asked, ${part.undecided} undecided by the host`;
    console.log(`${part.wrong.length === 0 ? "✓" : "✗"} ${part.name}: ${figures}`);
    for (const wrong of part.wrong) console.log(`    ${wrong}`);
  }
}
console.log(`${asked} answers asked, ${undecided} undecided, ${wrongs === 0 ? "none" : wrongs} wrong`);
if (asked === 0) process.exitCode = 4;
else if (wrongs > 0) process.exitCode = 1;
