import { faultOf, withoutNumbers } from "../../../oracle/judge/index.ts";
import type { OperatorName } from "../../../spec/operators/index.ts";
import type { ReportEntry, ReportJson, ReportSection, WitnessJson } from "../../../spec/wire/index.ts";
import { replayLine } from "../replay_line.ts";
import { showGraph } from "../show.ts";

/** Failures that are alike: of one engine in one precision, with one place to blame or one message. */
export interface Finding {
  readonly kind: "disagrees" | "crashed";
  /** What is wrong, such as `det cotangent`, or what was said. */
  readonly title: string;
  /** Who is to blame: an operator, `input`, or for a crash nobody that is known. */
  readonly operator: OperatorName | "input" | undefined;
  /** The operator's attributes, as far as they tell one fault from another. */
  readonly attributes: string;
  readonly cases: number;
  /** Modes and laws that they answer wrongly. */
  readonly questions: readonly WitnessJson["question"][];
  readonly first: number | string;
  /** The first of them as the report has it. */
  readonly entry: ReportEntry;
  /** The first {@link MOST_ALIKE} of them. */
  readonly alike: readonly (number | string)[];
  /** Whether that is known of the engine. */
  readonly isKnown: boolean;
  /** The first of them in words: the graph, the numbers, who is to blame, and how to see it again. */
  readonly lines: readonly string[];
}

/** More cases than these nobody replays one after the other. */
const MOST_ALIKE = 20;

/** What was found of one engine in one precision, in the order in which it was found. Cost: linear in the verdicts. */
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
    ...showGraph(witness.case.graph),
    `${witness.question} at id ${witness.id}, element ${witness.element}: answered ${witness.answer}, expected ${witness.expected} within ${witness.bound}`,
    witness.blame.sentence,
    replay,
  ];
  const operator = witness.blame.op ?? "input";
  return { kind: "disagrees", title: place, operator, attributes, ...common, lines };
}

/** What a finding is called: with its attributes, where it has some. */
export function titleOf({ title, attributes }: Finding): string {
  return attributes === "" ? title : `${title} (${attributes})`;
}

/** How a section is called. */
export function nameOf({ description: { name, version }, dtype }: ReportSection): string {
  return `${name} ${version}, ${dtype}`;
}
