import type { SiteCampaign, SiteEngine, SiteFault } from "../../../conformance/report/formats/index.ts";
import { checkReport, reportJson, sectionOf } from "../../../conformance/report/index.ts";
import { quoteWord } from "../../../conformance/testees/index.ts";
import { checkProgramCase } from "../../../spec/documents/index.ts";
import { fail, type Issue, ok, type Result, visible } from "../../../spec/shapes/index.ts";
import { parseJson, type ReportJson } from "../../../spec/wire/index.ts";
import { checkToldFunction } from "./function_report.ts";
import { subjectId } from "./job.ts";
import { graphReport, programTally } from "./outcome.ts";
import { checkProgramReport, type ProgramReportJson } from "./program_report.ts";
import { attempted } from "./schema.ts";
import { changesOf } from "./versions.ts";
import type { SeriesTotals, StoreView } from "./view.ts";

/**
 * Returns all that a campaign found, as its site tells it. Fails: `store/…`, and as the checks of reports
 * do.
 */
export async function campaignOf(view: StoreView, adjudge: string): Promise<Result<SiteCampaign, Issue[]>> {
  const [totals, changes, runs, trend] = [view.totals(), changesIn(view), view.runs(), view.trend()];
  if (!totals.ok) return totals;
  if (!changes.ok) return changes;
  if (!runs.ok) return runs;
  if (!trend.ok) return trend;
  const { programCaseText } = await import("../../../spec/text/index.ts");
  const write: WriteCase = (json) => {
    const question = checkProgramCase(json);
    return question.ok ? programCaseText(question.value) : "";
  };
  const read = attempted(view.path, () => enginesOf(view, totals.value, write));
  const engines = read.ok ? read.value : read;
  if (!engines.ok) return engines;
  return ok({
    adjudge,
    engines: engines.value,
    changes: changes.value.map(({ name, before, after, common, broke, mended }) => ({
      ...{ name, before: before.version, after: after.version, common },
      broke: broke.map(({ kind, title }) => `${kind}: ${title}`),
      mended: mended.map(({ kind, title }) => `${kind}: ${title}`),
    })),
    runs: runs.value.map(({ id, started, ended, adjudge: by, words }) => ({
      ...{ started, adjudge: by, command: words, isEnded: ended !== undefined },
      questions: trend.value.find(({ run }) => run === id)?.questions ?? 0,
      faults: trend.value.find(({ run }) => run === id)?.faults ?? 0,
    })),
  });
}

function changesIn(view: StoreView): ReturnType<typeof changesOf> {
  const read = attempted(view.path, () => changesOf(view));
  return read.ok ? read.value : read;
}

type WriteCase = (json: unknown) => string;

function enginesOf(
  view: StoreView,
  totals: readonly SeriesTotals[],
  write: WriteCase,
): Result<SiteEngine[], Issue[]> {
  const engines: SiteEngine[] = [];
  for (const [, series] of Map.groupBy(totals, ({ subject }) => subjectId(subject))) {
    const engine = engineOf(view, series, write);
    if (!engine.ok) return engine;
    engines.push(...engine.value);
  }
  return ok(engines);
}

function engineOf(
  view: StoreView,
  series: readonly SeriesTotals[],
  write: WriteCase,
): Result<SiteEngine[], Issue[]> {
  const [first] = series;
  if (first === undefined) return ok([]);
  const { subject } = first;
  const rows = series.map(({ series: { kind, dtype, profile, seed }, questions, counts, dead }) => ({
    ...{ kind, dtype, profile, seed, questions, counts, dead },
  }));
  const [reports, faults] = [reportsOf(view, series), otherFaults(view, series, write)];
  if (!reports.ok) return reports;
  if (!faults.ok) return faults;
  const { label, name, version } = subject;
  return ok([{ label, name, version, rows, reports: reports.value, faults: faults.value }]);
}

