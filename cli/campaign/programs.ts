import { counted, folded, showProgramWitness, type WriteProgram } from "../../conformance/report/index.ts";
import { chooseEngines, quoteWord } from "../../conformance/testees/index.ts";
import {
  countedProgram,
  floatPrograms,
  judgeProgram,
  lackingFor,
  noPrograms,
  type ProgramCounts,
  type ProgramTask,
  type ProgramVerdict,
  type ProgramWitness,
  programMemory,
  taskAt,
} from "../../oracle/programs/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { encodeProgramCase } from "../../spec/documents/index.ts";
import { type StatementKind, statementsOf } from "../../spec/programs/index.ts";
import { visible, visibleJson } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { checkWritable } from "../files/files.ts";
import { type GivenTask, readProgramSuite } from "../given/program_suite.ts";
import type { ConfigFlags } from "../options/config.ts";
import { leftOut, report } from "../options/options.ts";
import type { VerbosityFlags } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";
import { type Counted, codeOfCounted, countLines, titleOf, withPromises } from "./counted.ts";
import type { Campaign, Found } from "./kind.ts";
import { type EndingFlags, mostFindings } from "./new_findings.ts";
import { planFor, runCampaign, type Time } from "./run.ts";

/** These fields say how random programs were drawn, and so name one of them. */
interface DrawnPrograms {
  readonly seed: number;
  readonly programs: number;
  readonly first: number;
  readonly without: readonly StatementKind[];
  /** Each program does so many things; by default those of {@link floatPrograms}. */
  readonly actions?: number;
  /** What was found wrong before is not shrunk often again; by default nothing was. */
  readonly memory?: ReturnType<typeof programMemory>;
}

export type ProgramSection = Found<Counted<ProgramCounts>, ProgramVerdict>;

/** A judged program has the statements that the engine promises and it needs; none if it needs others too. */
interface JudgedProgram {
  readonly verdict: ProgramVerdict;
  readonly promised: readonly StatementKind[];
}

/** A verdict that is told is not plain agreement; it names the program that it is about. */
interface Told {
  /** The program is named by its index in the campaign, or by its file. */
  readonly place: number | string;
  readonly verdict: Exclude<ProgramVerdict, { readonly kind: "agrees" }>;
}

/** These options say which engines are asked which programs, and where the JSON reports go. */
export interface ProgramFlags extends DrawnPrograms, EndingFlags, ConfigFlags {
  readonly json?: boolean;
  readonly engine: readonly string[];
  readonly dtype: readonly DataType[];
  readonly report: readonly string[];
}

/** Asks engines about programs, within a time limit. */
export async function judgePrograms(
  files: readonly string[],
  flags: ProgramFlags,
  time: Time,
  terminal: Terminal,
): Promise<ExitCode> {
  const choices = chooseEngines(flags.engine.length === 0 ? ["interpreter"] : flags.engine, flags.named);
  const suite = await readProgramSuite(files);
  const targets = await Promise.all(flags.report.map(checkWritable));
  const issues = [choices, suite, ...targets].flatMap((part) => (part.ok ? [] : part.error));
  if (issues.length > 0 || !choices.ok || !suite.ok) {
    report(terminal, issues);
    return exitCodes.badInput;
  }
  const dtypes: readonly DataType[] = flags.dtype.length === 0 ? ["float64"] : flags.dtype;
  // The writer of programs reads what it has written, and so is loaded with the parser.
  const { programCaseText } = await import("../../spec/text/index.ts");
  const campaign = programCampaign(suite.value, flags, dtypes, programCaseText);
  const plan = { ...planFor(choices.value), time, mostFindings: mostFindings(flags) };
  return runCampaign(campaign, plan, terminal);
}

