import { normalize } from "node:path";
import process from "node:process";
import { type Command, InvalidArgumentError, Option } from "commander";
import { mergeReports } from "../../conformance/report/index.ts";
import { chooseEngines, everyEngine, quoteWord } from "../../conformance/testees/index.ts";
import { type Drawing, drawings, sharesOf } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import type { Tally } from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { StatementKind } from "../../spec/programs/index.ts";
import { fail, type Issue, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { DataType, Invocation, Shard } from "../../spec/wire/index.ts";
import type { Questions } from "../campaign/agenda.ts";
import { estimateCampaign } from "../campaign/estimates.ts";
import { graphCampaign } from "../campaign/graphs.ts";
import { foreignFlags, type QuestionKind, questionKinds, usualCases } from "../campaign/kinds.ts";
import { inLanes } from "../campaign/lanes.ts";
import { judgePrograms } from "../campaign/programs.ts";
import { earlierSections } from "../campaign/resume.ts";
import {
  defaultTime,
  orBroken,
  type RunPlan,
  runCampaign,
  type Time,
  timeOf,
  timeOfFiles,
} from "../campaign/run.ts";
import { isAll, type Selection } from "../campaign/selection.ts";
import { type RunJson, type Telling, type TellingFlags, tellingOf, tellRun } from "../campaign/telling.ts";
import { readTrueSuite } from "../given/expectations.ts";
import type { SuiteCase } from "../given/suite.ts";
import { suiteFolders } from "../given/suite_folders.ts";
import {
  type BudgetFlags,
  budgetOf,
  collect,
  dtypeOption,
  leftOut,
  misplacedFlags,
  naturalNumber,
  operatorOption,
  positiveNumber,
  report,
  sampleCount,
  shardOption,
  statementsOption,
  usualSamples,
  withBudget,
} from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import { invocationOf } from "../terminal/invocation.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";
import { type Listed, lists, tellList } from "./judge_list.ts";
import { withTelling } from "./telling_options.ts";

interface JudgeFlags extends BudgetFlags, TellingFlags {
  /** When the run was started, and by which words. */
  readonly invocation: Invocation;
  readonly kind: QuestionKind;
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly cases?: number;
  readonly first: number;
  readonly without: readonly StatementKind[];
  readonly samples: number;
  readonly seconds?: number;
  readonly lawsEvery: number;
  readonly suite: readonly string[];
  readonly operator: readonly OperatorName[];
  readonly exclude: readonly OperatorName[];
  readonly list?: Listed;
  readonly shard?: Shard;
  readonly jobs: number;
  readonly resume?: string;
  readonly strict?: boolean;
}

const description = `Asks engines for values, tangents and cotangents, and compares every number with the truth: exact
rationals where the graph allows, else the reference in float64, within a bound computed from the graph.
Without FILES the cases are random; FILES are vectors (adjudge.vector.v1), cases (adjudge.case.v1), program cases and
vectors of programs, whose runs are asked as graphs, scripts for tapes and vectors of them, texts of these (docs/text.md), or folders of them. What a text
expects is held against the truth before an engine is asked. docs/judging.md explains the output.
With --kind programs, tapes or forward-gradients engines are asked such questions, and of files those that are of this kind.

Exit codes: 0 all that was decided agrees, and it was enough to mean something, 1 an engine disagrees,
2 bad input, 3 nothing could be decided, or an engine crashed or did not start, 4 nothing was run,
5 too little was answered to mean anything, most of what an engine promises was declined, what agrees does so
by what the engine declares alone, or with --strict a number has no right digit.`;

/** This issue is reported because what no selected case shows may still be a known failure. */
const updatedFromSome: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--update-known leaves out what did not occur, and of selected cases not all could.",
  hint: "leave --operator and --exclude out, or --update-known",
};

/** These flags say which random cases are drawn. */
const randomFlags = ["--profile", "--seed", "--cases", "--laws-every", "--first", "--without"];

