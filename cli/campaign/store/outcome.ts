import { checkReport, failureOf, joined, reportJson, sectionOf } from "../../../conformance/report/index.ts";
import { type Counts, withoutNumbers } from "../../../oracle/judge/index.ts";
import { validateReport } from "../../../spec/documents/index.ts";
import {
  assertNever,
  fail,
  InvariantError,
  type Issue,
  ok,
  type Result,
} from "../../../spec/shapes/index.ts";
import { parseJson, type ReportJson } from "../../../spec/wire/index.ts";
import type { KindCounts } from "../../terminal/exit.ts";
import { checkFunctionReport, type ToldFunction } from "./function_report.ts";
import type { Job, Series, SeriesKind, Subject } from "./job.ts";
import { checkProgramReport, type ProgramReportJson } from "./program_report.ts";

/** A job came to this: everything that the store keeps of it. */
export interface Outcome {
  readonly counts: Counts;
  /** The questions took so long in all. */
  readonly milliseconds: number;
  /** The tally of the questions, as the report of their kind has it, without verdicts. */
  readonly section: string;
  /** These verdicts are told one by one: all but plain agreement. */
  readonly told: readonly ToldVerdict[];
}

/** A verdict of one question, as its report has it. */
export interface ToldVerdict {
  /** The number of the question in its series. */
  readonly place: number;
  readonly kind: string;
  /** The fault that it shows, if it is a failure. */
  readonly failure?: Failure;
  readonly verdict: string;
}

/** A failure shows a fault: what is wrong, whose operator, and how much there is to read. */
interface Failure {
  readonly sort: "disagrees" | "crashed";
  readonly title: string;
  readonly operator?: string;
  readonly size: number;
}

/** A worker says this of a job: the report of its questions, of which nothing is believed. */
export interface Answered {
  readonly report: unknown;
  /** Programs: the statements that were promised and asked, and those that were answered. */
  readonly statements?: { readonly called: readonly string[]; readonly answered: readonly string[] };
  readonly milliseconds: number;
  /** Is true if the engine has no question behind these. */
  readonly isAll?: boolean;
}

/**
 * Reads what a worker says of the first `asked` questions of a job. Law: it counts that many verdicts, each
 * told one is of a question of the job, and none is told twice. Fails: `outcome/…`, and as the report's
 * check does.
 */
export function readOutcome(
  job: Pick<Job, "first" | "count">,
  asked: number,
  { kind, dtype }: Pick<Series, "kind" | "dtype">,
  subject: Subject,
  answered: Answered,
): Result<Outcome, Issue[]> {
  const read = readers[kind](answered);
  if (!read.ok) return read;
  const { who, outcome } = read.value;
  const { counts, told } = outcome;
  const expected = [subject.label, subject.name, subject.version, dtype];
  if (JSON.stringify(who) !== JSON.stringify(expected))
    return fail([problem("subject", `${who.join(" ")} answered for ${expected.join(" ")}.`)]);
  if (asked > job.count || (answered.isAll === true && kind !== "functions"))
    return fail([problem("questions", `the job has ${job.count} questions, and others behind it.`)]);
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  const places = new Set(told.map(({ place }) => place));
  const isWithin = [...places].every((place) => place >= job.first && place < job.first + asked);
  if (sum !== asked || places.size !== told.length || told.length !== asked - counts.agrees || !isWithin)
    return fail([problem("questions", `the verdicts are not those of the ${asked} questions of the job.`)]);
  return ok(outcome);
}

const readers: Readonly<Record<SeriesKind, (answered: Answered) => Result<Read, Issue[]>>> = {
  graphs: readGraphs,
  tapes: readGraphs,
  programs: readPrograms,
  functions: readFunctions,
};

interface Read {
  readonly who: readonly string[];
  readonly outcome: Outcome;
}

function readGraphs({ report, milliseconds }: Answered): Result<Read, Issue[]> {
  const checked = checkReport(report);
  if (!checked.ok) return checked;
  const [section, ...others] = checked.value.engines;
  if (section === undefined || others.length > 0) return fail([oneEngine]);
  const { label, description, dtype, counts, verdicts } = section;
  const told = verdicts.flatMap(({ case: place, verdict }): ToldVerdict[] => {
    if (typeof place !== "number") return [];
    const failure = failureOf(verdict);
    const text = JSON.stringify(verdict);
    return [{ place, kind: verdict.kind, verdict: text, ...(failure === undefined ? {} : { failure }) }];
  });
  const kept = JSON.stringify({ ...checked.value, engines: [{ ...section, verdicts: [] }] });
  return ok({
    who: [label, description.name, description.version, dtype],
    outcome: { counts, milliseconds, section: kept, told },
  });
}

/** This much of a report of programs is kept. */
interface ProgramTally {
  readonly counts: KindCounts;
  readonly called: readonly string[];
  readonly answered: readonly string[];
}

function readPrograms({ report, statements, milliseconds }: Answered): Result<Read, Issue[]> {
  const checked = checkProgramReport(report);
  if (!checked.ok) return checked;
  const [section, ...others] = checked.value.engines;
  if (section === undefined || others.length > 0) return fail([oneEngine]);
  const { label, name, version, dtype, counts } = section;
  const told = section.told.flatMap(({ place, ...verdict }): ToldVerdict[] => {
    if (typeof place !== "number") return [];
    const failure = failureOfProgram(verdict);
    const text = JSON.stringify(verdict);
    return [{ place, kind: verdict.kind, verdict: text, ...(failure === undefined ? {} : { failure }) }];
  });
  const { called = [], answered = [] } = statements ?? {};
  const tally: ProgramTally = { counts, called, answered };
  return ok({
    who: [label, name, version, dtype],
    outcome: { counts: fiveOf(counts), milliseconds, section: JSON.stringify(tally), told },
  });
}