/** Asks programs with memory: of files, or random ones if there are none. Reports of them are JSON. */
export function programCampaign(
  tasks: readonly GivenTask[],
  drawn: DrawnPrograms & Pick<ProgramFlags, "report" | "json" | "verbosity">,
  wanted: readonly DataType[],
  write: WriteProgram,
): Campaign<Counted<ProgramCounts>, ProgramVerdict, JudgedProgram> {
  const textOf = (sections: readonly ProgramSection[]): string =>
    `${visibleJson(programReportOf(sections, drawn))}\n`;
  const print = (sections: readonly ProgramSection[], terminal: Terminal): void => {
    if (drawn.json === true) terminal.out(textOf(sections).trimEnd());
    else for (const section of sections) printProgramSection(section, drawn, terminal, write);
  };
  return {
    lacking: ({ programs }) =>
      programs === undefined
        ? "runs no programs; adjudge judge asks it the graphs of program cases"
        : undefined,
    dtypesOf: (engine) => wanted.filter((dtype) => engine.describe().dtypes.includes(dtype)),
    agendaOf: () => ({
      cases: tasks.length === 0 ? drawn.programs : tasks.length,
      operators: new Set(),
      covering: 0,
      async *ask(engine, dtype, limits) {
        const memory = drawn.memory ?? programMemory();
        for (const { place, task } of tasks.length === 0 ? drawnTasks(drawn, engine) : tasks) {
          const { program } = task.case;
          const promised =
            lackingFor(engine, task.case) === undefined ? statementsOf(program).map((one) => one.do) : [];
          const verdict = await judgeProgram(engine, task, { dtype, ...limits, memory });
          yield { place, judged: { verdict, promised } };
        }
      },
    }),
    noTally: { counts: noPrograms, called: new Set(), answered: new Set() },
    tallied: (tally, { verdict, promised }) => {
      const isAnswered = verdict.kind !== "unsupported" && verdict.kind !== "crashed";
      const counts = countedProgram(tally.counts, verdict);
      return withPromises(tally, counts, promised, isAnswered ? promised : []);
    },
    countsOf: ({ counts }) => counts,
    isTold: ({ kind }) => kind !== "agrees",
    findings: newPrograms,
    resume: (found, waiting) => (tasks.length === 0 ? commandsFor(found, waiting, drawn, wanted) : []),
    print,
    texts: (found) => drawn.report.map((path) => ({ path, text: textOf(found) })),
    codeOf: codeOfCounted,
  };
}

/** Random programs do without these where an engine does not promise them. */
const dispensable: readonly StatementKind[] = [
  ...leftOut,
  "draw",
  "receive",
  "send",
  "break",
  "return",
  "custom",
  "hook",
  "differentiate_call",
];

/** Draws programs without statements that can be left out and that the engine does not promise. */
function* drawnTasks(
  { seed, programs, first, without, actions = floatPrograms.actions }: DrawnPrograms,
  engine: Engine,
): Generator<{ readonly place: number; readonly task: ProgramTask }> {
  const promised = engine.programs?.describePrograms().statements ?? [];
  const lacking = dispensable.filter((kind) => !promised.includes(kind));
  const profile = { ...floatPrograms, actions, without: [...without, ...lacking] };
  for (let place = first; place < first + programs; place++)
    yield { place, task: taskAt(profile, seed, place) };
}

/** At most this many disagreements, and this many reasons, are printed; the report has all. */
const SHOWN = 5;

/** Prints what came of asking one engine: what is wrong, what was not answered and why, and the counts. */
export function printProgramSection(
  section: ProgramSection,
  drawn: DrawnPrograms & VerbosityFlags,
  terminal: Terminal,
  write: WriteProgram,
): void {
  const { verbosity = "usual" } = drawn;
  const shown = verbosity === "verbose" ? Number.POSITIVE_INFINITY : SHOWN;
  const { red, yellow, bold, dim } = terminal.palette;
  const told = toldIn(section);
  const title = titleOf(section);
  for (const { place, witness } of distinct(wrongIn(told)).slice(0, shown)) {
    terminal.out(
      `\n${red("✗")} ${bold(title)}, ${typeof place === "number" ? `program ${place}` : visible(place)}`,
    );
    for (const line of showProgramWitness(witness, write)) terminal.out(line);
    terminal.out(dim(`  ${replayLine(section, drawn, place)}`));
  }
  const isWanted = (kind: string): boolean => verbosity !== "quiet" || kind === "crashed";
  const reasons = reasonsOf(told).filter(([, { kind }]) => isWanted(kind));
  for (const [reason, { places, kind }] of reasons.slice(0, shown)) {
    terminal.out(
      `${kind === "crashed" ? red("✗") : yellow("–")} ${places.length} ${kind}, the first ${places[0]}:`,
    );
    for (const line of folded(reason, "    ", terminal.columns)) terminal.out(line);
  }
  if (reasons.length > shown) terminal.out(`    and ${counted(reasons.length - shown, "reason")} more`);
  for (const line of countLines(section, "programs", terminal)) terminal.out(line);
}