/** Adds `adjudge judge`, which prints the table, the witnesses, the report. */
export function judgeCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  argv: readonly string[],
): void {
  const command = withTelling(withBudget(program.command("judge")))
    .summary("judge engines on random cases or on a suite")
    .description(description)
    .argument("[files...]", "files of cases or vectors, or folders of them; random cases if none are given")
    .addOption(new Option("--kind <kind>", "what engines are asked").choices(questionKinds).default("graphs"))
    .option(
      "-e, --engine <name-or-command>",
      "an engine to ask; may be repeated (default: all bundled ones; of programs the interpreter)",
      collect,
      [],
    )
    .option(
      "-d, --dtype <precision>",
      "float64, float32, float16, bfloat16, posit32, posit16 or posit8; may be repeated (default: all the engine has; of programs and forward-gradients float64)",
      dtypeOption,
      [],
    )
    .option("--profile <name>", `what random cases look like: ${[...drawings.keys()].join(", ")}`, "mix")
    .option("--seed <number>", "seed of the random cases", naturalNumber, 1)
    .option(
      "-n, --cases <number>",
      `random cases for each engine and precision (default: ${questionKinds.map((kind) => `${usualCases[kind]} ${kind}`).join(", ")})`,
      naturalNumber,
    )
    .option(
      "--seconds <number>",
      "stop asking one engine in one precision after this long; 0 never (default: 15, up to 120 while it is too little; of files 60 for each question)",
      positiveNumber,
    )
    .option("--laws-every <n>", "check the reference-free laws on every n-th case; 0 never", naturalNumber, 4)
    .option("--first <number>", "of programs, the number of the first random one", naturalNumber, 0)
    .option(
      "--without <statements>",
      `of programs, no random ones with these statements, separated by commas (${leftOut.join(", ")})`,
      statementsOption,
      [],
    )
    .option(
      "--samples <number>",
      "of forward-gradients, how many seeds are asked of each law",
      sampleCount,
      usualSamples,
    )
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
    .option("--strict", "exit with 5 if a slope that was taken from a value has no right digit")
    .action(async (named: string[], options: Omit<JudgeFlags, "invocation">) => {
      const flags = { ...options, invocation: invocationOf(argv, new Date(), process.versions.node) };
      end(await judge(command, named, flags, terminal));
    });
}

async function judge(
  command: Command,
  named: readonly string[],
  flags: JudgeFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const suites = suiteFolders(flags.suite);
  if (!suites.ok) {
    report(terminal, suites.error);
    return exitCodes.badInput;
  }
  const files = [...named, ...suites.value];
  if (flags.list !== undefined) return tellList(flags.list, files, selectionOf(flags), terminal);
  const misplaced = [
    ...foreignFlags(command, flags.kind),
    ...(files.length > 0 ? misplacedFlags(command, randomFlags) : []),
    ...(flags.jobs > 1 ? misplacedFlags(command, ["--shard", "--resume"]) : []),
    ...(flags.updateKnown === true && !isAll(selectionOf(flags)) ? [updatedFromSome] : []),
  ];
  if (misplaced.length === 0) return judgeKind(files, flags, terminal);
  report(terminal, misplaced);
  return exitCodes.badInput;
}

async function judgeKind(files: readonly string[], flags: JudgeFlags, terminal: Terminal): Promise<ExitCode> {
  const { kind, cases = usualCases[kind], dtype, samples } = flags;
  if (kind === "programs")
    return judgePrograms(files, { ...flags, programs: cases }, timeFor(files, flags), terminal);
  const planned = await planOf(files, flags);
  if (!planned.ok) {
    report(terminal, planned.error);
    return exitCodes.badInput;
  }
  const { plan, questions, run, telling } = planned.value;
  if (kind === "forward-gradients") {
    const asked = { given: questions.suite, profile: questions.profile, cases, seed: flags.seed, samples };
    const campaign = estimateCampaign(asked, dtype.length === 0 ? ["float64"] : dtype);
    return runCampaign(campaign, { ...plan, earlier: [] }, terminal);
  }
  if (flags.jobs > 1) return judgeInLanes(files, flags, telling, terminal);
  const campaign = graphCampaign(questions, dtype, run, telling, (running, last) =>
    hint(questions, files, running, last),
  );
  return runCampaign(campaign, plan, terminal);
}

/** Says how long an engine is asked: of files everything. */
function timeFor(files: readonly string[], { seconds }: JudgeFlags): Time {
  if (seconds !== undefined) return timeOf(seconds);
  return files.length > 0 ? timeOfFiles : defaultTime;
}

/** Hints that programs were asked as graphs of their runs, and how to ask the programs themselves. */
function hint(
  { suite }: Questions,
  files: readonly string[],
  running: readonly string[],
  { note, palette }: Terminal,
): void {
  const ofRuns = suite.filter(({ isRun }) => isRun === true).map(({ file }) => normalize(file));
  const runs = ofRuns.length;
  if (runs === 0 || running.length === 0) return;
  const engines = running.map((label) => `-e ${quoteWord(label)}`);
  // A path may name one call of a session; the hint asks about all calls of its program.
  const holding = files.filter((path) => ofRuns.some((file) => file.startsWith(normalize(path))));
  const whole = new Set(holding.map((file) => file.replace(/ call [1-9][0-9]*$/, "")));
  const command = ["adjudge programs", ...[...whole].map(quoteWord), ...engines].join(" ");
  const cases =
    runs === 1 ? "a run of a program was asked as a graph" : `${runs} runs of programs were asked as graphs`;
  note(`${palette.yellow("!")} ${cases}; to ask the programs themselves: ${command}`);
}

/** Does the same in several processes, each of which asks a part of the cases. */
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
  const run = { ...merged.value.report, invocation: flags.invocation };
  const code = await tellRun(run, merged.value.sections, telling, terminal);
  if (lanes.value.signal !== undefined) process.kill(process.pid, lanes.value.signal);
  return orBroken(code, lanes.value.isBroken);
}