function readFunctions({ report, milliseconds }: Answered): Result<Read, Issue[]> {
  const checked = checkFunctionReport(report);
  if (!checked.ok) return checked;
  const { label, name, version, agrees, told } = checked.value;
  const counts = { agrees, disagrees: 0, undecided: 0, unsupported: 0, crashed: 0 };
  for (const { kind } of told) counts[kind === "differs" || kind === "imprecise" ? "disagrees" : kind] += 1;
  const tally: ProgramTally = { counts, called: [], answered: [] };
  return ok({
    who: [label, name, version, "float64"],
    outcome: {
      ...{ counts, milliseconds, section: JSON.stringify(tally) },
      told: told.map((one): ToldVerdict => {
        const failure = failureOfFunction(one);
        const { place, kind } = one;
        return { place, kind, verdict: JSON.stringify(one), ...(failure === undefined ? {} : { failure }) };
      }),
    },
  });
}

function failureOfFunction({ kind, title, lines }: ToldFunction): Failure | undefined {
  const size = lines.join("").length;
  if (kind === "crashed") return { sort: "crashed", title, size };
  return kind === "undecided" || kind === "unsupported" ? undefined : { sort: "disagrees", title, size };
}

/** Counts refusals of programs with what was declined: the questions that were not answered. */
function fiveOf(counts: KindCounts): Counts {
  const { agrees, disagrees, undecided, unsupported, crashed } = counts;
  const refused = (counts["refused with need"] ?? 0) + (counts["refused without need"] ?? 0);
  return { agrees, disagrees, undecided, unsupported: unsupported + refused, crashed };
}

type ToldProgram = ProgramReportJson["engines"][number]["told"][number];

function failureOfProgram({ kind, message, witness }: Omit<ToldProgram, "place">): Failure | undefined {
  if (kind === "crashed") return { sort: "crashed", title: withoutNumbers(message ?? ""), size: 0 };
  if (kind !== "disagrees" || witness === undefined) return undefined;
  const { mode, part, blame, case: question } = witness;
  const size = JSON.stringify(question).length;
  // The graph of the run shows the same fault: it is the operator's, whatever the program is.
  const [, what = "", op = ""] =
    /the (value|tangent|cotangent) of node [0-9]+ \(([a-z0-9_]+)\)/.exec(blame.sentence) ?? [];
  if (op !== "")
    return { sort: "disagrees", title: `${op} ${what}, also in the graph of the run`, operator: op, size };
  const statement = statementAt(question, blame.pointer);
  return { sort: "disagrees", title: `${mode} ${part} at ${statement ?? "no statement"}`, size };
}

/** Names the statement at a place of a program case: `update add`, `differentiate_call`. */
function statementAt(question: object, pointer: string): string | undefined {
  let at: unknown = "program" in question ? question.program : undefined;
  for (const step of pointer.split("/").slice(1)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = new Map<string, unknown>(Object.entries(at)).get(step);
  }
  if (typeof at !== "object" || at === null || !("do" in at)) return undefined;
  return [at.do, "op" in at ? at.op : undefined].filter((word) => typeof word === "string").join(" ");
}

/** Adds the tallies of two parts of a series. Fails: as `joined` does. */
export function joinedSections(kind: SeriesKind, a: string, b: string): Result<string, Issue[]> {
  switch (kind) {
    case "functions":
    case "programs": {
      const [x, y] = [programTally(a), programTally(b)];
      const names = new Set([...Object.keys(x.counts), ...Object.keys(y.counts)]);
      const sums = [...names].map((name) => [name, (x.counts[name] ?? 0) + (y.counts[name] ?? 0)]);
      const both = (one: readonly string[], other: readonly string[]): string[] => [
        ...new Set([...one, ...other]),
      ];
      return ok(
        JSON.stringify({
          counts: Object.fromEntries(sums),
          called: both(x.called, y.called),
          answered: both(x.answered, y.answered),
        }),
      );
    }
    case "graphs":
    case "tapes": {
      const [x, y] = [graphReport(a), graphReport(b)];
      const [first, second] = [x, y].map(({ engines: [section] }) => section && sectionOf(section));
      if (first?.ok !== true || second?.ok !== true) throw new InvariantError("a tally has been checked");
      const sum = joined(first.value, second.value);
      return sum.ok ? ok(JSON.stringify(reportJson(runOf(y), [sum.value]))) : sum;
    }
    default:
      return assertNever(kind);
  }
}

function runOf({
  format: _,
  dtypes: __,
  engines: ___,
  ...run
}: ReportJson): Parameters<typeof reportJson>[0] {
  return run;
}

/** Reads a tally of graphs from the store: a report of one section without verdicts. */
export function graphReport(text: string): ReportJson {
  const json = parseJson(text);
  const report = json.ok ? validateReport(json.value) : json;
  if (!report.ok) throw new InvariantError("a tally was checked when it was stored");
  return report.value;
}

/** Reads a tally of programs from the store. */
export function programTally(text: string): ProgramTally {
  const tally: ProgramTally = JSON.parse(text);
  return tally;
}

const oneEngine = problem("engines", "the report of a job has one engine.");

function problem(code: string, message: string): Issue {
  const hint = "the job is asked again; report this if it stays";
  return { code: `outcome/${code}`, pointer: "", message, hint };
}
