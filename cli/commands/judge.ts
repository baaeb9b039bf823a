import { normalize } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { mergeReports } from "../../conformance/report/index.ts";
import { chooseEngines, everyEngine, quoteWord } from "../../conformance/testees/index.ts";
import { type Drawing, drawingNamed, namesOfDrawings, sharesOf } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import type { Tally } from "../../oracle/judge/index.ts";
import { fail, type Issue, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { FailedBefore, Questions } from "../campaign/agenda.ts";
import { estimateCampaign } from "../campaign/estimates.ts";
import { judgeFunctions } from "../campaign/functions.ts";
import { graphCampaign } from "../campaign/graphs.ts";
import { foreignFlags, isOfGraphs, type QuestionKind, usualCases } from "../campaign/kinds.ts";
import { inLanes } from "../campaign/lanes.ts";
import { failedOf, type LastRun, LastRuns, lastRunIssue } from "../campaign/last_run.ts";
import { mostFindings } from "../campaign/new_findings.ts";
import { noteInterrupted } from "../campaign/notes.ts";
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
import { type RunJson, type Telling, tellingOf, tellRun } from "../campaign/telling.ts";
import { changesOf, watching } from "../campaign/watch.ts";
import { pathOfPoints } from "../given/drawn_points.ts";
import { readTrueSuite } from "../given/expectations.ts";
import type { SuiteCase } from "../given/suite.ts";
import { suiteFolders } from "../given/suite_folders.ts";
import { budgetOf, excludedFlags, givenFlags, misplacedFlags, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import { invocationOf } from "../terminal/invocation.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";
import { tellList } from "./judge_list.ts";
import { type JudgeFlags, judgeCommandLine } from "./judge_options.ts";

/** This issue is reported because what no selected case shows may still be a known failure. */
const updatedFromSome: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--update-known leaves out what did not occur, and of selected cases not all could.",
  hint: "leave --operator and --exclude out (--no-config, where the project sets it), or --update-known",
};

/** This issue is reported because a path that nobody watches is a mistake. */
const watchPathAlone: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--watch-path says what --watch watches.",
  hint: "give --watch, or leave --watch-path out",
};

/** These flags say which random cases are drawn. */
const randomFlags = ["--profile", "--seed", "--cases", "--laws-every", "--first", "--without", "--actions"];

/** Adds `adjudge judge`, which prints the table, the witnesses, the report. */
export function judgeCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  argv: readonly string[],
): void {
  const command = judgeCommandLine(program, terminal);
  command.action(async (named: string[], options: Omit<JudgeFlags, "invocation">) => {
    const flags = { ...options, invocation: invocationOf(argv, new Date(), process.versions.node) };
    end(await judge(command, named, flags, { terminal, argv }));
  });
}

/** The points of a graph are drawn too, from the same seed. */
function randomFlagsOf({ graph }: JudgeFlags): readonly string[] {
  return graph.length === 0 ? randomFlags : randomFlags.filter((flag) => flag !== "--seed");
}

/** Points are drawn for the graphs of files alone. */
function excludedWithoutGraph(command: Command): Issue[] {
  return givenFlags(command)
    .filter((flag) => flag === "--points" || flag === "--domain")
    .map((flag) => ({
      code: "flag/inapplicable",
      pointer: "",
      message: `${flag} is about points of a graph, and there is none.`,
      hint: "name its file by --graph",
    }));
}

function drawnPath(file: string, { seed, points, domain }: JudgeFlags): string {
  return pathOfPoints({ file, seed, first: 0, count: points, ...(domain === undefined ? {} : { domain }) });
}

/** A run is told here, and was asked for by these words. */
interface Surroundings {
  readonly terminal: Terminal;
  readonly argv: readonly string[];
}

