import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { catalogue, wrapped } from "../../conformance/index.ts";
import { mutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import { reportBlind } from "./blind.ts";
import { differencesSection, measureDifferences } from "./differences.ts";
import { powerDocument, powerTables, type Setting, totalLines } from "./document.ts";
import { measureUnaided } from "./generalisation.ts";
import { killsByCase, type Matrix, survivors } from "./matrix.ts";
import { measureRows } from "./measure.ts";
import { suiteCases } from "./suite.ts";
import { reportUnseen } from "./unseen.ts";
import type { Orders } from "./worker.ts";

if (process.argv.includes("--unseen")) {
  await reportUnseen();
  process.exit();
}

if (process.argv.includes("--blind")) {
  reportBlind();
  process.exit();
}

/** `npm run power` asks this. */
const orders: Orders = { seed: 1, cases: 10_000, lawCases: 200 };

/** Methods are compared with random search on this many cases at most. */
const compared = 1_000;

if (process.argv.includes("--gradcheck")) {
  console.log(wrapped(differencesSection(await measureDifferences(orders.seed, compared))));
  process.exit();
}

const root = new URL("../../", import.meta.url);

const differences = await measureDifferences(orders.seed, compared);
const unaided = await measureUnaided(orders.seed, compared);
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
const suite = suiteCases();
const matrix: Matrix = {
  rows: mutants.map((mutant) => ({ mutant, row: present(measured.get(mutant.name), mutant.name) })),
  suite,
};
const kills = Object.fromEntries(killsByCase(matrix));
const reasons = new Map(suite.map(({ name, reason }) => [name, reason]));
const setting: Setting = {
  ...orders,
  linksOf: (source) => catalogue.get(source)?.links ?? [],
  reasonFor: (name) => reasons.get(name),
  differences,
  unaided,
};
const outputs = [
  ["conformance/suites/kills.json", linePerProperty(kills)],
  ["docs/strength.md", powerDocument(matrix, setting)],
  ["docs/built/strength.md", powerTables(matrix, setting)],
] as const;
await mkdir(new URL("docs/built", root), { recursive: true });
for (const [path, text] of outputs) {
  await writeFile(fileURLToPath(new URL(path, root)), text);
  console.log(`${path} written`);
}
for (const [what, count] of totalLines(matrix)) console.log(`${what}: ${count}`);
const alive = survivors(matrix, "generic");
for (const name of alive.suite) console.log(`${name} survives the suite`);
for (const name of alive.random) console.log(`${name} survives random search`);
process.exitCode = alive.suite.length + alive.random.length === 0 ? 0 : 1;

/** Formats an object with a line for each property and no other spaces, for large files seldom read. */
function linePerProperty(value: object): string {
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
