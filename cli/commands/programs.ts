import { setImmediate } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import {
  chooseEngine,
  type EngineChoice,
  folded,
  quoteWord,
  showProgramWitness,
} from "../../conformance/index.ts";
import type { DataType, Engine } from "../../engines/index.ts";
import {
  countedProgram,
  floatPrograms,
  judgeProgram,
  noPrograms,
  type ProgramCounts,
  type ProgramVerdict,
  type ProgramWitness,
  programsOn,
} from "../../oracle/index.ts";
import {
  encodeProgramCase,
  fail,
  type Issue,
  ok,
  type Result,
  type StatementKind,
  visible,
} from "../../spec/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { checkWritable, writeOutput, writeOutputNow } from "../files.ts";
import { collect, dtypeOption, misplacedFlags, naturalNumber, report, showIssue } from "../options.ts";
import { type GivenTask, readProgramSuite } from "../program_suite.ts";
import type { Terminal } from "../terminal.ts";
import { packageVersion } from "../version.ts";

interface ProgramFlags {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly seed: number;
  readonly programs: number;
  readonly first: number;
  readonly without: readonly StatementKind[];
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

/** What one engine was asked in one precision, and what came of it. */
interface ProgramSection {
  readonly label: string;
  readonly engine: Engine;
  readonly dtype: DataType;
  counts: ProgramCounts;
  readonly told: Told[];
}

/** A verdict that is not that all agrees, and which program it is about. */
interface Told {
  /** A number of the campaign, or a file. */
  readonly place: number | string;
  readonly verdict: Exclude<ProgramVerdict, { readonly kind: "agrees" }>;
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
  terminal.atInterrupt?.(() => {
    for (const section of sections) printSection(section, flags, terminal);
    const saved =
      flags.report === undefined ? ok(undefined) : writeOutputNow(flags.report, reportOf(sections, flags));
    if (!saved.ok) report(terminal, saved.error);
  });
  for (const choice of planned.value.choices) {
    const code = await askEngine(choice, planned.value.tasks, flags, terminal, sections);
    if (code !== undefined) codes.push(code);
  }
  terminal.atInterrupt?.(undefined);
  for (const section of sections) printSection(section, flags, terminal);
  const saved =
    flags.report === undefined ? ok(undefined) : await writeOutput(flags.report, reportOf(sections, flags));
  if (saved.ok) return worst([...codes, ...sections.map(codeOf)]);
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

/** Asks one engine in each precision; the exit code where there is no section. */
async function askEngine(
  choice: EngineChoice,
  tasks: readonly GivenTask[],
  flags: ProgramFlags,
  terminal: Terminal,
  sections: ProgramSection[],
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
    const section: ProgramSection = { label: choice.label, engine, dtype, counts: noPrograms, told: [] };
    sections.push(section);
    for await (const { place, verdict } of verdictsOf(engine, dtype, tasks, flags)) {
      section.counts = countedProgram(section.counts, verdict);
      if (verdict.kind !== "agrees") section.told.push({ place, verdict });
      const { agrees, disagrees } = section.counts;
      // Signals are heard between turns of the event loop only, and an engine in this process never ends one.
      await setImmediate();
      terminal.progress(`${choice.label} ${dtype}: program ${place}, ${agrees} agree, ${disagrees} disagree`);
    }
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

/** So many disagreements are shown, and so many reasons; the report has all. */
const SHOWN = 5;

function printSection(section: ProgramSection, flags: ProgramFlags, terminal: Terminal): void {
  const { red, yellow, green, bold, dim } = terminal.palette;
  const { name, version } = section.engine.describe();
  const title = `${visible(name, 48)} ${visible(version, 16)}, ${section.dtype}`;
  const wrong = section.told.flatMap(({ place, verdict }) =>
    verdict.kind === "disagrees" ? [{ place, witness: verdict.witness }] : [],
  );
  for (const { place, witness } of distinct(wrong).slice(0, SHOWN)) {
    terminal.out(
      `\n${red("✗")} ${bold(title)}, ${typeof place === "number" ? `program ${place}` : visible(place)}`,
    );
    for (const line of showProgramWitness(witness)) terminal.out(line);
    terminal.out(dim(`  ${replayLine(section, flags, place)}`));
  }
  const reasons = reasonsOf(section.told);
  for (const [reason, { places, kind }] of reasons.slice(0, SHOWN)) {
    terminal.out(
      `${kind === "crashed" ? red("✗") : yellow("–")} ${places.length} ${kind}, the first ${places[0]}:`,
    );
    for (const line of folded(reason, "    ")) terminal.out(line);
  }
  if (reasons.length > SHOWN) terminal.out(`    and ${reasons.length - SHOWN} reasons more`);
  const mark = section.counts.disagrees > 0 ? red("✗") : green("✓");
  const counts = Object.entries(section.counts).filter(([, times]) => times > 0);
  terminal.out(`${mark} ${bold(title)}: ${counts.map(([kind, times]) => `${times} ${kind}`).join(", ")}`);
}

/** Disagreements of which no two are about the same part after the same kinds of statements. */
function distinct<T extends { readonly witness: ProgramWitness }>(wrong: readonly T[]): T[] {
  const seen = new Set<string>();
  return wrong.filter(({ witness: { mode, part, case: question } }) => {
    const kinds = question.program.procedures.flatMap(({ body }) => body.map((statement) => statement.do));
    const kind = `${mode} ${part} ${[...new Set(kinds)].sort().join(" ")}`;
    if (seen.has(kind)) return false;
    seen.add(kind);
    return true;
  });
}

/** By reason without its numbers, what was not answered and why, the most frequent first. */
function reasonsOf(
  told: readonly Told[],
): (readonly [string, { readonly kind: string; readonly places: (number | string)[] }])[] {
  const reasons = new Map<string, { readonly kind: string; readonly places: (number | string)[] }>();
  for (const { place, verdict } of told) {
    if (verdict.kind === "disagrees") continue;
    const why = "reason" in verdict ? verdict.reason : "cause" in verdict ? verdict.cause : verdict.message;
    const reason = visible(why.replaceAll(/\d+/g, "#"), 400);
    const known = reasons.get(reason) ?? { kind: verdict.kind, places: [] };
    known.places.push(place);
    reasons.set(reason, known);
  }
  return [...reasons].toSorted(([, a], [, b]) => b.places.length - a.places.length);
}

function replayLine(
  { label, dtype }: ProgramSection,
  { seed, without }: ProgramFlags,
  place: number | string,
): string {
  const left = without.length === 0 ? "" : ` --without ${without.join(",")}`;
  const which = typeof place === "number" ? `--seed ${seed}${left} --first ${place} -n 1` : quoteWord(place);
  return `adjudge programs -e ${quoteWord(label)} --dtype ${dtype} ${which}`;
}

function codeOf({ counts }: ProgramSection): ExitCode {
  const { agrees, disagrees, crashed } = counts;
  const all = Object.values(counts).reduce((sum, times) => sum + times, 0);
  if (disagrees > 0) return exitCodes.disagrees;
  if (crashed > 0 || agrees === 0) return exitCodes.undecided;
  return 2 * agrees < all ? exitCodes.tooLittle : exitCodes.agrees;
}

function worst(codes: readonly ExitCode[]): ExitCode {
  const { disagrees, undecided, tooLittle, agrees, nothingRun } = exitCodes;
  return [disagrees, undecided, tooLittle, agrees].find((code) => codes.includes(code)) ?? nothingRun;
}

/** Everything that was found. */
function reportOf(sections: readonly ProgramSection[], { seed, programs, first }: ProgramFlags): object {
  return {
    format: "adjudge.program-report.v1",
    adjudge: packageVersion(),
    seed,
    programs,
    first,
    engines: sections.map(({ label, engine, dtype, counts, told }) => {
      const { name, version, language } = engine.describe();
      return {
        label,
        name,
        version,
        language,
        dtype,
        counts,
        told: told.map(({ place, verdict }) => ({ place, ...verdictJson(verdict) })),
      };
    }),
  };
}

function verdictJson(verdict: Told["verdict"]): object {
  if (verdict.kind !== "disagrees") return verdict;
  // What was sent follows from the case and what the engine lacks.
  const { case: question, sent: _, ...rest } = verdict.witness;
  return { kind: verdict.kind, witness: { ...rest, case: encodeProgramCase(question) } };
}
