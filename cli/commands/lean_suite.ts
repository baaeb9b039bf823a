import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import {
  type CampaignOptions,
  checkTraces,
  type LeanChecker,
  type SuiteTrace,
  suiteTrace,
  type Tally,
  tallyOperators,
} from "../../lean-export/campaign/index.ts";
import { type LibraryAudit, statementOf } from "../../lean-export/index.ts";
import { counted } from "../../spec/shapes/index.ts";
import { sweptCases } from "../given/given_sweeps.ts";
import { readSuite, type SuiteCase } from "../given/suite.ts";
import { naturalNumber, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The repository of adjudge keeps its vectors here. */
const SUITES = join("conformance", "suites");

/** Adds `adjudge lean suite`, which checks the library, its axioms, traces of vectors, and random ones. */
export function leanSuiteCommand(
  lean: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  checker: LeanChecker,
): void {
  lean
    .command("suite")
    .summary("build the library, audit it, and check the traces of the whole suite")
    .description(
      "Builds the Lean library, audits the axioms its theorems use, compares Challenge.lean with it, exports a trace of\n" +
        "each vector whose operators Lean's kernel can follow, and of each sweep of a tape script, and has Lean check\n" +
        "them. Says how many cannot be exported, and why.",
    )
    .argument("[paths...]", `files or folders of vectors; default: ${SUITES}`)
    .option("--sample <count>", "check so many of the traces, chosen by the seed", naturalNumber)
    .option(
      "--campaign <count>",
      "check so many random traces, and so many with one number changed",
      naturalNumber,
      0,
    )
    .option("--seed <number>", "seed of the sample and of the campaign", naturalNumber, 1)
    .action(async (paths: string[], flags: CampaignOptions) => {
      end(await runSuite(paths.length === 0 ? [SUITES] : paths, flags, checker, terminal));
    });
}

/** Returns `agrees` if everything was checked as expected; what could not be checked is undecided. */
async function runSuite(
  paths: readonly string[],
  options: CampaignOptions,
  checker: LeanChecker,
  terminal: Terminal,
): Promise<ExitCode> {
  const suite = await readSuite(paths);
  if (!suite.ok) {
    report(terminal, suite.error);
    return exitCodes.badInput;
  }
  const traces = suite.value.filter(({ tapes }) => tapes === undefined).map(suiteTrace);
  const sweeps = suite.value.flatMap(sweepsOf).map(suiteTrace);
  tellExports(traces, "vector", terminal);
  if (sweeps.length > 0) tellExports(sweeps, "sweep", terminal);
  const tallies = [await audited(checker, terminal), await challenged(checker, terminal)];
  for await (const { what, asked, tally } of checkTraces(
    [...traces, ...sweeps],
    options,
    checker,
    terminal.note,
  )) {
    const { right, wrong, undecided } = tally;
    terminal.out(`${mark(right === asked, terminal)} ${what}: ${right} of ${asked} as they have to be`);
    for (const line of [...wrong, ...undecided]) terminal.out(`    ${line}`);
    tallies.push(tally);
  }
  if (tallies.some(({ wrong }) => wrong.length > 0)) return exitCodes.disagrees;
  if (tallies.some(({ undecided }) => undecided.length > 0)) return exitCodes.undecided;
  return tallies.some(({ right }) => right > 0) ? exitCodes.agrees : exitCodes.nothingRun;
}

/** Returns what the sweeps of a tape script ask, each a case by itself. */
function sweepsOf({ file, tapes }: SuiteCase): Pick<SuiteCase, "file" | "case">[] {
  const cases = tapes === undefined ? [] : sweptCases(tapes);
  return cases.map((one, at) => ({ file: `${file} sweep ${at + 1}`, case: one }));
}

/** The repository of adjudge lists the theorems that its pages name, with their types, in this file. */
const THEOREMS = join("lean-export", "theorems.txt");

/** Returns the listed theorems that the library lacks, or states differently. */
async function unlike(audit: LibraryAudit): Promise<readonly string[]> {
  const listed = await readFile(THEOREMS, "utf8").catch(() => "");
  const proved = new Set(audit.theorems.map(statementOf));
  return listed.split("\n").filter((statement) => statement !== "" && !proved.has(statement));
}

/** Audits the axioms of the library, and counts that as a part of the suite. */
async function audited(checker: LeanChecker, terminal: Terminal): Promise<Tally> {
  const audit = await checker.audit(terminal.note);
  if (!audit.ok) {
    terminal.out(`${mark(false, terminal)} the library does not stand:`);
    report(terminal, audit.error);
    return { right: 0, wrong: [], undecided: ["the library"] };
  }
  const { theorems, axioms } = audit.value;
  const wrong = await unlike(audit.value);
  terminal.out(
    `${mark(wrong.length === 0, terminal)} the library: ${counted(theorems.length, "theorem")}, which rest on no axioms but ${axioms.join(", ")}`,
  );
  for (const theorem of wrong) terminal.out(`    ${THEOREMS} lists what is not proved: ${theorem}`);
  return { right: wrong.length === 0 ? 1 : 0, wrong, undecided: [] };
}

/** Compares Challenge.lean with the library, and counts that as a part of the suite. */
async function challenged(checker: LeanChecker, terminal: Terminal): Promise<Tally> {
  const met = await checker.challenge(terminal.note);
  terminal.out(
    met.ok
      ? `${mark(true, terminal)} Challenge.lean: ${counted(met.value.claims, "claim")} about ${counted(met.value.constants, "constant")}, as the library has them`
      : `${mark(false, terminal)} Challenge.lean is not what the library proves:`,
  );
  if (met.ok) return { right: 1, wrong: [], undecided: [] };
  report(terminal, met.error);
  const isDifferent = met.error.every(({ code }) => code === "lean/challenge");
  const messages = met.error.map(({ message }) => message);
  return { right: 0, wrong: isDifferent ? messages : [], undecided: isDifferent ? [] : messages };
}

function mark(isRight: boolean, { palette }: Terminal): string {
  return isRight ? palette.green("✓") : palette.red("✗");
}

function tellExports(traces: readonly SuiteTrace[], noun: "vector" | "sweep", terminal: Terminal): void {
  const exported = traces.filter((trace) => trace.kind === "trace");
  const refused = traces.filter((trace) => trace.kind === "refused");
  const byAlgebra = ["integer", "rational", "modular", "tabled"]
    .map((name) => `${exported.filter(({ algebra }) => algebra === name).length} ${name}`)
    .join(", ");
  terminal.out(`${counted(traces.length, noun)}: ${exported.length} can be exported (${byAlgebra})`);
  const operators = [...tallyOperators(traces)].map(([name, count]) => `${name} ${count}`).join(", ");
  const others = traces.filter((trace) => trace.kind === "operators").length;
  terminal.out(`${others} have operators that the kernel cannot follow: ${operators}`);
  terminal.out(`${refused.length} have numbers that no exact algebra has`);
  for (const { file, issue } of refused) terminal.out(`    ${file}: ${issue.message}`);
}
