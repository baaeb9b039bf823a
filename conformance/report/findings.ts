import type { Witness } from "../../oracle/hearing/index.ts";
import { faultOf, withoutNumbers } from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import { formatIssue, InvariantError, visible } from "../../spec/shapes/index.ts";
import type { DataType, ReportEntry, ReportJson, ReportSection, WitnessJson } from "../../spec/wire/index.ts";
import { counted, folded } from "./fold.ts";
import { replayLine } from "./replay_line.ts";
import { type Rule, rankOf, ruleOf } from "./rules.ts";
import { verdictOf } from "./section_of.ts";
import { showCase } from "./show.ts";
import { type Style, witnessLines, wrongNumber } from "./witness_lines.ts";

/** A failure of a report: a case that an engine answered wrongly, or on which it crashed. */
interface Failure {
  readonly section: ReportSection;
  readonly entry: ReportEntry;
}

/** A fault's failures in one precision that have alike attributes. */
export interface FaultKind {
  readonly dtype: DataType;
  /** The operator's attributes, as far as they tell ways of computing apart; empty if there are none. */
  readonly attributes: string;
  readonly cases: number;
  /** The first case: its number, or its file. */
  readonly first: number | string;
}

/**
 * A fault of an engine: all its failures with one place to blame, or one message. Precision, attributes and
 * number of cases tell nothing of how many faults there are. All forms of a report count faults so.
 */
export interface Finding {
  readonly kind: "disagrees" | "crashed";
  /** The engine's name and version. */
  readonly engine: string;
  /** What the engine is called on the command line. */
  readonly label: string;
  /** The title says what is wrong, such as `det cotangent`, or what a crash said. */
  readonly title: string;
  /** The operator to blame, or `input`; `undefined` for a crash. */
  readonly operator: OperatorName | "input" | undefined;
  readonly dtypes: readonly DataType[];
  readonly cases: number;
  /** The most frequent first. */
  readonly kinds: readonly FaultKind[];
  /** Modes and laws answered wrongly. */
  readonly questions: readonly WitnessJson["question"][];
  /** The smallest of the failures. */
  readonly shown: Failure;
  /** The rule by which it is wrong; `undefined` for a crash. */
  readonly rule: Rule | undefined;
  /** The failures from the smallest on, {@link MOST_ALIKE} at most. */
  readonly alike: readonly Failure[];
  /** The failures are in the engine's list of known ones. */
  readonly isKnown: boolean;
}

/** Nobody replays more cases than these. */
const MOST_ALIKE = 20;

/**
 * Groups a report's failures into faults: new ones first, and of these the ones that nobody can dispute, then
 * the most frequent. Cost: linear in the verdicts, and a case read for each fault.
 */
export function findingsOf(report: ReportJson): Finding[] {
  const groups = new Map<string, Failure[]>();
  for (const section of report.engines) {
    for (const entry of section.verdicts) {
      const place = placeOf(entry.verdict);
      if (place === undefined) continue;
      const { label, description } = section;
      const key = JSON.stringify([label, description.name, description.version, ...place, entry.isKnown]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [{ section, entry }]);
      else group.push({ section, entry });
    }
  }
  return [...groups.values()].map(findingOf).toSorted(byDispute);
}

/** Returns what tells a failed verdict's fault from others. */
function placeOf(verdict: ReportEntry["verdict"]): [kind: Finding["kind"], title: string] | undefined {
  if (verdict.kind === "crashed") return ["crashed", withoutNumbers(verdict.message)];
  return verdict.kind === "disagrees" ? ["disagrees", faultOf(verdict.witness).place] : undefined;
}

function findingOf(failures: readonly Failure[]): Finding {
  const alike = failures.toSorted((a, b) => sizeOf(a.entry.verdict) - sizeOf(b.entry.verdict));
  const [shown] = alike;
  const place = shown && placeOf(shown.entry.verdict);
  if (shown === undefined || place === undefined) throw new InvariantError("a fault has a failure");
  const [kind, title] = place;
  const { section, entry } = shown;
  const { verdict, isKnown } = entry;
  const isWrong = verdict.kind === "disagrees";
  return {
    kind,
    engine: `${section.description.name} ${section.description.version}`,
    label: section.label,
    title,
    operator: isWrong ? (verdict.witness.blame.op ?? "input") : undefined,
    dtypes: [...new Set(failures.map((one) => one.section.dtype))],
    cases: failures.length,
    kinds: kindsOf(failures),
    questions: [...new Set(failures.flatMap((one) => questionsOf(one.entry)))],
    shown,
    rule: isWrong ? ruleOf(verdict.witness) : undefined,
    alike: alike.slice(0, MOST_ALIKE),
    isKnown,
  };
}

function questionsOf({ verdict }: ReportEntry): WitnessJson["question"][] {
  return verdict.kind === "disagrees" ? [verdict.witness.question] : [];
}

function kindsOf(failures: readonly Failure[]): FaultKind[] {
  const kinds = new Map<string, FaultKind>();
  for (const { section, entry } of failures) {
    const { verdict } = entry;
    const attributes = verdict.kind === "disagrees" ? faultOf(verdict.witness).attributes : "";
    const key = JSON.stringify([section.dtype, attributes]);
    const before = kinds.get(key) ?? { dtype: section.dtype, attributes, cases: 0, first: entry.case };
    kinds.set(key, { ...before, cases: before.cases + 1 });
  }
  return [...kinds.values()].toSorted((a, b) => b.cases - a.cases);
}