async function judge(
  command: Command,
  named: readonly string[],
  all: JudgeFlags,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  if (all.stdio === true || all.functions === true) return judgeFunctions(command, named, all, terminal);
  const flags = ofKind(command, all);
  const suites = suiteFolders(flags.suite);
  if (!suites.ok) {
    report(terminal, suites.error);
    return exitCodes.badInput;
  }
  const files = [...named, ...suites.value, ...flags.graph.map((file) => drawnPath(file, flags))];
  if (flags.list !== undefined)
    return tellList(flags.list, files, { selection: selectionOf(flags), named: flags.named }, terminal);
  const misplaced = [
    ...foreignFlags(command, flags.kind),
    ...(files.length > 0 ? misplacedFlags(command, randomFlagsOf(flags)) : []),
    ...(flags.graph.length === 0 ? excludedWithoutGraph(command) : []),
    ...(flags.jobs > 1 ? excludedFlags(command, "--jobs", oneProcess) : []),
    ...(flags.lastFailed === true ? excludedFlags(command, "--last-failed", ["--resume"]) : []),
    ...(flags.watch !== true && flags.watchPath.length > 0 ? [watchPathAlone] : []),
    ...(flags.watch === true
      ? excludedFlags(command, "--watch", ["--last-failed", "--resume", "--shard"])
      : []),
    ...(flags.updateKnown === true && !isAll(selectionOf(flags)) ? [updatedFromSome] : []),
  ];
  if (misplaced.length > 0) {
    report(terminal, misplaced);
    return exitCodes.badInput;
  }
  // A part of a run keeps nothing: the parts run beside each other, and go on together.
  const runs = flags.shard === undefined && isOfGraphs(flags.kind) ? await LastRuns.open() : undefined;
  if (flags.watch !== true) return judgeKind(files, flags, surroundings, runs);
  const watched = changesOf(flags);
  if (!watched.ok) {
    report(terminal, watched.error);
    return exitCodes.badInput;
  }
  return watching(() => judgeKind(files, flags, surroundings, runs), watched.value, terminal);
}

/** Leaves out what the project sets for graphs, where other questions are asked. */
function ofKind(command: Command, flags: JudgeFlags): JudgeFlags {
  if (isOfGraphs(flags.kind)) return flags;
  const { cases, report: reports, ...others } = flags;
  const isSet = (option: string): boolean => command.getOptionValueSource(option) === "config";
  return {
    ...others,
    ...(cases === undefined || isSet("cases") ? {} : { cases }),
    report: isSet("report") ? [] : reports,
  };
}

/** These flags do not go with several processes. */
const oneProcess = ["--shard", "--resume", "--fail-fast", "--max-findings", "--watch"];

async function judgeKind(
  files: readonly string[],
  flags: JudgeFlags,
  { terminal, argv }: Surroundings,
  runs: LastRuns | undefined,
): Promise<ExitCode> {
  const { kind, cases = usualCases[kind], dtype, samples } = flags;
  if (kind === "programs")
    return judgePrograms(files, { ...flags, programs: cases }, timeFor(files, flags), terminal);
  const planned = await planOf(files, flags, runs?.last);
  if (!planned.ok) {
    report(terminal, planned.error);
    return exitCodes.badInput;
  }
  const { plan, questions, run, telling } = planned.value;
  if (flags.lastFailed === true && questions.failed === undefined)
    terminal.note(`${terminal.palette.yellow("–")} nothing failed in the last run here, and all is asked`);
  if (kind === "forward-gradients") {
    const asked = { given: questions.suite, profile: questions.profile, cases, seed: flags.seed, samples };
    const campaign = estimateCampaign(asked, dtype.length === 0 ? ["float64"] : dtype);
    return runCampaign(campaign, { ...plan, earlier: [] }, terminal);
  }
  if (flags.jobs > 1) return judgeInLanes(files, flags, { telling, run, runs }, terminal);
  const outliving =
    runs === undefined ? undefined : { runs, resumed: (to: string) => resumed(argv, flags, to) };
  const tellHint = (running: readonly string[], last: Terminal): void =>
    hint(questions, files, running, last);
  const campaign = graphCampaign(questions, dtype, run, telling, tellHint, outliving);
  return runCampaign(campaign, plan, terminal);
}

