import { writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { mutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import { powerDocument, totalLines } from "./document.ts";
import { killsByCase, type Matrix, survivors } from "./matrix.ts";
import { measureRows } from "./measure.ts";
import { suiteCases } from "./suite.ts";
import type { Orders } from "./worker.ts";

/** What `npm run power` asks. */
const orders: Orders = { seed: 1, cases: 10_000, lawCases: 200 };

const root = new URL("../../", import.meta.url);

let done = 0;
const measured = await measureRows(
  mutants.map(({ name }) => name),
  orders,
  ({ name, suite, random }) => {
    done += 1;
    const cases = random.generic?.cases ?? "no";
    process.stderr.write(
      `${done}/${mutants.length} ${name}: ${suite.generic.length} cases of the suite, ${cases} random\n`,
    );
  },
);
const matrix: Matrix = {
  rows: mutants.map((mutant) => ({ mutant, row: present(measured.get(mutant.name), mutant.name) })),
  suite: suiteCases(),
};
const kills = Object.fromEntries(killsByCase(matrix));
const linksOf = (): readonly string[] => [];
const reasonFor = (name: string): string | undefined =>
  name.startsWith("findings/") ? "a defect of a real engine, replayed against it by a test" : undefined;
const outputs = [
  ["conformance/suites/kills.json", `${JSON.stringify(kills, undefined, 1)}\n`],
  ["docs/power.md", powerDocument(matrix, { ...orders, linksOf, reasonFor })],
] as const;
for (const [path, text] of outputs) {
  await writeFile(fileURLToPath(new URL(path, root)), text);
  console.log(`${path} written`);
}
for (const [what, count] of totalLines(matrix)) console.log(`${what}: ${count}`);
const { suite, random } = survivors(matrix, "generic");
for (const name of suite) console.log(`${name} survives the suite`);
for (const name of random) console.log(`${name} survives random search`);
process.exitCode = suite.length + random.length === 0 ? 0 : 1;
