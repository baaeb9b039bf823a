import coerce from "semver/functions/coerce.js";
import compare from "semver/functions/compare.js";
import { InvariantError, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import type { Subject } from "./job.ts";
import type { SeriesTotals, Span, StoredFinding, StoreView } from "./view.ts";

/** Two versions of one engine, asked the same questions. */
export interface VersionChange {
  readonly name: string;
  readonly before: Subject;
  readonly after: Subject;
  /** So many questions were put to both; none if they offer other operators, which draws other questions. */
  readonly common: number;
  /** The later version shows these faults at questions that both were asked, and the earlier one at none. */
  readonly broke: readonly StoredFinding[];
  /** The earlier version shows these at such questions, and the later one at none. */
  readonly mended: readonly StoredFinding[];
}

/**
 * Compares each version of an engine with the next one, at the questions that both were asked: those of
 * series that differ in nothing but the version, drawn for the same operators. Law: a version asked more
 * is not accused of more. Cost: linear in the verdicts that are told.
 */
export function changesOf(view: StoreView): Result<readonly VersionChange[], Issue[]> {
  const [totals, findings] = [view.totals(), view.findings()];
  if (!totals.ok) return totals;
  if (!findings.ok) return findings;
  const changes: VersionChange[] = [];
  for (const [, series] of Map.groupBy(totals.value, ({ subject }) => subject.name)) {
    const versions = [...Map.groupBy(series, ({ series: { subject } }) => subject).values()].toSorted(
      byVersion,
    );
    for (const [place, after] of versions.entries()) {
      const before = versions[place - 1];
      const change = before && changeBetween(view, before, after, findings.value);
      if (change?.ok === false) return change;
      if (change !== undefined) changes.push(change.value);
    }
  }
  return ok(changes);
}

/** Orders versions as npm reads them, and others as they came. */
function byVersion([a]: readonly SeriesTotals[], [b]: readonly SeriesTotals[]): number {
  const [x, y] = [a, b].map((one) => coerce(one?.subject.version ?? "", { includePrerelease: true }));
  return x === null || x === undefined || y === null || y === undefined ? 0 : compare(x, y);
}

function changeBetween(
  view: StoreView,
  before: readonly SeriesTotals[],
  after: readonly SeriesTotals[],
  findings: readonly StoredFinding[],
): Result<VersionChange, Issue[]> {
  const [old, now] = [new Set<string>(), new Set<string>()];
  let common = 0;
  for (const one of before) {
    const other = after.find((candidate) => questionsOf(candidate) === questionsOf(one));
    if (other === undefined) continue;
    const [was, is] = [view.spans(one.id), view.spans(other.id)];
    if (!was.ok) return was;
    if (!is.ok) return is;
    const both = commonSpans(was.value, is.value);
    common += both.reduce((sum, { first, end }) => sum + end - first, 0);
    for (const [id, faults] of [
      [one.id, old],
      [other.id, now],
    ] as const) {
      const told = view.verdicts(id);
      if (!told.ok) return told;
      for (const { place, kind, fault } of told.value)
        if (fault !== undefined && isWithin(both, place)) faults.add(keyOf(one.series.kind, kind, fault));
    }
  }
  const [from, to] = [before[0]?.subject, after[0]?.subject];
  if (from === undefined || to === undefined) throw new InvariantError("a version has a series");
  const of = (subject: Subject, seen: ReadonlySet<string>): StoredFinding[] =>
    findings.filter(
      (one) =>
        one.subject.label === subject.label &&
        one.subject.version === subject.version &&
        one.subject.offer === subject.offer &&
        seen.has(keyOf(one.kind, one.sort, one.title)),
    );
  const known = (subject: Subject): ReadonlySet<string> =>
    new Set(
      findings
        .filter((one) => one.subject.version === subject.version && one.subject.name === subject.name)
        .map((one) => keyOf(one.kind, one.sort, one.title)),
    );
  const [knownBefore, knownAfter] = [known(from), known(to)];
  return ok({
    ...{ name: to.name, before: from, after: to, common },
    broke: of(to, now).filter((one) => !knownBefore.has(keyOf(one.kind, one.sort, one.title))),
    mended: of(from, old).filter((one) => !knownAfter.has(keyOf(one.kind, one.sort, one.title))),
  });
}

/** Names the questions of a series, whoever is asked: they are drawn of the operators that are offered. */
function questionsOf({ series, subject }: SeriesTotals): string {
  const { kind, profile, seed, dtype, lawsEvery, adjudge } = series;
  return JSON.stringify([kind, profile, seed, dtype, lawsEvery, adjudge, drawnOf(subject)]);
}

/** Returns what decides which questions are drawn for an engine. */
function drawnOf({ offer }: Subject): unknown {
  const { description, tapes, programs }: Offer = JSON.parse(offer);
  return [description?.operators, description?.accumulation, tapes, programs?.statements];
}

interface Offer {
  readonly description?: { readonly operators?: unknown; readonly accumulation?: unknown };
  readonly tapes?: unknown;
  readonly programs?: { readonly statements?: unknown };
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Returns the questions that are in both of two lists of spans, each of them in order. */
export function commonSpans(a: readonly Span[], b: readonly Span[]): Span[] {
  const common: Span[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    const [x, y] = [a[i], b[j]];
    if (x === undefined || y === undefined) break;
    const [first, end] = [Math.max(x.first, y.first), Math.min(x.end, y.end)];
    if (first < end) common.push({ first, end });
    if (x.end < y.end) i += 1;
    else j += 1;
  }
  return common;
}

function isWithin(spans: readonly Span[], place: number): boolean {
  return spans.some(({ first, end }) => first <= place && place < end);
}