/** Returns the command line of a part, without the words that say which part it is. */
function wordsOf(files: readonly string[], flags: JudgeFlags): string[] {
  const { kind, engine, dtype, profile, seed, cases = usualCases[kind], lawsEvery, seconds } = flags;
  const { maxElements, maxWork, operator, exclude, strict = false } = flags;
  const random = [
    "--profile",
    profile,
    "--seed",
    `${seed}`,
    "-n",
    `${cases}`,
    ...(kind === "graphs" ? ["--laws-every", `${lawsEvery}`] : []),
  ];
  return [
    "judge",
    ...["--kind", kind],
    ...files,
    ...engine.flatMap((name) => ["-e", name]),
    ...dtype.flatMap((name) => ["--dtype", name]),
    ...(files.length > 0 ? [] : random),
    ...operator.flatMap((name) => ["--operator", name]),
    ...exclude.flatMap((name) => ["--exclude", name]),
    ...(seconds === undefined ? [] : ["--seconds", `${seconds}`]),
    ...(strict ? ["--strict"] : []),
    ...["--max-elements", `${maxElements}`, "--max-work", `${maxWork}`],
  ];
}

function runJsonOf(
  { suite, shard, selection, ...drawn }: Questions,
  { profile, strict = false, invocation }: Pick<JudgeFlags, "profile" | "strict" | "invocation">,
): RunJson {
  const { kind, seed, cases, lawsEvery } = drawn;
  const shares = suite.length > 0 ? [] : sharesOf(drawn.profile);
  return {
    adjudge: packageVersion(),
    invocation,
    seed,
    cases,
    ...(kind === undefined ? {} : { kind }),
    profile,
    lawsEvery,
    shares,
    ...(isAll(selection) ? {} : { selection }),
    ...(strict ? { strict } : {}),
    ...(shard === undefined ? {} : { shard }),
  };
}

/** A plan says what to ask of whom, and how to tell what is found. */
interface Planned {
  readonly plan: RunPlan<Tally, Verdict>;
  readonly questions: Questions;
  readonly run: RunJson;
  readonly telling: Telling;
}

/**
 * Returns what to run. Fails: on a bad command line, `profile/unknown`, `engine/unknown`, and as `readSuite`,
 * `tellingOf` and `earlierSections` do.
 */
async function planOf(files: readonly string[], flags: JudgeFlags): Promise<Result<Planned, Issue[]>> {
  const profile = profileNamed(flags.profile);
  const choices = flags.engine.length === 0 ? ok(everyEngine()) : chooseEngines(flags.engine);
  const suite = await readTrueSuite(files, budgetOf(flags));
  const telling = await tellingOf(flags);
  const issues = [profile, choices, suite, telling].flatMap((part) => (part.ok ? [] : part.error));
  if (!suite.ok || !profile.ok || !telling.ok || !choices.ok) return fail(issues);
  const { kind, seed, shard, cases = usualCases[kind] } = flags;
  const wanted = suite.value.filter((one) => isOfKind(kind, one));
  if (files.length > 0 && wanted.length === 0) return fail([noneOfKind(kind)]);
  const questions: Questions = {
    ...(kind === "tapes" ? { kind } : {}),
    profile: profile.value,
    seed,
    lawsEvery: kind === "graphs" ? flags.lawsEvery : 0,
    cases: files.length > 0 ? wanted.length : cases,
    suite: wanted,
    selection: selectionOf(flags),
    ...(shard === undefined ? {} : { shard }),
  };
  const run = runJsonOf(questions, flags);
  const earlier = await earlierSections(flags.resume, run);
  if (!earlier.ok) return earlier;
  const plan = {
    choices: choices.value,
    budget: budgetOf(flags),
    time: timeFor(files, flags),
    now: () => performance.now(),
    earlier: earlier.value,
  };
  return ok({ plan, questions, run, telling: telling.value });
}

/** Tells whether a file's case is of a kind; those that are asked as graphs may be tape scripts. */
function isOfKind(kind: QuestionKind, { tapes }: SuiteCase): boolean {
  return kind === "graphs" || (kind === "tapes") === (tapes !== undefined);
}

function noneOfKind(kind: QuestionKind): Issue {
  const message = `the files have no questions of the kind ${kind}.`;
  const hint = "ask them without --kind, or give other files";
  return { code: "suite/kind", pointer: "", message, hint };
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

/** No machine gains from more processes than this. */
const MAXIMUM_JOBS = 256;

function profileNamed(name: string): Result<Drawing, Issue[]> {
  const profile = drawings.get(name);
  if (profile !== undefined) return ok(profile);
  const message = `there is no profile ${quote(name)}.`;
  return fail([
    { code: "profile/unknown", pointer: "", message, hint: `there are ${[...drawings.keys()].join(", ")}` },
  ]);
}
