import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { leanFile } from "../../lean-export/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { report } from "../options.ts";
import { readSuite } from "../run_engine.ts";
import type { Terminal } from "../terminal.ts";
import { randomTraces, wrongTraces } from "./campaign.ts";
import { type LeanChecker, type LeanSurroundings, showVerdict } from "./checker.ts";
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
  surroundings: LeanSurroundings,
  terminal: Terminal,
): Promise<ExitCode> {
  const suite = await readSuite(options.paths);
  if (!suite.ok) {
    report(terminal, suite.error);
    return exitCodes.badInput;
  }
  const traces = suite.value.map(suiteTrace);
  tellExports(traces, terminal);
  const checker = await surroundings.prepare(terminal);
  if (!checker.ok) {
    report(terminal, checker.error);
    return exitCodes.undecided;
  }
  const { campaign, seed } = options;
  const parts = [
    await audited(checker.value, terminal),
    await checkPart("traces of vectors", chosen(traces, options), checker.value, terminal),
    await checkPart("random traces", randomTraces(seed, campaign), checker.value, terminal),
    await checkPart("traces with one number changed", wrongTraces(seed, campaign), checker.value, terminal),
  ];
  if (parts.some(({ wrong }) => wrong.length > 0)) return exitCodes.disagrees;
  if (parts.some(({ undecided }) => undecided.length > 0)) return exitCodes.undecided;
  return parts.some(({ right }) => right > 0) ? exitCodes.agrees : exitCodes.nothingRun;
}

/** The axioms of the library, as a part of the suite. */
async function audited(checker: LeanChecker, terminal: Terminal): Promise<Tally> {
  const verdict = await checker.audit();
  const said = showVerdict(verdict);
  terminal.out(`${mark(verdict.kind === "accepted", terminal)} the library and its axioms: ${said}`);
  return {
    right: verdict.kind === "accepted" ? 1 : 0,
    wrong: verdict.kind === "rejected" ? [said] : [],
    undecided: verdict.kind === "could_not_run" ? [said] : [],
  };
}

async function checkPart(
  what: string,
  expectations: readonly Expectation[],
  checker: LeanChecker,
  terminal: Terminal,
): Promise<Tally> {
  if (expectations.length === 0) return { right: 0, wrong: [], undecided: [] };
  const result = await tally(checker, expectations, (done) =>
    terminal.note(`${what}: ${done} of ${expectations.length} checked`),
  );
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
    return [{ what: `${trace.file} over ${trace.algebra}`, file: leanFile(trace.trace), isExpected }];
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
  terminal.out(`${others} have operators that are none over a commutative ring: ${operators}`);
  terminal.out(`${refused.length} have numbers that no exact algebra has`);
  for (const { file, issue } of refused) terminal.out(`    ${file}: ${issue.message}`);
}
