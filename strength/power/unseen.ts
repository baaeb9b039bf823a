import process from "node:process";
import { type Mutant, unseenMutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import { measureRows } from "./measure.ts";
import type { Row } from "./row.ts";
import type { Orders } from "./worker.ts";

/** `npm run power -- --unseen` asks fewer cases than for other mutants, as many survive them all. */
const orders: Orders = { seed: 1, cases: 1000, lawCases: 0, isBrief: true };

/** Writes a line of the table: mutant, source, the case at which search ends, and the cases that kill it. */
export function unseenLine(
  { name, source }: Mutant,
  { random, suite }: Pick<Row, "random" | "suite">,
): string {
  const [first] = suite.generic;
  const cells = [
    `\`${name}\``,
    /^https:/.test(source) ? `<${source}>` : source,
    `${random.generic?.cases ?? "**survives**"}`,
    first === undefined ? "**survives**" : `${suite.generic.length}: \`${first.name}\``,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Counts the mutants that each method kills. */
export function unseenTotal(rows: readonly Pick<Row, "random" | "suite">[]): string {
  const bySearch = rows.filter(({ random }) => random.generic !== undefined).length;
  const bySuite = rows.filter(({ suite }) => suite.generic.length > 0).length;
  return `${bySearch} of ${rows.length} by search, ${bySuite} of ${rows.length} by suite`;
}

/** Prints the kills of {@link unseenMutants} and the total. They are measured, and fail nothing. */
export async function reportUnseen(): Promise<void> {
  let done = 0;
  const measured = await measureRows(
    unseenMutants.map(({ name }) => name),
    orders,
    ({ name, random, suite }) => {
      done += 1;
      const cases = random.generic?.cases ?? "no";
      process.stderr.write(
        `${done}/${unseenMutants.length} ${name}: ${suite.generic.length} cases of the suite, ${cases} random\n`,
      );
    },
  );
  const rows = unseenMutants.map((mutant) => ({
    mutant,
    row: present(measured.get(mutant.name), mutant.name),
  }));
  console.log("| mutant | source | search kills at case | cases of the suite that kill it |");
  console.log("| --- | --- | --- | --- |");
  for (const { mutant, row } of rows) console.log(unseenLine(mutant, row));
  console.log(`\n${unseenTotal(rows.map(({ row }) => row))}`);
}
