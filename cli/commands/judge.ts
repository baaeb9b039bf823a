import type { Command } from "commander";
import {
  chooseEngine,
  type EngineChoice,
  engineTable,
  everyEngine,
  operatorTable,
  quoteWord,
  reportJson,
  type Section,
  sharesLines,
  showWitness,
  unaskedLines,
} from "../../conformance/index.ts";
import { type Drawing, drawings, faultOf, sharesOf } from "../../oracle/index.ts";
import { type DataType, ok, type ReportJson, visibleJson } from "../../spec/index.ts";
import { type ExitCode, exitCodeOf, exitCodes } from "../exit.ts";
import { checkWritable, writeOutput } from "../files.ts";
import {
  type BudgetFlags,
  budgetOf,
  collect,
  dtypeOption,
  naturalNumber,
  positiveNumber,
  report,
  withBudget,
} from "../options.ts";
import { type EngineRun, judgeEngine, type RunPlan, readSuite } from "../run_engine.ts";
import type { Terminal } from "../terminal.ts";
import { packageVersion } from "../version.ts";

interface JudgeFlags extends BudgetFlags {
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly cases: number;
  readonly seconds: number;
  readonly lawsEvery: number;
  readonly report?: string;
  readonly json?: boolean;
}

const description = `Asks engines for values, tangents and cotangents, and compares every number with the truth: exact
rationals where the graph allows, else the reference in float64, within a bound computed from the graph.
Without FILES the cases are random; FILES are vectors (adjudge.vector.v1), cases (adjudge.case.v1)
or folders of them.

Exit codes: 0 all that was decided agrees, 1 an engine disagrees, 2 bad input,
3 nothing could be decided, or an engine crashed or did not start, 4 nothing was run.`;

/** `adjudge judge`: the table, the witnesses, the report. */
export function judgeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withBudget(program.command("judge"))
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
      "stop asking one engine in one precision after this long; 0 never",
      positiveNumber,
      15,
    )
    .option("--laws-every <n>", "check the reference-free laws on every n-th case; 0 never", naturalNumber, 4)
    .option("--report <file>", "write everything that was found as JSON")
    .option("--json", "print the report as JSON instead of tables")
    .action(async (files: string[], flags: JudgeFlags) => end(await judgeAll(files, flags, terminal)));
}

async function judgeAll(files: readonly string[], flags: JudgeFlags, terminal: Terminal): Promise<ExitCode> {
  const plan = await planOf(files, flags, terminal);
  if (plan === undefined) return exitCodes.badInput;
  const judged: EngineRun[] = [];
  for (const choice of plan.choices) judged.push(await judgeEngine(choice, plan.run, terminal));
  const sections = judged.flatMap((run) => run.sections);
  const summary = reportJson(
    {
      adjudge: packageVersion(),
      seed: flags.seed,
      cases: plan.run.cases,
      shares: files.length > 0 ? [] : sharesOf(plan.run.profile),
    },
    sections,
  );
  if (flags.json === true) terminal.out(visibleJson(summary));
  else printTables(sections, flags, summary.shares, terminal);
  const saved = flags.report === undefined ? undefined : await writeOutput(flags.report, summary);
  if (saved?.ok === false) {
    report(terminal, saved.error);
    return exitCodes.badInput;
  }
  const code = exitCodeOf(sections.map(({ tally }) => tally.counts));
  const isSilent = code === exitCodes.agrees || code === exitCodes.nothingRun;
  return isSilent && judged.some(({ isBroken }) => isBroken) ? exitCodes.undecided : code;
}

/** What to run; `undefined` after the faults of the command line have been told. */
async function planOf(
  files: readonly string[],
  flags: JudgeFlags,
  terminal: Terminal,
): Promise<{ readonly choices: readonly EngineChoice[]; readonly run: RunPlan } | undefined> {
  const profile: Drawing | undefined = drawings.get(flags.profile);
  if (profile === undefined) {
    terminal.note(`there is no profile ${flags.profile}; there are ${[...drawings.keys()].join(", ")}`);
    return undefined;
  }
  const chosen = flags.engine.map(chooseEngine);
  const suite = await readSuite(files);
  const target = flags.report === undefined ? ok(undefined) : await checkWritable(flags.report);
  const issues = [...chosen, suite, target].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !suite.ok) {
    report(terminal, issues);
    return undefined;
  }
  const choices =
    chosen.length === 0 ? everyEngine() : chosen.flatMap((choice) => (choice.ok ? [choice.value] : []));
  const cases = files.length > 0 ? suite.value.length : flags.cases;
  return {
    choices,
    run: { ...flags, budget: budgetOf(flags), dtypes: flags.dtype, profile, cases, suite: suite.value },
  };
}

function printTables(
  sections: readonly Section[],
  flags: JudgeFlags,
  shares: ReportJson["shares"],
  terminal: Terminal,
): void {
  const { palette } = terminal;
  if (sections.length === 0) {
    terminal.out("No engine was asked.");
    return;
  }
  for (const section of sections) printDisagreements(section, flags, terminal);
  for (const line of ["", ...operatorTable(sections, palette), "", ...engineTable(sections, palette)])
    terminal.out(line);
  for (const line of unaskedLines(sections)) terminal.out(palette.yellow(line));
  for (const line of sharesLines(shares)) terminal.out(palette.dim(line));
}

/** The witnesses of one engine, one for each kind of fault; the others are counted. */
function printDisagreements(section: Section, flags: JudgeFlags, terminal: Terminal): void {
  const { description, dtype, verdicts } = section;
  const { bold, red, dim } = terminal.palette;
  const shown = new Set<string>();
  for (const { case: place, verdict } of verdicts) {
    if (verdict.kind !== "disagrees") continue;
    // As the campaign tells faults apart: the first witnesses of each have been made small.
    const fault = faultOf(verdict.witness.blame);
    if (shown.has(fault)) continue;
    shown.add(fault);
    terminal.out(
      `\n${red("✗")} ${bold(`${description.name} ${description.version}`)}, ${dtype}, case ${place}`,
    );
    for (const line of showWitness(verdict.witness, terminal.palette)) terminal.out(line);
    terminal.out(dim(`  ${replayLine(section, flags, place)}`));
  }
  const all = verdicts.filter(({ verdict }) => verdict.kind === "disagrees").length;
  if (all > shown.size) terminal.out(dim(`  (${all} disagreements in all, of ${shown.size} kinds)`));
}

/** The command that judges a case again in the same way. */
function replayLine(
  { label, dtype }: Section,
  { profile, seed, lawsEvery }: JudgeFlags,
  place: number | string,
): string {
  return `adjudge replay -e ${quoteWord(label)} --dtype ${dtype} ${which()}`;

  function which(): string {
    if (typeof place === "string") return quoteWord(place);
    const hadLaws = lawsEvery > 0 && place % lawsEvery === 0;
    return `--profile ${profile} --seed ${seed} --case ${place}${hadLaws ? "" : " --no-laws"}`;
  }
}