/** Returns how much there is to read of a failure: each node counts more than any tensor. */
function sizeOf(verdict: ReportEntry["verdict"]): number {
  const question =
    verdict.kind === "disagrees"
      ? verdict.witness.case
      : verdict.kind === "crashed"
        ? verdict.case
        : undefined;
  if (question === undefined) return Number.MAX_SAFE_INTEGER;
  const { graph, calls = [] } = question;
  const elements = graph.inputs.flatMap(({ shape }) =>
    shape.reduce((product, extent) => product * extent, 1),
  );
  const size = elements.reduce((sum, count) => sum + count, 0);
  return (graph.nodes.length + calls.length) * 2 ** 24 + Math.min(size, 2 ** 24 - 1);
}

function byDispute(a: Finding, b: Finding): number {
  const rank = ({ isKnown, rule }: Finding): number =>
    (isKnown ? 100 : 0) + (rule === undefined ? 50 : rankOf(rule.name));
  return rank(a) - rank(b) || b.cases - a.cases;
}

/** Names a finding in a line, without its engine: `sum value`. */
export function titleOf({ title }: Pick<Finding, "title">): string {
  return title.replace(/^error: /, "");
}

/** Names a section. */
export function nameOf({ description: { name, version }, dtype }: ReportSection): string {
  return `${name} ${version}, ${dtype}`;
}

/** Says what sort of answer is wrong, as a compiler names its errors. */
export function codeOf({ shown }: Pick<Finding, "shown">): string {
  const { verdict } = shown.entry;
  if (verdict.kind !== "disagrees") return "crash";
  const { script, question, blame } = verdict.witness;
  if (script !== undefined) return "tape";
  return codes[question === "evaluate" ? "value" : blame.part];
}

const codes: Readonly<Record<Witness["blame"]["part"], string>> = {
  value: "wrong-value",
  tangent: "wrong-tangent",
  cotangent: "wrong-gradient",
  accumulation: "wrong-gradient",
};

/** Writes the first line of a finding: `error[wrong-value]: sum value: sloppy 1.0.0, float32 (1 case)`. */
export function headline(finding: Finding): string {
  const { engine, dtypes, cases, isKnown } = finding;
  const level = isKnown ? "known" : "error";
  const [what, whose] = [visible(titleOf(finding), 60), visible(engine, 48)];
  return `${level}[${codeOf(finding)}]: ${what}: ${whose}, ${dtypes.join(" and ")} (${counted(cases, "case")})`;
}

/** Writes all of a finding but its first line. */
export function findingLines({ shown }: Finding, report: ReportJson, style: Style): string[] {
  const { section, entry } = shown;
  const replay = `  replay: ${visible(replayLine(section, report, entry.case), 400)}`;
  return [...failureLines(entry.verdict, style), style.palette.dim(replay)];
}

/** Says in a line what is wrong in the smallest failure: the number and what it should be, or the crash. */
export function inShort({ shown }: Pick<Finding, "shown">): string {
  const read = verdictOf(shown.entry.verdict);
  if (!read.ok) return "no case";
  const verdict = read.value;
  if (verdict.kind === "disagrees") {
    const { place, got, want } = wrongNumber(verdict.witness, false);
    return visible(`${place}: got ${got}, want ${want}`, 200);
  }
  return verdict.kind === "crashed" ? visible(verdict.message, 200) : "";
}

function failureLines(json: ReportEntry["verdict"], style: Style): string[] {
  const read = verdictOf(json);
  // A report that was not checked may hold what is no case.
  if (!read.ok) return read.error.flatMap((issue) => folded(formatIssue(issue), "  no case: ", style.width));
  const verdict = read.value;
  if (verdict.kind === "disagrees") return witnessLines(verdict.witness, style);
  if (verdict.kind !== "crashed") return [];
  const graph = verdict.case === undefined ? [] : showCase(verdict.case).map((line) => `    ${line}`);
  return [...folded(visible(verdict.message, 2000), "  said: ", style.width), ...graph];
}

/** Counts a fault's failures by precision and attributes: `10 with axes=[1] in float64 (case 109)`. */
export function kindsTold({ kinds }: Finding, told: number): string {
  const lines = kinds.slice(0, told).map(({ dtype, attributes, cases, first }) => {
    const which = attributes === "" ? "" : ` with ${attributes}`;
    return `${cases}${which} in ${dtype} (case ${visible(String(first), 60)})`;
  });
  const more = kinds.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${counted(more, "kind")} more`] : [])].join("; ");
}

/** Says which fault a failed verdict shows, and how much there is to read; `undefined` of what is none. */
export function failureOf(verdict: ReportEntry["verdict"]):
  | {
      readonly sort: Finding["kind"];
      readonly title: string;
      readonly operator?: OperatorName | "input";
      readonly size: number;
    }
  | undefined {
  const place = placeOf(verdict);
  if (place === undefined) return undefined;
  const [sort, title] = place;
  const isWrong = verdict.kind === "disagrees";
  const operator = isWrong ? (verdict.witness.blame.op ?? ("input" as const)) : undefined;
  return { sort, title, ...(operator === undefined ? {} : { operator }), size: sizeOf(verdict) };
}
