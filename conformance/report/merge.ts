import { plusHeard } from "../../oracle/hearing/index.ts";
import { type Counts, plusImprecise, type Tally } from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { reportJson, type Section } from "./json.ts";
import { sectionOf } from "./section_of.ts";

/** Properties that all parts of a run share: which cases were drawn, and how they were judged. */
export const alike = [
  "adjudge",
  "seed",
  "cases",
  "kind",
  "profile",
  "lawsEvery",
  "selection",
  "strict",
  "shares",
] as const;

/** A run put together from its parts. */
export interface Merged {
  readonly report: ReportJson;
  readonly sections: readonly Section[];
}

/**
 * Merges the reports of a run's parts. Law: counts are those of the whole run; a fault that many cases show
 * may have other witnesses. Fails: `merge/different` for parts of several runs, `merge/parts` for a missing
 * or repeated part, and as `sectionOf` does.
 */
export function mergeReports(reports: readonly ReportJson[]): Result<Merged, Issue[]> {
  const [first] = reports;
  if (first === undefined) return fail([problem("merge/parts", "there is no report to merge.")]);
  const issues = [
    ...reports.flatMap((report, place) => differences(first, report, place)),
    ...missing(reports),
  ];
  if (issues.length > 0) return fail(issues);
  const merged = new Map<string, Section>();
  for (const report of reports) {
    for (const json of report.engines) {
      const section = sectionOf(json);
      if (!section.ok) return section;
      const key = JSON.stringify([json.label, json.dtype]);
      const before = merged.get(key);
      const both = before === undefined ? ok(section.value) : joined(before, section.value);
      if (!both.ok) return both;
      merged.set(key, both.value);
    }
  }
  const isStrict = first.strict === true;
  const sections = [...merged.values()].map((section) => (isStrict ? { ...section, isStrict } : section));
  const { shard: _, invocation: __, ...run } = first;
  return ok({ report: reportJson(run, sections), sections });
}

function differences(first: ReportJson, report: ReportJson, place: number): Issue[] {
  return alike.flatMap((name) => {
    const [a, b] = [JSON.stringify(first[name]), JSON.stringify(report[name])];
    return a === b
      ? []
      : [problem("merge/different", `report ${place + 1} has ${name} ${b}, where the first has ${a}.`)];
  });
}

/** Returns an issue unless each part is there once. */
function missing(reports: readonly ReportJson[]): Issue[] {
  const counts = new Set(reports.map(({ shard }) => shard?.count ?? 1));
  const [count = 1] = counts;
  if (counts.size > 1)
    return [problem("merge/parts", "the reports are of runs in different numbers of parts.")];
  const places = reports.map(({ shard }) => shard?.index ?? 1);
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((index) => {
    const times = places.filter((place) => place === index).length;
    if (times === 1) return [];
    const what = times === 0 ? "is missing" : `is there ${times} times`;
    return [problem("merge/parts", `part ${index} of ${count} ${what}.`)];
  });
}

/** Joins two parts of what one engine was asked. */
export function joined(a: Section, b: Section): Result<Section, Issue[]> {
  const { name, version } = a.description;
  if (name !== b.description.name || version !== b.description.version) {
    const other = `${b.description.name} ${b.description.version}`;
    return fail([problem("merge/different", `${name} ${version} is ${other} in another report.`)]);
  }
  const ended = [a, b].find(({ extent }) => extent.ended !== "all")?.extent.ended ?? "all";
  return ok({
    ...a,
    tally: summed(a.tally, b.tally),
    extent: {
      cases: a.extent.cases + b.extent.cases,
      operators: new Set([...a.extent.operators, ...b.extent.operators]),
      ended,
      seconds: Math.max(a.extent.seconds, b.extent.seconds),
    },
    verdicts: [...a.verdicts, ...b.verdicts].toSorted((x, y) => byPlace(x.case, y.case)),
  });
}

function summed(a: Tally, b: Tally): Tally {
  return {
    counts: plus(a.counts, b.counts),
    operators: together(a.operators, b.operators, plus),
    asked: new Set([...a.asked, ...b.asked]),
    promises: together(a.promises, b.promises, (x, y) => ({
      asked: x.asked + y.asked,
      declined: plusEach(x.declined, y.declined),
    })),
    together: plusEach(a.together, b.together),
    foreign: a.foreign + b.foreign,
    ...plusHeard(a, b),
    imprecise: plusImprecise(a.imprecise, b.imprecise),
  };
}

function together<T>(
  a: ReadonlyMap<OperatorName, T>,
  b: ReadonlyMap<OperatorName, T>,
  sum: (x: T, y: T) => T,
): Map<OperatorName, T> {
  const all = new Map(a);
  for (const [op, row] of b) {
    const before = all.get(op);
    all.set(op, before === undefined ? row : sum(before, row));
  }
  return all;
}

function plus(a: Counts, b: Counts): Counts {
  return {
    agrees: a.agrees + b.agrees,
    disagrees: a.disagrees + b.disagrees,
    undecided: a.undecided + b.undecided,
    unsupported: a.unsupported + b.unsupported,
    crashed: a.crashed + b.crashed,
  };
}

function plusEach<K extends string>(
  a: Partial<Readonly<Record<K, number>>>,
  b: Partial<Readonly<Record<K, number>>>,
): Partial<Record<K, number>> {
  const sum: Partial<Record<K, number>> = { ...a };
  for (const key in b) sum[key] = (sum[key] ?? 0) + (b[key] ?? 0);
  return sum;
}

/** Orders numbers by size, before files, which keep their order. */
function byPlace(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? 0 : typeof a === "number" ? -1 : 1;
}

function problem(code: string, message: string): Issue {
  return {
    code,
    pointer: "",
    message,
    hint: "merge the reports of one run: the same flags but for --shard 1/n to n/n",
  };
}
