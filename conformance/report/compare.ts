import { createColors } from "picocolors";
import type { ReportJson, ReportSection } from "../../spec/wire/index.ts";
import { type Finding, findingLines, findingsOf, titleOf } from "./findings.ts";

/** A fault changes so from one report to another. */
export interface Change {
  readonly engine: string;
  readonly dtypes: Finding["dtypes"];
  readonly kind: Finding["kind"];
  readonly title: string;
  /** Counts of cases that showed it, before and after. */
  readonly before: number;
  readonly after: number;
  /** The fault as the later report that has it tells it, and that report. */
  readonly finding: Finding;
  readonly report: ReportJson;
}

/** Two reports compared. */
export interface Comparison {
  /** Faults after that were none before. */
  readonly broke: readonly Change[];
  /** Faults before that are gone although the operator was asked again. */
  readonly mended: readonly Change[];
  /** Faults before of which nothing is known after: no case with their operator was answered. */
  readonly unasked: readonly Change[];
  /** Faults in both reports. */
  readonly still: readonly Change[];
  /** Counts the engines and precisions that are in both reports. */
  readonly common: number;
  /** Engines and precisions that are in one report alone. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/**
 * Compares two reports, in the engines and precisions that both have: faults are the same if engine, kind and
 * place are, whatever the version, the precision and the cases. Cost: linear in the verdicts.
 */
export function compareReports(before: ReportJson, after: ReportJson): Comparison {
  const [old, now] = [byEngine(before), byEngine(after)];
  const isCommon = (section: ReportSection): boolean => old.has(keyOf(section)) && now.has(keyOf(section));
  const [was, is] = [before, after].map((report) => ({
    ...report,
    engines: report.engines.filter(isCommon),
  }));
  const changes = was === undefined || is === undefined ? [] : changesOf(was, is);
  const isAnswered = ({ engine, dtypes, finding: { operator } }: Change): boolean =>
    operator === undefined ||
    operator === "input" ||
    dtypes.every(
      (dtype) =>
        now.get(keyOf({ description: { name: engine }, dtype }))?.unasked.includes(operator) !== true,
    );
  const lost = changes.filter((change) => change.after === 0);
  return {
    broke: changes.filter((change) => change.before === 0),
    mended: lost.filter(isAnswered),
    unasked: lost.filter((one) => !isAnswered(one)),
    still: changes.filter((change) => change.before > 0 && change.after > 0),
    common: [...old.keys()].filter((key) => now.has(key)).length,
    gone: [...old.keys()].filter((key) => !now.has(key)),
    added: [...now.keys()].filter((key) => !old.has(key)),
  };
}

function changesOf(before: ReportJson, after: ReportJson): Change[] {
  const [old, now] = [faultsOf(before), faultsOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key): Change[] => {
    const finding = (now.get(key) ?? old.get(key))?.finding;
    if (finding === undefined) return [];
    return [
      {
        engine: finding.shown.section.description.name,
        dtypes: finding.dtypes,
        kind: finding.kind,
        title: titleOf(finding),
        before: old.get(key)?.cases ?? 0,
        after: now.get(key)?.cases ?? 0,
        finding,
        report: now.has(key) ? after : before,
      },
    ];
  });
}

/** Returns the faults of a report, known or not, with the count of their cases. */
function faultsOf(report: ReportJson): Map<string, { readonly finding: Finding; readonly cases: number }> {
  const found = new Map<string, { readonly finding: Finding; readonly cases: number }>();
  for (const finding of findingsOf(report)) {
    const key = JSON.stringify([finding.shown.section.description.name, finding.kind, finding.title]);
    const before = found.get(key);
    found.set(key, { finding: before?.finding ?? finding, cases: finding.cases + (before?.cases ?? 0) });
  }
  return found;
}

function byEngine({ engines }: ReportJson): Map<string, ReportSection> {
  return new Map(engines.map((section) => [keyOf(section), section]));
}

function keyOf({
  description,
  dtype,
}: {
  readonly description: { readonly name: string };
  readonly dtype: string;
}): string {
  return `${description.name}, ${dtype}`;
}

/** Shows the failure by which a change is told, in lines. */
export function changeLines({ finding, report }: Change): string[] {
  return findingLines(finding, report, { palette: createColors(false) });
}
