import { faultOf, withoutNumbers } from "../../../oracle/judge/index.ts";
import type { OperatorName } from "../../../spec/composites/index.ts";
import type { ReportEntry, ReportJson, ReportSection, WitnessJson } from "../../../spec/wire/index.ts";
import { replayLine } from "../replay_line.ts";
import { showCaseOf } from "../show.ts";

/** Failures alike: of one engine in one precision, with one place to blame or one message. */
export interface Finding {
  readonly kind: "disagrees" | "crashed";
  /** The title says what is wrong, such as `det cotangent`, or what a crash said. */
  readonly title: string;
  /** The operator to blame, or `input`; `undefined` for a crash. */
  readonly operator: OperatorName | "input" | undefined;
  /** The operator's attributes, as far as they tell faults apart. */
  readonly attributes: string;
  readonly cases: number;
  /** Modes and laws answered wrongly. */
  readonly questions: readonly WitnessJson["question"][];
  readonly first: number | string;
  /** The first failure as the report has it. */
  readonly entry: ReportEntry;
  /** The first {@link MOST_ALIKE} cases. */
  readonly alike: readonly (number | string)[];
  /** The failure is in the engine's list of known failures. */
  readonly isKnown: boolean;
  /** The first failure in words: graph, numbers, what is to blame, and how to reproduce it. */
  readonly lines: readonly string[];
}

/** Nobody replays more cases than these. */
const MOST_ALIKE = 20;

/** Groups a section's failures into findings, in the order found. Cost: linear in the verdicts. */
export function findingsOf(report: ReportJson, section: ReportSection): Finding[] {
  const groups = new Map<string, Finding>();
  for (const entry of section.verdicts) {
    const finding = findingOf(report, section, entry);
    if (finding === undefined) continue;
    const key = JSON.stringify([finding.kind, finding.title, finding.attributes, finding.isKnown]);
    const before = groups.get(key);
    groups.set(key, before === undefined ? finding : withCase(before, entry));
  }
  return [...groups.values()];
}

function withCase(before: Finding, entry: ReportEntry): Finding {
  const { alike, cases } = before;
  const told = alike.length < MOST_ALIKE ? [...alike, entry.case] : alike;
  const questions = [...new Set([...before.questions, ...questionsOf(entry)])];
  return { ...before, cases: cases + 1, alike: told, questions };
}

function questionsOf({ verdict }: ReportEntry): WitnessJson["question"][] {
  return verdict.kind === "disagrees" ? [verdict.witness.question] : [];
}

function findingOf(report: ReportJson, section: ReportSection, entry: ReportEntry): Finding | undefined {
  const { case: first, verdict, isKnown } = entry;
  const common = { cases: 1, questions: questionsOf(entry), first, entry, alike: [first], isKnown };
  const replay = replayLine(section, report, first);
  if (verdict.kind === "crashed") {
    const title = withoutNumbers(verdict.message);
    const lines = [verdict.message, replay];
    return { kind: "crashed", title, operator: undefined, attributes: "", ...common, lines };
  }
  if (verdict.kind !== "disagrees") return undefined;
  const { witness } = verdict;
  const { place, attributes } = faultOf(witness);
  const lines = [
    ...showCaseOf(witness.case),
    `${witness.question} at id ${witness.id}, element ${witness.element}: answered ${witness.answer}, expected ${witness.expected} within ${witness.bound}`,
    witness.blame.sentence,
    replay,
  ];
  const operator = witness.blame.op ?? "input";
  return { kind: "disagrees", title: place, operator, attributes, ...common, lines };
}

/** Names a finding, with its attributes if it has some. */
export function titleOf({ title, attributes }: Finding): string {
  return attributes === "" ? title : `${title} (${attributes})`;
}

/** Names a section. */
export function nameOf({ description: { name, version }, dtype }: ReportSection): string {
  return `${name} ${version}, ${dtype}`;
}
