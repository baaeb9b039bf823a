/**
 * `node --import serve.ts ask_planted.ts SEED` asks the judge about engines with planted faults, each of a
 * vector that is known to show its fault, and prints the faults that the judge does not see any more.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { mutants } from "../../engines/index.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import { laws } from "../../oracle/laws/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { suiteCases } from "../power/suite.ts";

/** A bound that is too wide lets the faults through that are smallest, so many are asked. */
const ASKED = 60;

const path = new URL("../../conformance/suites/kills.json", import.meta.url);
const kills: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(path, "utf8"));
const cases = suiteCases();
for (const mutant of sampled("planted", mutants, ASKED, process.argv[2] ?? "1")) {
  const known = cases.filter(({ name }) => kills[name]?.includes(mutant.name) === true);
  // The last vector of a fault is asked, since the first ones show many faults at once.
  const question = known.at(-1);
  if (question === undefined) continue;
  const heard = await ask(mutant.engine(), question.case, question.dtype, laws);
  if (heard.kind === "differs") continue;
  process.stdout.write(`${mutant.name} is not seen in ${question.name}\n`);
  process.exitCode = 1;
  break;
}
