import type { Command } from "commander";
import {
  chooseEngine,
  type EngineChoice,
  everyEngine,
  reportJson,
  type Section,
  withKnown,
} from "../../conformance/index.ts";
import { type Drawing, drawings, sharesOf, standingOf } from "../../oracle/index.ts";
import {
  type DataType,
  fail,
  type Issue,
  type KnownFailure,
  ok,
  quote,
  type ReportJson,
  type Result,
  visible,
} from "../../spec/index.ts";
import { type ExitCode, exitCodeOf, exitCodes } from "../exit.ts";
import { KNOWN_FILE, type KnownFlags, knownFailures, rememberKnown } from "../known_file.ts";
import { lastWords } from "../last_words.ts";
import {
  type BudgetFlags,
  budgetOf,
  collect,
  dtypeOption,
  misplacedFlags,
  naturalNumber,
  positiveNumber,
  report,
  withBudget,
} from "../options.ts";
import { type ReportFile, reportFilesOf, writeReports } from "../report_files.ts";
import { defaultTime, judgeEngine, type RunPlan, timeOf } from "../run_engine.ts";
import { readSuite } from "../suite.ts";
import type { Terminal } from "../terminal.ts";
import { packageVersion } from "../version.ts";
import { printFindings } from "./judge_output.ts";

interface JudgeFlags extends BudgetFlags, KnownFlags {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly cases: number;
  readonly seconds?: number;
  readonly lawsEvery: number;
  readonly report: readonly string[];
  readonly json?: boolean;
}

const description = `Asks engines for values, tangents and cotangents, and compares every number with the truth: exact
rationals where the graph allows, else the reference in float64, within a bound computed from the graph.
Without FILES the cases are random; FILES are vectors (adjudge.vector.v1), cases (adjudge.case.v1), program cases and
vectors of programs, whose runs are asked as graphs, or folders of them. docs/judging.md explains the output.

Exit codes: 0 all that was decided agrees, and it was enough to mean something, 1 an engine disagrees,
2 bad input, 3 nothing could be decided, or an engine crashed or did not start, 4 nothing was run,
5 too little was answered to mean anything, or most of what an engine promises was declined.`;

/** The flags that say which random cases are drawn. */
const randomFlags = ["--profile", "--seed", "--cases", "--laws-every"];

/** `adjudge judge`: the table, the witnesses, the report. */
export function judgeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = withBudget(program.command("judge"))
    .summary("judge engines on random cases or on a suite")
    .description(description)
    .argument("[files...]", "files of cases or vectors, or folders of them; random cases if none are given")
    .option(
      "-e, --engine <name-or-command>",
      "an engine to ask; may be repeated (default: all bundled ones)",
      collect,
      [],
    )
    .option(
      "--dtype <precision>",
      "float64 or float32; may be repeated (default: all the engine has)",
      dtypeOption,
      [],
    )
    .option("--profile <name>", `what random cases look like: ${[...drawings.keys()].join(", ")}`, "mix")
    .option("--seed <number>", "seed of the random cases", naturalNumber, 1)
    .option("-n, --cases <number>", "random cases for each engine and precision", naturalNumber, 500)
    .option(
      "--seconds <number>",
      "stop asking one engine in one precision after this long; 0 never (default: 15, up to 120 while it is too little; of files never)",
      positiveNumber,
    )
    .option("--laws-every <n>", "check the reference-free laws on every n-th case; 0 never", naturalNumber, 4)
    .option(
      "--report <file>",
      "write everything that was found: as .json, .xml (JUnit), .sarif, .md, .svg (badge) or .shields.json; may be repeated",
      collect,
      [],
    )
    .option(
      "--known <file>",
      `failures that are known and no news (default: ${KNOWN_FILE}, where there is one)`,
    )
    .option("--update-known", "write what fails to that file, and leave out what no longer does")
    .option("--json", "print the report as JSON instead of tables")
    .action(async (files: string[], flags: JudgeFlags) => {
      const misplaced = files.length > 0 ? misplacedFlags(command, randomFlags) : [];
      if (misplaced.length === 0) return end(await judgeAll(files, flags, terminal));
      report(terminal, misplaced);
      end(exitCodes.badInput);
    });
}