/** Returns the report of each kind, profile and seed of questions about graphs: all precisions together. */
function reportsOf(view: StoreView, series: readonly SeriesTotals[]): Result<ReportJson[], Issue[]> {
  const groups = Map.groupBy(
    series.filter(
      ({ series: { kind }, questions }) => (kind === "graphs" || kind === "tapes") && questions > 0,
    ),
    ({ series: { kind, profile, seed, lawsEvery, adjudge } }) =>
      JSON.stringify([kind, profile, seed, lawsEvery, adjudge]),
  );
  const reports: ReportJson[] = [];
  for (const group of groups.values()) {
    const parts = group.map((one) => partOf(view, one));
    const issues = parts.flatMap((part) => (part.ok ? [] : part.error));
    const good = parts.flatMap((part) => (part.ok ? [part.value] : []));
    const [run] = good;
    if (issues.length > 0 || run === undefined) return fail(issues);
    const sections = good.flatMap(({ engines }) => engines.map(sectionOf));
    const read = sections.flatMap((section) => (section.ok ? [section.value] : []));
    const { format: _, dtypes: __, engines: ___, ...told } = run;
    const cases = Math.max(...group.map(({ questions }) => questions));
    reports.push(reportJson({ ...told, cases }, read));
  }
  return ok(reports);
}

/** Returns the report of one series: its tally with all verdicts that are told. */
function partOf(view: StoreView, { id, series: { kind } }: SeriesTotals): Result<ReportJson, Issue[]> {
  const [section, verdicts] = [view.section(id, kind), view.verdicts(id)];
  if (!section.ok) return section;
  if (!verdicts.ok) return verdicts;
  const report = graphReport(section.value ?? "");
  const entries = verdicts.value.map(({ place, verdict }) => {
    const json = parseJson(verdict);
    return { case: place, verdict: json.ok ? json.value : undefined, isKnown: false };
  });
  return checkReport({ ...report, engines: report.engines.map((one) => ({ ...one, verdicts: entries })) });
}

/** Lists the faults that programs and functions show, each with its smallest witness. */
function otherFaults(
  view: StoreView,
  series: readonly SeriesTotals[],
  write: WriteCase,
): Result<SiteFault[], Issue[]> {
  const findings = view.findings();
  if (!findings.ok) return findings;
  const faults: SiteFault[] = [];
  for (const finding of findings.value) {
    const own = series.find(({ id }) => id === finding.series);
    if (own === undefined) continue;
    if (finding.kind === "functions") {
      const json = parseJson(finding.verdict);
      const told = json.ok ? checkToldFunction(json.value) : json;
      if (!told.ok) return told;
      const { kind, sort, title, cases } = finding;
      faults.push({ kind, sort, title, cases, lines: told.value.lines });
    }
    if (finding.kind !== "programs") continue;
    const section = view.section(own.id, "programs");
    if (!section.ok) return section;
    const told = toldProgram(own, finding.place, finding.verdict, section.value ?? "{}");
    if (!told.ok) return told;
    const { sort, title, cases } = finding;
    const lines = programLines(told.value, own, finding.place, write);
    faults.push({ kind: "programs", sort, title, cases, lines });
  }
  return ok(faults);
}

type ToldProgram = Partial<ProgramReportJson["engines"][number]["told"][number]>;

/** Reads a verdict about a program, which is checked again as a report that has it alone. */
function toldProgram(
  { subject, series }: SeriesTotals,
  place: number,
  verdict: string,
  section: string,
): Result<ToldProgram, Issue[]> {
  const json = parseJson(verdict);
  if (!json.ok) return json;
  const { label, name, version } = subject;
  const { adjudge, seed, dtype } = series;
  const told = typeof json.value === "object" && json.value !== null ? [{ place, ...json.value }] : [];
  const { counts } = programTally(section);
  const one = { label, name, version, language: "", dtype, ended: "all", counts, told };
  const report = {
    format: "adjudge.program-report.v1",
    adjudge,
    seed,
    programs: 1,
    first: place,
    engines: [one],
  };
  const checked = checkProgramReport(report);
  if (!checked.ok) return checked;
  return ok(checked.value.engines[0]?.told[0] ?? {});
}

function programLines(
  { message, witness }: ToldProgram,
  { subject, series }: SeriesTotals,
  place: number,
  write: WriteCase,
): string[] {
  const { seed, dtype } = series;
  const replay = `replay: adjudge programs -e ${quoteWord(subject.label)} --dtype ${dtype} --seed ${seed} --first ${place} -n 1`;
  if (witness === undefined) return [`said: ${visible(message ?? "", 2000)}`, replay];
  const { mode, part, answer, expected, bound, blame } = witness;
  const text = write(witness.case)
    .trimEnd()
    .split("\n")
    .map((line) => `  ${visible(line, 400)}`);
  const words = `${mode}, ${part}: got ${visible(answer, 200)}, want ${visible(expected, 200)} within ${visible(bound, 60)}`;
  return [words, visible(blame.sentence, 400), ...text, replay];
}
