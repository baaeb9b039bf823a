import type { Verdict } from "../../oracle/hearing/index.ts";
import {
  type Account,
  brokenPromises,
  type Counts,
  standingOf,
  unansweredOperators,
} from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import { encodeCase, encodeTapeCase } from "../../spec/documents/index.ts";
import type {
  DataType,
  KnownFailure,
  ReportJson,
  ReportSection,
  VerdictJson,
} from "../../spec/wire/index.ts";

/** A run found this of one engine in one precision. */
export interface Section extends Account {
  /** The engine's name on the command line. */
  readonly label: string;
  readonly dtype: DataType;
  /** Verdicts other than `agrees`, with the index of the random case or the file of the suite. */
  readonly verdicts: readonly SectionEntry[];
  /** Known failures of the engine in this version, and the count of cases that each accounts for. */
  readonly known?: readonly { readonly failure: KnownFailure; readonly cases: number }[];
}

/** A case and what came of it. */
export interface SectionEntry {
  readonly case: number | string;
  readonly verdict: Verdict;
  /** The known failure that accounts for it. */
  readonly known?: KnownFailure;
}

/** Returns operators offered but not asked, in the order of the offer: none of their cases was answered. */
export function unaskedOperators({ description, tally }: Section): OperatorName[] {
  return description.operators.filter((op) => !tally.asked.has(op));
}

/** Counts the cases put to an engine, answered or not. */
export function askedCases({ tally }: Section): number {
  return Object.values(tally.counts).reduce((sum, count) => sum + count, 0);
}

/** Returns the report of a run as `spec/schema/report.schema.json` has it. */
export function reportJson(
  run: Omit<ReportJson, "format" | "dtypes" | "engines">,
  sections: readonly Section[],
): ReportJson {
  return {
    format: "adjudge.report.v1",
    ...run,
    dtypes: [...new Set(sections.map(({ dtype }) => dtype))],
    engines: sections.map(sectionJson),
  };
}

function sectionJson(section: Section): ReportSection {
  const { label, description, dtype, tally, verdicts, extent, known = [] } = section;
  return {
    label,
    description: describe(description),
    dtype,
    outcome: standingOf(section).kind,
    extent: {
      cases: extent.cases,
      asked: askedCases(section),
      ended: extent.ended,
      seconds: Math.round(extent.seconds),
    },
    counts: tally.counts satisfies Counts,
    operators: Object.fromEntries(tally.operators),
    promises: Object.fromEntries(tally.promises),
    together: tally.together,
    broken: brokenPromises(section),
    promised: section.promised,
    offered: description.operators,
    foreign: tally.foreign,
    unasked: unaskedOperators(section),
    unanswered: unansweredOperators(section),
    digits: Object.fromEntries(tally.digits),
    laws: Object.fromEntries(tally.laws),
    imprecise: Object.fromEntries(tally.imprecise),
    varied: tally.varied,
    excused: tally.excused,
    verdicts: verdicts.map((entry) => ({
      case: entry.case,
      verdict: verdictJson(entry.verdict),
      isKnown: entry.known !== undefined,
    })),
    known: known.filter(({ cases }) => cases > 0),
  };
}

function describe(description: Description): ReportSection["description"] {
  const { name, version, language, links, modes, conventions, accuracy, accumulation = {} } = description;
  const { limits, saved, slopes, repeatable } = description;
  return {
    ...{ name, version, language, links, modes, conventions, accuracy, accumulation },
    ...(limits === undefined ? {} : { limits }),
    ...(saved === undefined ? {} : { saved }),
    ...(slopes === undefined ? {} : { slopes }),
    ...(repeatable === undefined ? {} : { repeatable }),
  };
}

/** Returns a verdict as `spec/schema/verdict.schema.json` has it. */
export function verdictJson(verdict: Verdict): VerdictJson {
  if (verdict.kind === "crashed") {
    const { case: question, ...crash } = verdict;
    return question === undefined ? crash : { ...crash, case: encodeCase(question) };
  }
  if (verdict.kind !== "disagrees") return verdict;
  // What was sent is left out, since it follows from the case and the engine's operators.
  const { sent: _, script, ...witness } = verdict.witness;
  const { op, ...blame } = witness.blame;
  return {
    kind: "disagrees",
    witness: {
      ...witness,
      case: encodeCase(witness.case),
      blame: op === undefined ? blame : { ...blame, op },
      ...(script === undefined ? {} : { script: { ...script, case: encodeTapeCase(script.case) } }),
    },
  };
}
