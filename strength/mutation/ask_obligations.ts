/**
 * `node --import serve.ts ask_obligations.ts SPOKEN FAMILIES` makes the obligations of these families of the
 * mutated code, and has Z3 prove those about which other questions are asked than of the right code. The
 * faults that are planted in an obligation are not asked about: one that has lost its place in the text would
 * tell every change, and not what is wrong. It prints the families that it makes, and the first obligation
 * that is not proved, and why, if there is one.
 */
import process from "node:process";
import { type Obligation, prove, z3 } from "../../oracle/obligations/index.ts";
import { FAILED, familyOf, hashesOf, MADE, MAKING } from "./families.ts";
import { readSpoken } from "./spoken.ts";

/**
 * Milliseconds for each question, for a busy machine: budgets of steps end them, and limits of the process.
 */
const TIMEOUT = 600_000;

const [, , path = "", families = ""] = process.argv;
const { hashes } = readSpoken(path);
await using solver = z3();
for (const family of families.split(",")) {
  const known = new Set(hashes[family]);
  process.stdout.write(`${MAKING}${family}\n`);
  const obligations = await obligationsOf(family);
  process.stdout.write(`${MADE}${family}\n`);
  const failed = await firstFailing(obligations, known);
  if (failed === undefined) continue;
  process.stdout.write(`${FAILED}${failed}\n`);
  break;
}

/** Makes a family, or returns what was thrown. */
async function obligationsOf(family: string): Promise<readonly Obligation[] | string> {
  try {
    return (await familyOf(family))();
  } catch (thrown) {
    return `${family}/made: crash: ${String(thrown)}`;
  }
}

/**
 * Tells of the first obligation that is not proved any more; those that crash are told without a question.
 */
async function firstFailing(
  obligations: readonly Obligation[] | string,
  known: ReadonlySet<string>,
): Promise<string | undefined> {
  if (typeof obligations === "string") return obligations;
  const crashed = obligations.find(({ crash }) => crash !== undefined);
  if (crashed !== undefined) return `${crashed.id}: crash: ${crashed.crash}`;
  for (const obligation of obligations) {
    const goal: Obligation = { ...obligation, mutants: [] };
    if (hashesOf(goal).every((hash) => known.has(hash))) continue;
    const { faults } = await prove(goal, solver, { timeout: TIMEOUT });
    const fault = faults.find(({ code }) => code !== "form");
    if (fault !== undefined) return `${obligation.id}: ${fault.code}: ${fault.message}`;
  }
  return undefined;
}
