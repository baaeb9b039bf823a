import { setImmediate } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { chooseEngine, type EngineChoice } from "../../conformance/testees/index.ts";
import {
  countedProgram,
  floatPrograms,
  judgeProgram,
  noPrograms,
  type ProgramVerdict,
  programsOn,
} from "../../oracle/programs/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { StatementKind } from "../../spec/programs/index.ts";
import { fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { checkWritable, writeOutput } from "../files.ts";
import { lastWords } from "../last_words.ts";
import { collect, dtypeOption, misplacedFlags, naturalNumber, report, showIssue } from "../options.ts";
import { type GivenTask, readProgramSuite } from "../program_suite.ts";
import type { Terminal } from "../terminal.ts";
import {
  type DrawnPrograms,
  type ProgramSection,
  printProgramSection,
  programCodeOf,
  programReportOf,
} from "./programs_output.ts";

interface ProgramFlags extends DrawnPrograms {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly report?: string;
}

const description = `Asks engines that run programs with memory (in-place writes, views, loops, branches, random numbers, sessions) for
all that a call leaves behind and for derivatives, and compares every number with the truth about the graph of the run. Without FILES the
programs are random; FILES are program cases (adjudge.program-case.v1), vectors of programs (adjudge.program-vector.v1)
or folders of them. An engine may refuse a program that overwrites what its sweep needs; docs/programs.md says more.

Exit codes: 0 all that was decided agrees, 1 an engine disagrees, 2 bad input, 3 nothing could be decided, or an engine crashed
or did not start, 4 no engine runs programs, 5 most programs were refused, declined or undecided.`;

/** The statements that random programs do without where they are told to. */
const leftOut: readonly StatementKind[] = ["no_grad", "checkpoint", "detach", "retain"];

/** Reads a list of {@link leftOut}. */
function statementsOption(text: string): StatementKind[] {
  return text.split(",").map((word) => {
    const kind = leftOut.find((name) => name === word);
    if (kind === undefined) throw new InvalidArgumentError(`It must be of ${leftOut.join(", ")}.`);
    return kind;
  });
}

/** `adjudge programs`: engines asked as they are used, with memory. */
export function programsCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = program
    .command("programs")
    .summary("judge engines on programs with memory")
    .description(description)
    .argument(
      "[files...]",
      "program cases or vectors of programs, or folders of them; random programs if none are given",
    )
    .option(
      "-e, --engine <name-or-command>",
      "an engine to ask; may be repeated (default: interpreter)",
      collect,
      [],
    )
    .option("--dtype <precision>", "float64 or float32; may be repeated (default: float64)", dtypeOption, [])
    .option("--seed <number>", "seed of the random programs", naturalNumber, 1)
    .option("-n, --programs <number>", "random programs for each engine and precision", naturalNumber, 200)
    .option(
      "--without <statements>",
      `no random programs with these statements, separated by commas: to search on behind a known fault (${leftOut.join(", ")})`,
      statementsOption,
      [],
    )
    .option("--first <number>", "the number of the first random program", naturalNumber, 0)
    .option("--report <file>", "write everything that was found as JSON")
    .action(async (files: string[], flags: ProgramFlags) => {
      const misplaced =
        files.length > 0 ? misplacedFlags(command, ["--seed", "--programs", "--first", "--without"]) : [];
      if (misplaced.length === 0) return end(await judgeAll(files, flags, terminal));
      report(terminal, misplaced);
      end(exitCodes.badInput);
    });
}

async function judgeAll(
  files: readonly string[],
  flags: ProgramFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const planned = await planOf(files, flags);
  if (!planned.ok) {
    report(terminal, planned.error);
    return exitCodes.badInput;
  }
  const sections: ProgramSection[] = [];
  const codes: ExitCode[] = [];
  const interruptible = terminal.atInterrupt?.(() =>
    lastWords(
      terminal,
      (last) => {
        for (const section of sections) printProgramSection(section, flags, last);
      },
      flags.report === undefined
        ? []
        : [{ path: flags.report, text: `${visibleJson(programReportOf(sections, flags))}\n` }],
    ),
  );
  for (const choice of planned.value.choices) {
    const code = await askEngine(choice, planned.value.tasks, flags, terminal, {
      sections,
      news: () => interruptible?.news(),
    });
    if (code !== undefined) codes.push(code);
  }
  interruptible?.over();
  for (const section of sections) printProgramSection(section, flags, terminal);
  const saved =
    flags.report === undefined
      ? ok(undefined)
      : await writeOutput(flags.report, programReportOf(sections, flags));
  if (saved.ok) return worst([...codes, ...sections.map(programCodeOf)]);
  report(terminal, saved.error);
  return exitCodes.badInput;
}