async function judgeAll(files: readonly string[], flags: JudgeFlags, terminal: Terminal): Promise<ExitCode> {
  const planned = await planOf(files, flags);
  if (!planned.ok) {
    report(terminal, planned.error);
    return exitCodes.badInput;
  }
  const { choices, run, reports, known } = planned.value;
  const kept = new Map<string, Section>();
  const waiting = new Set(choices);
  const found = (failures: readonly KnownFailure[]): Section[] =>
    [...kept.values()].map((section) => withKnown(section, failures));
  const interruptible = terminal.atInterrupt?.(() => {
    const sections = found(known);
    const summary = summaryOf(run, sections, flags);
    const tell = (last: Terminal): void => {
      printAll(summary, sections, flags, last);
      for (const { label } of waiting)
        last.note(`${last.palette.yellow("–")} ${visible(label)} was not asked`);
    };
    return lastWords(
      terminal,
      tell,
      reports.map(({ path, format }) => ({ path, text: format(summary) })),
    );
  });
  let isBroken = false;
  for (const [place, choice] of choices.entries()) {
    waiting.delete(choice);
    const judged = await judgeEngine(choice, run, terminal, (section) => {
      kept.set(`${place} ${section.dtype}`, section);
      interruptible?.news();
    });
    isBroken ||= judged.isBroken;
  }
  interruptible?.over();
  const remembered = await rememberKnown(flags, known, found(known));
  const sections = found(remembered.ok ? remembered.value : known);
  const summary = summaryOf(run, sections, flags);
  printAll(summary, sections, flags, terminal);
  const saved = await writeReports(summary, reports);
  for (const part of [remembered, saved]) if (!part.ok) report(terminal, part.error);
  if (!remembered.ok || !saved.ok) return exitCodes.badInput;
  const code = exitCodeOf(sections.map(standingOf));
  return isBroken && code !== exitCodes.disagrees ? exitCodes.undecided : code;
}

function summaryOf(
  run: RunPlan,
  sections: readonly Section[],
  { profile }: Pick<JudgeFlags, "profile">,
): ReportJson {
  const { seed, cases, lawsEvery } = run;
  const shares = run.suite.length > 0 ? [] : sharesOf(run.profile);
  return reportJson({ adjudge: packageVersion(), seed, cases, profile, lawsEvery, shares }, sections);
}

function printAll(
  summary: ReportJson,
  sections: readonly Section[],
  flags: JudgeFlags,
  terminal: Terminal,
): void {
  if (flags.json === true) terminal.out(JSON.stringify(summary, undefined, 2));
  else printFindings(sections, { ...flags, shares: summary.shares }, terminal);
}

/** What to ask of whom, what is known before, and where to write what is found. */
interface Planned {
  readonly choices: readonly EngineChoice[];
  readonly run: RunPlan;
  readonly reports: readonly ReportFile[];
  readonly known: readonly KnownFailure[];
}

/** What to run. Fails: of the command line, `profile/unknown`, `engine/unknown`, what a suite is not, `file/unwritable`. */
async function planOf(files: readonly string[], flags: JudgeFlags): Promise<Result<Planned, Issue[]>> {
  const profile = profileNamed(flags.profile);
  const chosen = flags.engine.map(chooseEngine);
  const suite = await readSuite(files);
  const reports = await reportFilesOf(flags.report);
  const known = await knownFailures(flags);
  const issues = [profile, ...chosen, suite, reports, known].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !suite.ok || !profile.ok || !reports.ok || !known.ok) return fail(issues);
  const choices =
    chosen.length === 0 ? everyEngine() : chosen.flatMap((choice) => (choice.ok ? [choice.value] : []));
  const { seconds = files.length > 0 ? 0 : undefined, seed, lawsEvery } = flags;
  const run: RunPlan = {
    dtypes: flags.dtype,
    profile: profile.value,
    seed,
    lawsEvery,
    cases: files.length > 0 ? suite.value.length : flags.cases,
    suite: suite.value,
    budget: budgetOf(flags),
    time: seconds === undefined ? defaultTime : timeOf(seconds),
    now: () => performance.now(),
  };
  return ok({ choices, run, reports: reports.value, known: known.value });
}

function profileNamed(name: string): Result<Drawing, Issue[]> {
  const profile = drawings.get(name);
  if (profile !== undefined) return ok(profile);
  const message = `there is no profile ${quote(name)}.`;
  return fail([
    { code: "profile/unknown", pointer: "", message, hint: `there are ${[...drawings.keys()].join(", ")}` },
  ]);
}
