import { normalize } from "node:path";
import process from "node:process";
import { type Command, InvalidArgumentError, Option } from "commander";
import { mergeReports, reportJson, type Section } from "../../conformance/report/index.ts";
import { chooseEngine, type EngineChoice, everyEngine, quoteWord } from "../../conformance/testees/index.ts";
import { type Drawing, drawings, sharesOf } from "../../oracle/generate/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";
import { fail, type Issue, ok, quote, type Result, visible } from "../../spec/shapes/index.ts";
import type { DataType, Shard } from "../../spec/wire/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { inLanes } from "../lanes.ts";
import { lastWords } from "../last_words.ts";
import {
  type BudgetFlags,
  budgetOf,
  collect,
  dtypeOption,
  misplacedFlags,
  naturalNumber,
  operatorOption,
  positiveNumber,
  report,
  shardOption,
  withBudget,
} from "../options.ts";
import { earlierSections } from "../resume.ts";
import { defaultTime, judgeEngine, type RunPlan, timeOf } from "../run_engine.ts";
import { isAll, type Selection } from "../selection.ts";
import { readSuite } from "../suite.ts";
import { suiteFolders } from "../suite_folders.ts";
import type { Terminal } from "../terminal.ts";
import { packageVersion } from "../version.ts";
import { type Listed, lists, tellList } from "./judge_list.ts";
import {
  printRun,
  type RunJson,
  type Telling,
  type TellingFlags,
  tellingOf,
  tellRun,
  withAll,
} from "./judge_told.ts";
import { withTelling } from "./telling_options.ts";

interface JudgeFlags extends BudgetFlags, TellingFlags {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly cases: number;
  readonly seconds?: number;
  readonly lawsEvery: number;
  readonly suite: readonly string[];
  readonly operator: readonly OperatorName[];
  readonly exclude: readonly OperatorName[];
  readonly list?: Listed;
  readonly shard?: Shard;
  readonly jobs: number;
  readonly resume?: string;
}

const description = `Asks engines for values, tangents and cotangents, and compares every number with the truth: exact
rationals where the graph allows, else the reference in float64, within a bound computed from the graph.
Without FILES the cases are random; FILES are vectors (adjudge.vector.v1), cases (adjudge.case.v1), program cases and
vectors of programs, whose runs are asked as graphs, scripts for tapes and vectors of them, or folders of all these. docs/judging.md explains the output.

Exit codes: 0 all that was decided agrees, and it was enough to mean something, 1 an engine disagrees,
2 bad input, 3 nothing could be decided, or an engine crashed or did not start, 4 nothing was run,
5 too little was answered to mean anything, or most of what an engine promises was declined.`;

/** What no selected case shows may still be there. */
const updatedFromSome: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--update-known leaves out what did not occur, and of selected cases not all could.",
  hint: "leave --operator and --exclude out, or --update-known",
};

/** The flags that say which random cases are drawn. */
const randomFlags = ["--profile", "--seed", "--cases", "--laws-every"];

