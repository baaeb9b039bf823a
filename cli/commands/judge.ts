import { normalize } from "node:path";
import type { Command } from "commander";
import {
  chooseEngine,
  type EngineChoice,
  everyEngine,
  quoteWord,
  reportJson,
  type Section,
} from "../../conformance/index.ts";
import { type Drawing, drawings, sharesOf, standingOf } from "../../oracle/index.ts";
import {
  type DataType,
  fail,
  type Issue,
  ok,
  quote,
  type ReportJson,
  type Result,
  visible,
} from "../../spec/index.ts";
import { type ExitCode, exitCodeOf, exitCodes } from "../exit.ts";
import { checkWritable, writeOutput, writeOutputNow } from "../files.ts";
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
import { defaultTime, judgeEngine, type RunPlan, timeOf } from "../run_engine.ts";
import { readSuite } from "../suite.ts";
import type { Terminal } from "../terminal.ts";
import { packageVersion } from "../version.ts";
import { printFindings } from "./judge_output.ts";

interface JudgeFlags extends BudgetFlags {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly cases: number;
  readonly seconds?: number;
  readonly lawsEvery: number;
  readonly report?: string;
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
    .option("--report <file>", "write everything that was found as JSON")
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
  const { choices, run } = planned.value;
  const kept = new Map<string, Section>();
  const waiting = new Set(choices);
  const summary = (): ReportJson => summaryOf(run, [...kept.values()]);
  const tell = (): void => printAll(run, [...kept.values()], flags, terminal);
  terminal.atInterrupt?.(() => {
    tell();
    for (const { label } of waiting)
      terminal.note(`${terminal.palette.yellow("–")} ${visible(label)} was not asked`);
    const saved = flags.report === undefined ? ok(undefined) : writeOutputNow(flags.report, summary());
    if (!saved.ok) report(terminal, saved.error);
  });
  let isBroken = false;
  const running: string[] = [];
  for (const [place, choice] of choices.entries()) {
    waiting.delete(choice);
    const judged = await judgeEngine(choice, run, terminal, (section) =>
      kept.set(`${place} ${section.dtype}`, section),
    );
    isBroken ||= judged.isBroken;
    if (judged.runsPrograms) running.push(choice.label);
  }
  terminal.atInterrupt?.(undefined);
  tell();
  hint(run, files, running, terminal);
  const saved = flags.report === undefined ? ok(undefined) : await writeOutput(flags.report, summary());
  if (!saved.ok) {
    report(terminal, saved.error);
    return exitCodes.badInput;
  }
  const code = exitCodeOf([...kept.values()].map(standingOf));
  return isBroken && code !== exitCodes.disagrees ? exitCodes.undecided : code;
}

/** What was asked of programs is their runs, as graphs; who runs programs can be asked them as they are. */
function hint(
  { suite }: RunPlan,
  files: readonly string[],
  running: readonly string[],
  { note, palette }: Terminal,
): void {
  const ofRuns = suite.filter(({ isRun }) => isRun === true).map(({ file }) => normalize(file));
  const runs = ofRuns.length;
  if (runs === 0 || running.length === 0) return;
  const engines = running.map((label) => `-e ${quoteWord(label)}`);
  // A path may name one call of a session, and a program is asked all of them.
  const holding = files.filter((path) => ofRuns.some((file) => file.startsWith(normalize(path))));
  const whole = new Set(holding.map((file) => file.replace(/ call [1-9][0-9]*$/, "")));
  const command = ["adjudge programs", ...[...whole].map(quoteWord), ...engines].join(" ");
  const cases =
    runs === 1 ? "a run of a program was asked as a graph" : `${runs} runs of programs were asked as graphs`;
  note(`${palette.yellow("!")} ${cases}; to ask the programs themselves: ${command}`);
}

function summaryOf(run: RunPlan, sections: readonly Section[]): ReportJson {
  const shares = run.suite.length > 0 ? [] : sharesOf(run.profile);
  return reportJson({ adjudge: packageVersion(), seed: run.seed, cases: run.cases, shares }, sections);
}

function printAll(run: RunPlan, sections: readonly Section[], flags: JudgeFlags, terminal: Terminal): void {
  const summary = summaryOf(run, sections);
  if (flags.json === true) terminal.out(JSON.stringify(summary, undefined, 2));
  else printFindings(sections, { ...flags, shares: summary.shares }, terminal);
}

/** What to run. Fails: of the command line, `profile/unknown`, `engine/unknown`, what a suite is not, `file/unwritable`. */
async function planOf(
  files: readonly string[],
  flags: JudgeFlags,
): Promise<Result<{ readonly choices: readonly EngineChoice[]; readonly run: RunPlan }, Issue[]>> {
  const profile = profileNamed(flags.profile);
  const chosen = flags.engine.map(chooseEngine);
  const suite = await readSuite(files);
  const target = flags.report === undefined ? ok(undefined) : await checkWritable(flags.report);
  const issues = [profile, ...chosen, suite, target].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !suite.ok || !profile.ok) return fail(issues);
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
  return ok({ choices, run });
}

function profileNamed(name: string): Result<Drawing, Issue[]> {
  const profile = drawings.get(name);
  if (profile !== undefined) return ok(profile);
  const message = `there is no profile ${quote(name)}.`;
  return fail([
    { code: "profile/unknown", pointer: "", message, hint: `there are ${[...drawings.keys()].join(", ")}` },
  ]);
}