/** Returns the command that goes on with an interrupted run: what it asks again is what it has not asked. */
function resumed(
  argv: readonly string[],
  { lastFailed, watch }: JudgeFlags,
  path: string,
): string | undefined {
  if (watch === true) return undefined;
  const [command = "", ...rest] = argv;
  const words = rest.filter((word, n) => !/^--resume(=|$)/.test(word) && rest[n - 1] !== "--resume");
  const resume = lastFailed === true ? [] : ["--resume", path];
  return ["adjudge", command, ...resume, ...words].map(quoteWord).join(" ");
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
  { telling, run, runs }: Pick<Planned, "telling" | "run"> & { readonly runs: LastRuns | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  runs?.begin();
  const lanes = await inLanes(wordsOf(files, flags), flags.jobs, terminal);
  const merged = lanes.ok ? mergeReports(lanes.value.reports) : lanes;
  if (!lanes.ok || !merged.ok) {
    report(terminal, merged.ok ? [] : merged.error);
    return exitCodes.badInput;
  }
  const whole = { ...merged.value.report, invocation: flags.invocation };
  const code = await tellRun(whole, merged.value.sections, telling, terminal);
  if (lanes.value.signal === undefined) await runs?.keep(run, merged.value.sections);
  else noteInterrupted([], terminal);
  if (lanes.value.signal !== undefined) process.kill(process.pid, lanes.value.signal);
  return orBroken(code, lanes.value.isBroken);
}

/** Returns the command line of a part, without the words that say which part it is. */
function wordsOf(files: readonly string[], flags: JudgeFlags): string[] {
  const { kind, engine, dtype, profile, seed, cases = usualCases[kind], lawsEvery, seconds } = flags;
  const { config, maxElements, maxWork, operator, exclude, strict = false, lastFailed = false } = flags;
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
    ...(lastFailed ? ["--last-failed"] : []),
    ...(config === false ? ["--no-config"] : config === undefined ? [] : ["--config", config]),
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
async function planOf(
  files: readonly string[],
  flags: JudgeFlags,
  last: LastRun | undefined,
): Promise<Result<Planned, Issue[]>> {
  const profile = profileNamed(flags.profile);
  const choices = flags.engine.length === 0 ? ok(everyEngine()) : chooseEngines(flags.engine, flags.named);
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
  const issue = flags.lastFailed === true ? lastRunIssue(last, run) : undefined;
  if (issue !== undefined) return fail([issue]);
  const earlier = await earlierSections(flags.resume, run);
  if (!earlier.ok) return earlier;
  const plan = {
    choices: choices.value,
    budget: budgetOf(flags),
    time: timeFor(files, flags),
    now: () => performance.now(),
    mostFindings: mostFindings(flags),
    earlier: earlier.value,
  };
  const failed = failedBefore(last, run, flags);
  const asked = failed === undefined ? questions : { ...questions, failed };
  return ok({ plan, questions: asked, run, telling: telling.value });
}

/** Returns what failed in the last run, which alone is asked, or first; `undefined` if nothing did. */
function failedBefore(
  last: LastRun | undefined,
  run: RunJson,
  { lastFailed = false, watch = false }: JudgeFlags,
): FailedBefore | undefined {
  if (last === undefined || !(lastFailed || watch) || lastRunIssue(last, run) !== undefined) return undefined;
  if ([...last.failed.values()].every((places) => places.length === 0)) return undefined;
  return { of: (engine) => failedOf(last, engine), isOnly: lastFailed };
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

function profileNamed(name: string): Result<Drawing, Issue[]> {
  const profile = drawingNamed(name);
  if (profile !== undefined) return ok(profile);
  const message = `there is no profile ${quote(name)}.`;
  return fail([{ code: "profile/unknown", pointer: "", message, hint: `there are ${namesOfDrawings}` }]);
}
