import { nothingHeard, type Verdict } from "../../oracle/hearing/index.ts";
import type { Tally } from "../../oracle/judge/index.ts";
import { laws as allLaws } from "../../oracle/laws/index.ts";
import { isOperatorName, type OperatorName } from "../../spec/composites/index.ts";
import { checkCase, checkTapeCase, validateReport } from "../../spec/documents/index.ts";
import { fail, type Issue, nodeId, ok, type Result } from "../../spec/shapes/index.ts";
import type { ReportJson, ReportSection, VerdictJson } from "../../spec/wire/index.ts";
import type { Section, SectionEntry } from "./json.ts";

/** Checks a document to be a report. Fails: `schema/…`, or as {@link sectionOf}. Cost: a check a case. */
export function checkReport(json: unknown): Result<ReportJson, Issue[]> {
  const report = validateReport(json);
  if (!report.ok) return report;
  const issues = report.value.engines.flatMap((engine, index) => {
    const section = sectionOf(engine);
    return section.ok ? [] : within(section.error, `/engines/${index}`);
  });
  return issues.length === 0 ? report : fail(issues.slice(0, MAXIMUM_SHOWN));
}

/** So many issues suffice to see what is wrong. */
const MAXIMUM_SHOWN = 20;

/**
 * Reads a section of a report. Law: its report is the same again, apart from known failures, which
 * `withKnown` marks. Fails: as {@link checkCase} does for a witness's case.
 */
export function sectionOf(json: ReportSection): Result<Section, Issue[]> {
  const { label, description, dtype, extent, promised, offered } = json;
  const entries = json.verdicts.map(({ case: place, verdict }, index) => {
    const read = verdictOf(verdict);
    return read.ok
      ? ok({ case: place, verdict: read.value })
      : fail(within(read.error, `/verdicts/${index}/verdict`));
  });
  const verdicts: SectionEntry[] = entries.flatMap((entry) => (entry.ok ? [entry.value] : []));
  const issues = entries.flatMap((entry) => (entry.ok ? [] : entry.error));
  if (issues.length > 0) return fail(issues);
  const tally = tallyOf(json);
  return ok({
    label,
    dtype,
    description: { ...description, dtypes: [dtype], operators: offered },
    promised,
    tally,
    extent: { ...extent, operators: new Set([...json.unanswered, ...tally.asked]) },
    verdicts,
  });
}

function tallyOf(section: ReportSection): Tally {
  const {
    counts,
    operators,
    promises,
    together,
    foreign,
    offered,
    unasked,
    digits = {},
    laws = {},
    imprecise = {},
    varied = nothingHeard.varied,
    excused = 0,
  } = section;
  const missing = new Set(unasked);
  return {
    counts,
    operators: mapOf(operators),
    promises: mapOf(promises),
    asked: new Set(offered.filter((op) => !missing.has(op))),
    together,
    foreign,
    digits: mapOf(digits),
    varied,
    excused,
    laws: new Map(
      allLaws.flatMap(({ name }) => {
        const counts = laws[name];
        return counts === undefined ? [] : [[name, counts]];
      }),
    ),
    imprecise: mapOf(imprecise),
  };
}

function mapOf<T>(rows: Partial<Readonly<Record<OperatorName, T>>>): Map<OperatorName, T> {
  return new Map(
    Object.entries(rows).flatMap(([op, row]): [OperatorName, T][] => (isOperatorName(op) ? [[op, row]] : [])),
  );
}

/** Reads a verdict of a report. Fails: as {@link checkCase} does for its case. */
export function verdictOf(verdict: VerdictJson): Result<Verdict, Issue[]> {
  if (verdict.kind === "crashed") {
    const { case: json, ...crash } = verdict;
    const question = json === undefined ? undefined : checkCase(json);
    if (question?.ok === false) return fail(within(question.error, "/case"));
    return ok(question === undefined ? crash : { ...crash, case: question.value });
  }
  if (verdict.kind !== "disagrees") return ok(verdict);
  const { case: json, id, blame, script, ...witness } = verdict.witness;
  const question = checkCase(json);
  if (!question.ok) return fail(within(question.error, "/witness/case"));
  const steps = script === undefined ? undefined : checkTapeCase(script.case);
  if (steps?.ok === false) return fail(within(steps.error, "/witness/script/case"));
  const { op, ...rest } = blame;
  return ok({
    kind: "disagrees",
    witness: {
      ...witness,
      id: nodeId(id),
      case: question.value,
      blame: { ...rest, id: nodeId(blame.id), op },
      ...(script === undefined || steps === undefined
        ? {}
        : { script: { step: script.step, case: steps.value } }),
    },
  });
}

function within(issues: readonly Issue[], pointer: string): Issue[] {
  return issues.map((issue) => ({ ...issue, pointer: `${pointer}${issue.pointer}` }));
}
