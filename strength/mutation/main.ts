/**
 * `npm run prove -- --mutate --seed 1 --count 600` plants one small fault after another in the reference,
 * the planner, the emitters, the rules of derivation, the numerics and the bounds, and tells who notices:
 * the types, the tests beside the file, the obligations or the judge. `--only PATH` keeps to files whose
 * path begins so, `--jobs N` tries so many at once, `--json` prints all that was found, and `--quick` asks
 * types, tests beside and obligations alone. Mutants that nothing tells are listed. Without `--mutate` the
 * words are those of `adjudge prove`.
 */
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { countsOf, killerOf, showRun, showTried, survivorsOf, wronglyAlike } from "./report.ts";
import { runMutants } from "./run.ts";

const { values } = parseArgs({
  options: {
    mutate: { type: "boolean" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "600" },
    only: { type: "string", multiple: true, default: [] },
    jobs: { type: "string", default: String(availableParallelism()) },
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});
const [seed, count, jobs] = [values.seed, values.count, values.jobs].map(Number);
if (
  seed === undefined ||
  count === undefined ||
  jobs === undefined ||
  ![seed, count, jobs].every(Number.isSafeInteger)
) {
  process.stderr.write("--seed, --count and --jobs want whole numbers.\n");
  process.exit(2);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
  process.once(signal, () => process.exit(130));

const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const run = await runMutants(root, {
  seed,
  count,
  only: values.only,
  jobs,
  isThorough: !values.quick,
  note,
  onTried: (one, done, texts) => note(`${done} ${showTried(one, texts)}`),
});
const { sources, possible, tried, controls } = run;
const survivors = survivorsOf(tried, sources);
const faults = [
  ...wronglyAlike(tried, sources).map(({ place }) => `${place} died, and is listed as meaning the same`),
  ...controls
    .filter((one) => killerOf(one) !== undefined)
    .map((one) => `right code died: ${showTried(one, sources)}`),
];
process.stdout.write(
  values.json
    ? `${JSON.stringify({ seed, possible, counts: countsOf(tried, sources), survivors, faults, tried })}\n`
    : `${tried.length} of ${possible} mutants, seed ${seed}\n\n${showRun(tried, sources)}`,
);
for (const fault of faults) note(`✗ ${fault}`);
process.exitCode = faults.length > 0 || survivors.some(({ why }) => why === undefined) ? 1 : 0;