async function planOf(
  files: readonly string[],
  flags: ProgramFlags,
): Promise<
  Result<{ readonly choices: readonly EngineChoice[]; readonly tasks: readonly GivenTask[] }, Issue[]>
> {
  const names = flags.engine.length === 0 ? ["interpreter"] : flags.engine;
  const chosen = names.map(chooseEngine);
  const suite = await readProgramSuite(files);
  const target = flags.report === undefined ? ok(undefined) : await checkWritable(flags.report);
  const issues = [...chosen, suite, target].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !suite.ok) return fail(issues);
  return ok({ choices: chosen.flatMap((choice) => (choice.ok ? [choice.value] : [])), tasks: suite.value });
}

/** What was found, and who hears when it is more. */
interface Known {
  readonly sections: ProgramSection[];
  readonly news: () => void;
}

/** Asks one engine in each precision; the exit code where there is no section. */
async function askEngine(
  choice: EngineChoice,
  tasks: readonly GivenTask[],
  flags: ProgramFlags,
  terminal: Terminal,
  { sections, news }: Known,
): Promise<ExitCode | undefined> {
  const { palette } = terminal;
  terminal.progress(`starting ${choice.label} …`);
  const started = await choice.start({});
  if (started.kind === "missing") {
    terminal.note(
      `${palette.yellow("–")} ${choice.label} is not installed and was not asked: ${started.reason}`,
    );
    return exitCodes.nothingRun;
  }
  if (started.kind === "broken") {
    for (const issue of started.issues)
      terminal.note(`${palette.red("✗")} ${choice.label}: ${showIssue(issue)}`);
    return exitCodes.undecided;
  }
  await using engine = started.engine;
  if (engine.programs === undefined) {
    terminal.note(
      `${palette.yellow("–")} ${choice.label} runs no programs; adjudge judge asks it the graphs of program cases`,
    );
    return exitCodes.nothingRun;
  }
  const wanted: readonly DataType[] = flags.dtype.length === 0 ? ["float64"] : flags.dtype;
  const dtypes = wanted.filter((dtype) => engine.describe().dtypes.includes(dtype));
  for (const dtype of dtypes) {
    const section: ProgramSection = {
      label: choice.label,
      engine,
      dtype,
      programs: tasks.length === 0 ? flags.programs : tasks.length,
      ended: "interrupted",
      counts: noPrograms,
      told: [],
    };
    sections.push(section);
    for await (const { place, verdict } of verdictsOf(engine, dtype, tasks, flags)) {
      section.counts = countedProgram(section.counts, verdict);
      if (verdict.kind !== "agrees") section.told.push({ place, verdict });
      news();
      const { agrees, disagrees } = section.counts;
      // Signals are heard between turns of the event loop only, and an engine in this process never ends one.
      await setImmediate();
      terminal.progress(`${choice.label} ${dtype}: program ${place}, ${agrees} agree, ${disagrees} disagree`);
    }
    section.ended = "all";
  }
  for (const issue of (await started.process?.close()) ?? [])
    terminal.note(`${palette.yellow("!")} ${choice.label}: ${showIssue(issue)}`);
  return dtypes.length === 0 ? exitCodes.nothingRun : undefined;
}

async function* verdictsOf(
  engine: Engine,
  dtype: DataType,
  tasks: readonly GivenTask[],
  { seed, programs, first, without }: ProgramFlags,
): AsyncGenerator<{ readonly place: number | string; readonly verdict: ProgramVerdict }> {
  if (tasks.length === 0) {
    const profile = { ...floatPrograms, without };
    for await (const { index, verdict } of programsOn(engine, { seed, programs, first, dtype, profile }))
      yield { place: index, verdict };
    return;
  }
  for (const { file, task } of tasks)
    yield { place: file, verdict: await judgeProgram(engine, task, { dtype, shrinkBudget: 0 }) };
}

function worst(codes: readonly ExitCode[]): ExitCode {
  const { disagrees, undecided, tooLittle, agrees, nothingRun } = exitCodes;
  return [disagrees, undecided, tooLittle, agrees].find((code) => codes.includes(code)) ?? nothingRun;
}