/** `adjudge judge`: the table, the witnesses, the report. */
export function judgeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = withTelling(withBudget(program.command("judge")))
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
      "-d, --dtype <precision>",
      "float64, float32, float16, bfloat16, posit32, posit16 or posit8; may be repeated (default: all the engine has)",
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
    .option("--suite <name>", "ask a suite that adjudge brings; may be repeated", collect, [])
    .option(
      "--operator <name>",
      "ask only cases that have this operator, or another that is named so; may be repeated",
      operatorOption,
      [],
    )
    .option("--exclude <name>", "ask no case that has this operator; may be repeated", operatorOption, [])
    .addOption(
      new Option(
        "--list <what>",
        "ask nothing, and list what there is to ask: vectors, of the suites that are named",
      ).choices(lists),
    )
    .option(
      "--shard <part>",
      "ask one of several parts of the cases, such as 2/4; adjudge merge puts reports together",
      shardOption,
    )
    .option("--jobs <number>", "ask in so many processes at once", jobsOption, 1)
    .option(
      "--resume <report>",
      "go on where the run that wrote this report was interrupted, or its time was over",
    )
    .action(async (named: string[], flags: JudgeFlags) => {
      const suites = suiteFolders(flags.suite);
      if (!suites.ok) {
        report(terminal, suites.error);
        return end(exitCodes.badInput);
      }
      const files = [...named, ...suites.value];
      if (flags.list !== undefined)
        return end(await tellList(flags.list, files, selectionOf(flags), terminal));
      const misplaced = [
        ...(files.length > 0 ? misplacedFlags(command, randomFlags) : []),
        ...(flags.jobs > 1 ? misplacedFlags(command, ["--shard", "--resume"]) : []),
        ...(flags.updateKnown === true && !isAll(selectionOf(flags)) ? [updatedFromSome] : []),
      ];
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
  const { choices, run, telling } = planned.value;
  if (flags.jobs > 1) return judgeInLanes(files, flags, telling, terminal);
  const runJson = runJsonOf(run, flags);
  const kept = new Map<string, Section>();
  const waiting = new Set(choices);
  const interruptible = terminal.atInterrupt?.(() => {
    const sections = withAll([...kept.values()], telling.known);
    const summary = reportJson(runJson, sections);
    const tell = (last: Terminal): void => {
      printRun(runJson, sections, flags, last);
      for (const { label } of waiting)
        last.note(`${last.palette.yellow("–")} ${visible(label)} was not asked`);
    };
    const texts = telling.reports.map(({ path, format }) => ({ path, text: format(summary) }));
    return lastWords(terminal, tell, texts);
  });
  let isBroken = false;
  const running: string[] = [];
  for (const [place, choice] of choices.entries()) {
    waiting.delete(choice);
    const judged = await judgeEngine(choice, run, terminal, (section) => {
      kept.set(`${place} ${section.dtype}`, section);
      interruptible?.news();
    });
    isBroken ||= judged.isBroken;
    if (judged.runsPrograms) running.push(choice.label);
  }
  interruptible?.over();
  const code = await tellRun(runJson, [...kept.values()], telling, terminal);
  hint(run, files, running, terminal);
  return orBroken(code, isBroken);
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

/** An engine that did not start leaves a run undecided, whatever the others say but that they disagree. */
function orBroken(code: ExitCode, isBroken: boolean): ExitCode {
  const isWorse = code === exitCodes.disagrees || code === exitCodes.badInput;
  return isBroken && !isWorse ? exitCodes.undecided : code;
}

/** The same in several processes, each of which asks a part of the cases. */
async function judgeInLanes(
  files: readonly string[],
  flags: JudgeFlags,
  telling: Telling,
  terminal: Terminal,
): Promise<ExitCode> {
  const lanes = await inLanes(wordsOf(files, flags), flags.jobs, terminal);
  const merged = lanes.ok ? mergeReports(lanes.value.reports) : lanes;
  if (!lanes.ok || !merged.ok) {
    report(terminal, merged.ok ? [] : merged.error);
    return exitCodes.badInput;
  }
  const code = await tellRun(merged.value.report, merged.value.sections, telling, terminal);
  if (lanes.value.isInterrupted) process.kill(process.pid, "SIGINT");
  return orBroken(code, lanes.value.isBroken);
}

/** The command line of a part, but for which part it is. */
function wordsOf(files: readonly string[], flags: JudgeFlags): string[] {
  const { engine, dtype, profile, seed, cases, lawsEvery, seconds, maxElements, maxWork } = flags;
  const { operator, exclude } = flags;
  const random = [
    "--profile",
    profile,
    "--seed",
    `${seed}`,
    "-n",
    `${cases}`,
    "--laws-every",
    `${lawsEvery}`,
  ];
  return [
    "judge",
    ...files,
    ...engine.flatMap((name) => ["-e", name]),
    ...dtype.flatMap((name) => ["--dtype", name]),
    ...(files.length > 0 ? [] : random),
    ...operator.flatMap((name) => ["--operator", name]),
    ...exclude.flatMap((name) => ["--exclude", name]),
    ...(seconds === undefined ? [] : ["--seconds", `${seconds}`]),
    ...["--max-elements", `${maxElements}`, "--max-work", `${maxWork}`],
  ];
}

function runJsonOf(run: RunPlan, { profile }: Pick<JudgeFlags, "profile">): RunJson {
  const { seed, cases, lawsEvery, shard, selection } = run;
  const shares = run.suite.length > 0 ? [] : sharesOf(run.profile);
  return {
    adjudge: packageVersion(),
    seed,
    cases,
    profile,
    lawsEvery,
    shares,
    ...(isAll(selection) ? {} : { selection }),
    ...(shard === undefined ? {} : { shard }),
  };
}

/** What to ask of whom, and how to tell what is found. */
interface Planned {
  readonly choices: readonly EngineChoice[];
  readonly run: RunPlan;
  readonly telling: Telling;
}

/**
 * What to run. Fails: of the command line, `profile/unknown`, `engine/unknown`, what a suite is not, what `tellingOf` and
 * `earlierSections` find.
 */
async function planOf(files: readonly string[], flags: JudgeFlags): Promise<Result<Planned, Issue[]>> {
  const profile = profileNamed(flags.profile);
  const chosen = flags.engine.map(chooseEngine);
  const suite = await readSuite(files);
  const telling = await tellingOf(flags);
  const issues = [profile, ...chosen, suite, telling].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !suite.ok || !profile.ok || !telling.ok) return fail(issues);
  const choices =
    chosen.length === 0 ? everyEngine() : chosen.flatMap((choice) => (choice.ok ? [choice.value] : []));
  const { seconds = files.length > 0 ? 0 : undefined, seed, lawsEvery, shard } = flags;
  const run: RunPlan = {
    dtypes: flags.dtype,
    profile: profile.value,
    seed,
    lawsEvery,
    cases: files.length > 0 ? suite.value.length : flags.cases,
    suite: suite.value,
    selection: selectionOf(flags),
    ...(shard === undefined ? {} : { shard }),
    budget: budgetOf(flags),
    time: seconds === undefined ? defaultTime : timeOf(seconds),
    now: () => performance.now(),
    earlier: [],
  };
  const earlier = await earlierSections(flags.resume, runJsonOf(run, flags));
  return earlier.ok
    ? ok({ choices, run: { ...run, earlier: earlier.value }, telling: telling.value })
    : earlier;
}

function selectionOf({ operator, exclude }: Pick<JudgeFlags, "operator" | "exclude">): Selection {
  return { operators: operator, excluded: exclude };
}

/** Reads how many processes. */
function jobsOption(text: string): number {
  const jobs = naturalNumber(text);
  if (jobs < 1 || jobs > MAXIMUM_JOBS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAXIMUM_JOBS}.`);
  return jobs;
}

/** More processes than this no machine is the better for. */
const MAXIMUM_JOBS = 256;

function profileNamed(name: string): Result<Drawing, Issue[]> {
  const profile = drawings.get(name);
  if (profile !== undefined) return ok(profile);
  const message = `there is no profile ${quote(name)}.`;
  return fail([
    { code: "profile/unknown", pointer: "", message, hint: `there are ${[...drawings.keys()].join(", ")}` },
  ]);
}
