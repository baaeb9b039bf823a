import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { leanFile } from "../../lean-export/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { report } from "../options.ts";
import { readSuite } from "../run_engine.ts";
import type { Terminal } from "../terminal.ts";
import { randomTraces, wrongTraces } from "./campaign.ts";
import type { LeanChecker } from "./checker.ts";
import { type SuiteTrace, suiteTrace, tallyOperators } from "./suite_traces.ts";
import { type Expectation, type Tally, tally } from "./tally.ts";

/** What is to be checked. */
export interface SuiteOptions {
  readonly paths: readonly string[];
  /** All traces if it is left out. */
  readonly sample?: number;
  /** How many random traces, right and wrong. */
  readonly campaign: number;
  readonly seed: number;
}

/**
 * Has Lean check the library, its axioms, the traces of vectors, and random ones. It agrees if all was checked and is as it has to
 * be; what could not be checked is undecided.
 */
export async function runSuite(
  options: SuiteOptions,
  checker: LeanChecker,
  terminal: Terminal,
): Promise<ExitCode> {
  const suite = await readSuite(options.paths);
  if (!suite.ok) {
    report(terminal, suite.error);
    return exitCodes.badInput;
  }
  const traces = suite.value.map(suiteTrace);
  tellExports(traces, terminal);
  const { campaign, seed } = options;
  const parts = [
    await audited(checker, terminal),
    await checkPart("traces of vectors", chosen(traces, options), checker, terminal),
    await checkPart("random traces", randomTraces(seed, campaign), checker, terminal),
    await checkPart("traces with one number changed", wrongTraces(seed, campaign), checker, terminal),
  ];
  if (parts.some(({ wrong }) => wrong.length > 0)) return exitCodes.disagrees;
  if (parts.some(({ undecided }) => undecided.length > 0)) return exitCodes.undecided;
  return parts.some(({ right }) => right > 0) ? exitCodes.agrees : exitCodes.nothingRun;
}

/** The axioms of the library, as a part of the suite. */
async function audited(checker: LeanChecker, terminal: Terminal): Promise<Tally> {
  const audit = await checker.audit(terminal.note);
  if (!audit.ok) {
    terminal.out(`${mark(false, terminal)} the library does not stand:`);
    report(terminal, audit.error);
    return { right: 0, wrong: [], undecided: ["the library"] };
  }
  const { theorems, axioms } = audit.value;
  terminal.out(
    `${mark(true, terminal)} the library: ${theorems.length} theorems, which rest on ${axioms.join(", ")}`,
  );
  return { right: 1, wrong: [], undecided: [] };
}

async function checkPart(
  what: string,
  expectations: readonly Expectation[],
  checker: LeanChecker,
  terminal: Terminal,
): Promise<Tally> {
  if (expectations.length === 0) return { right: 0, wrong: [], undecided: [] };
  const result = await tally(checker, expectations, (line) => terminal.note(`${what}: ${line}`));
  const isRight = result.right === expectations.length;
  terminal.out(
    `${mark(isRight, terminal)} ${what}: ${result.right} of ${expectations.length} as they have to be`,
  );
  for (const line of [...result.wrong, ...result.undecided]) terminal.out(`    ${line}`);
  return result;
}

function mark(isRight: boolean, { palette }: Terminal): string {
  return isRight ? palette.green("✓") : palette.red("✗");
}

/** The traces, or as many of them as are asked for: which, the seed determines. */
function chosen(traces: readonly SuiteTrace[], { sample, seed }: SuiteOptions): Expectation[] {
  const expectations = traces.flatMap((trace): Expectation[] => {
    if (trace.kind !== "trace") return [];
    const isExpected: Expectation["isExpected"] = ({ kind }) => kind === "accepted";
    const name = `${trace.file} over ${trace.algebra}`;
    return [{ file: { name, text: leanFile(trace.trace).text }, isExpected }];
  });
  const random = new Random(xoroshiro128plus(seed));
  while (expectations.length > (sample ?? expectations.length))
    expectations.splice(random.nextInt(0, expectations.length - 1), 1);
  return expectations;
}

function tellExports(traces: readonly SuiteTrace[], terminal: Terminal): void {
  const exported = traces.filter((trace) => trace.kind === "trace");
  const refused = traces.filter((trace) => trace.kind === "refused");
  const byAlgebra = ["integer", "rational", "modular"]
    .map((name) => `${exported.filter(({ algebra }) => algebra === name).length} ${name}`)
    .join(", ");
  terminal.out(`${traces.length} vectors: ${exported.length} can be exported (${byAlgebra})`);
  const operators = [...tallyOperators(traces)].map(([name, count]) => `${name} ${count}`).join(", ");
  const others = traces.filter((trace) => trace.kind === "operators").length;
  terminal.out(`${others} have operators that the kernel cannot follow: ${operators}`);
  terminal.out(`${refused.length} have numbers that no exact algebra has`);
  for (const { file, issue } of refused) terminal.out(`    ${file}: ${issue.message}`);
}
