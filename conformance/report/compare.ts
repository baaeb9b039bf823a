import type { ReportJson, ReportSection } from "../../spec/wire/index.ts";
import { type Finding, findingsOf, titleOf } from "./formats/index.ts";

/** A failure changes so from one report to another. */
export interface Change {
  /** The engine and its precision. */
  readonly engine: string;
  readonly dtype: ReportSection["dtype"];
  readonly kind: Finding["kind"];
  readonly title: string;
  /** Counts of cases that showed it, before and after. */
  readonly before: number;
  readonly after: number;
  readonly lines: Finding["lines"];
}

/** Two reports compared. */
export interface Comparison {
  /** Failures after that did not fail before. */
  readonly broke: readonly Change[];
  /** Failures before that are gone although the operator was asked again. */
  readonly mended: readonly Change[];
  /** Failures before that nothing is known of after: no case with their operator was answered. */
  readonly unasked: readonly Change[];
  /** Failures in both reports. */
  readonly still: readonly Change[];
  /** Counts the engines and precisions that are in both reports. */
  readonly common: number;
  /** Engines and precisions that are in one report alone. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/**
 * Compares two reports: failures are the same if engine, precision, kind, place and attributes are, whatever
 * the version and the cases. Cost: linear in the verdicts.
 */
export function compareReports(before: ReportJson, after: ReportJson): Comparison {
  const [old, now] = [byEngine(before), byEngine(after)];
  const changes = [...now].flatMap(([key, section]) => {
    const other = old.get(key);
    return other === undefined
      ? []
      : changesOf({ report: before, section: other }, { report: after, section });
  });
  const answered = (change: Change, operator: Finding["operator"]): boolean => {
    const section = now.get(keyOf(change.engine, change.dtype));
    return operator === undefined || operator === "input" || section?.unasked.includes(operator) !== true;
  };
  const lost = changes.filter(({ change }) => change.after === 0);
  return {
    broke: changes.flatMap(({ change }) => (change.before === 0 ? [change] : [])),
    mended: lost.flatMap(({ change, operator }) => (answered(change, operator) ? [change] : [])),
    unasked: lost.flatMap(({ change, operator }) => (answered(change, operator) ? [] : [change])),
    still: changes.flatMap(({ change }) => (change.before > 0 && change.after > 0 ? [change] : [])),
    common: [...old.keys()].filter((key) => now.has(key)).length,
    gone: [...old.keys()].filter((key) => !now.has(key)),
    added: [...now.keys()].filter((key) => !old.has(key)),
  };
}

interface Place {
  readonly report: ReportJson;
  readonly section: ReportSection;
}

function changesOf(
  before: Place,
  after: Place,
): { readonly change: Change; readonly operator: Finding["operator"] }[] {
  const [old, now] = [findings(before), findings(after)];
  const { name } = after.section.description;
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key) => {
    const finding = now.get(key) ?? old.get(key);
    if (finding === undefined) return [];
    const change: Change = {
      engine: name,
      dtype: after.section.dtype,
      kind: finding.kind,
      title: titleOf(finding),
      before: old.get(key)?.cases ?? 0,
      after: now.get(key)?.cases ?? 0,
      lines: finding.lines,
    };
    return [{ change, operator: finding.operator }];
  });
}

function findings({ report, section }: Place): Map<string, Finding> {
  const found = new Map<string, Finding>();
  for (const finding of findingsOf(report, section)) {
    const key = JSON.stringify([finding.kind, titleOf(finding)]);
    const cases = finding.cases + (found.get(key)?.cases ?? 0);
    found.set(key, { ...finding, cases });
  }
  return found;
}

function byEngine({ engines }: ReportJson): Map<string, ReportSection> {
  return new Map(engines.map((section) => [keyOf(section.description.name, section.dtype), section]));
}

function keyOf(name: string, dtype: string): string {
  return `${name}, ${dtype}`;
}
