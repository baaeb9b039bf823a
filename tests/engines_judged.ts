import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findings } from "../conformance/index.ts";
import { checkReport } from "../conformance/report/index.ts";
import type { ReportJson } from "../spec/index.ts";

const page = fileURLToPath(new URL("../docs/engines-judged.md", import.meta.url));

/**
 * Adds the rows of reports to the page: `node tests/engines_judged.ts REPORT.json …`. A row of the same
 * engine, version, precision, profile and seed is replaced; all others stay.
 */
function main(paths: readonly string[]): void {
  const [head = "", ...rows] = readFileSync(page, "utf8").split(/^(?=\| [\w`])/m);
  const [title = "", ...old] = rows;
  const rules = "| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  const kept = new Map([...old].map((row) => [keyOf(row), row]));
  for (const path of paths) for (const row of rowsOf(read(path))) kept.set(keyOf(row), row);
  const sorted = [...kept.values()].map((row) => `${row.trim()}\n`).toSorted();
  writeFileSync(page, `${head}${title.split("\n")[0]}\n${rules}${sorted.join("")}`);
}

function read(path: string): ReportJson {
  const report = checkReport(JSON.parse(readFileSync(path, "utf8")));
  if (!report.ok) throw new Error(`${path}: ${JSON.stringify(report.error)}`);
  return report.value;
}

/** Two rows with one key are of the same questions to the same engine. */
function keyOf(row: string): string {
  const cells = row.split("|").map((cell) => cell.trim());
  return [1, 2, 3, 5].map((place) => cells[place]).join("|");
}

function rowsOf({ seed, profile, engines }: ReportJson): string[] {
  const all = findings();
  return engines.map(({ label, description, dtype, promised, extent, counts }) => {
    const found = all.filter(({ engine }) => engine === label).length;
    const cells = [
      `\`${label}\``,
      `${description.name} ${description.version}`,
      dtype,
      promised.length,
      `${profile}, seed ${seed}`,
      extent.asked,
      counts.agrees,
      counts.disagrees,
      counts.crashed,
      counts.undecided,
      counts.unsupported,
      found === 0 ? "" : found,
    ];
    return `| ${cells.join(" | ")} |\n`;
  });
}

if (import.meta.main) main(process.argv.slice(2));