/** Counts what is wrong: of an engine, a part after the same kinds of statements, or a crash. */
function newPrograms(sections: readonly ProgramSection[]): number {
  return sections.reduce((sum, section) => {
    const told = toldIn(section);
    const crashes = reasonsOf(told).filter(([, { kind }]) => kind === "crashed");
    return sum + distinct(wrongIn(told)).length + crashes.length;
  }, 0);
}

/** Lists the commands that ask what an interrupted run did not. */
function commandsFor(
  found: readonly ProgramSection[],
  waiting: readonly string[],
  drawn: DrawnPrograms,
  dtypes: readonly DataType[],
): string[] {
  const { programs, first } = drawn;
  const command = (label: string, some: readonly DataType[], from: number): string =>
    `adjudge programs -e ${quoteWord(label)}${some.map((dtype) => ` -d ${dtype}`).join("")} ${flagsOf(drawn)} ` +
    `--first ${from} -n ${first + programs - from}`;
  const begun = found.flatMap(({ label, dtype, tally, extent }) => {
    const asked = Object.values(tally.counts).reduce((sum, count) => sum + count, 0);
    return extent.ended === "interrupted" ? [command(label, [dtype], first + asked)] : [];
  });
  // A precision behind the one that was interrupted has not begun.
  const last = found.at(-1);
  const behind = last === undefined ? [] : dtypes.slice(dtypes.indexOf(last.dtype) + 1);
  const unbegun = last === undefined || behind.length === 0 ? [] : [command(last.label, behind, first)];
  return [...begun, ...unbegun, ...waiting.map((label) => command(label, dtypes, first))];
}

function toldIn({ verdicts }: ProgramSection): Told[] {
  return verdicts.flatMap(({ case: place, verdict }) =>
    verdict.kind === "agrees" ? [] : [{ place, verdict }],
  );
}

function wrongIn(
  told: readonly Told[],
): { readonly place: number | string; readonly witness: ProgramWitness }[] {
  return told.flatMap(({ place, verdict }) =>
    verdict.kind === "disagrees" ? [{ place, witness: verdict.witness }] : [],
  );
}

/** Keeps disagreements of which no two are about the same part after the same kinds of statements. */
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

/** Counts the programs not answered by reason, numbers left out, the most frequent first. */
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

/** Returns the flags by which the same programs are drawn again. */
function flagsOf({ seed, without, actions }: DrawnPrograms): string {
  const left = without.length === 0 ? "" : ` --without ${without.join(",")}`;
  const size = actions === undefined || actions === floatPrograms.actions ? "" : ` --actions ${actions}`;
  return `--seed ${seed}${left}${size}`;
}

function replayLine({ label, dtype }: ProgramSection, drawn: DrawnPrograms, place: number | string): string {
  const which = typeof place === "number" ? `${flagsOf(drawn)} --first ${place} -n 1` : quoteWord(place);
  return `adjudge programs -e ${quoteWord(label)} --dtype ${dtype} ${which}`;
}

/** Returns a report of everything that was found: `adjudge.program-report.v1`. */
function programReportOf(
  sections: readonly ProgramSection[],
  { seed, programs, first }: DrawnPrograms,
): object {
  return {
    format: "adjudge.program-report.v1",
    adjudge: packageVersion(),
    seed,
    programs,
    first,
    engines: sections.map((section) => {
      const { label, description, dtype, extent } = section;
      const { counts } = section.tally;
      const { name, version, language } = description;
      const told = toldIn(section).map(({ place, verdict }) => ({ place, ...verdictJson(verdict) }));
      return { label, name, version, language, dtype, ended: extent.ended, counts, told };
    }),
  };
}

function verdictJson(verdict: Told["verdict"]): object {
  if (verdict.kind !== "disagrees") return verdict;
  // What was sent follows from the case and what the engine lacks.
  const { case: question, sent: _, ...rest } = verdict.witness;
  return { kind: verdict.kind, witness: { ...rest, case: encodeProgramCase(question) } };
}
