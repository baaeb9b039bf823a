import type { ReportJson, ReportSection } from "../../../../spec/wire/index.ts";
import { type Comparison, compareReports } from "../../compare.ts";
import { counted } from "../../fold.ts";
import { signOf } from "./engines_part.ts";
import { pageFindings } from "./findings_data.ts";
import { findingsData, findingsPart } from "./findings_part.ts";
import { framed, part, scrolling } from "./frame.ts";
import { dateOf, type Headline, pageHeader } from "./header.ts";
import type { LayOut } from "./layout.ts";
import { element, type Markup, together } from "./markup.ts";
import { pageScript } from "./script.ts";

/** What became of faults, in the order of the list: the status of each, and the heading above it. */
const parts = [
  ["broke", "new", "new"],
  ["mended", "mended", "mended"],
  ["unasked", "unasked", "not asked again"],
  ["still", "same", "as before"],
] as const satisfies readonly [keyof Comparison, kind: string, group: string][];

/**
 * Writes what changed between two reports, such as those of two versions of an engine, as one HTML file
 * without network: the verdict, each engine's counts before and after, and the faults by what became of them.
 */
export function comparisonHtml(before: ReportJson, after: ReportJson, layOut: LayOut): string {
  const comparison = compareReports(before, after);
  const placed = parts.flatMap(([name, kind, group]) =>
    comparison[name].map(({ finding, report }) => ({ finding, report, kind, group })),
  );
  const findings = pageFindings(placed, after.engines, layOut);
  const headline = headlineOf(comparison);
  const facts = [before, after].map((report, place): [string, string] => {
    const date = report.invocation === undefined ? "" : `, ${dateOf(report.invocation.started)}`;
    return [place === 0 ? "Before" : "After", `${counted(report.cases, "case")}, seed ${report.seed}${date}`];
  });
  const body = [
    element("a", { class: "skip", href: "#findings" }, "Skip to the faults"),
    pageHeader(headline, facts),
    element(
      "main",
      {},
      part("engines", "Engines", enginesTable(before, after)),
      part("findings", "Faults", findingsPart(after.engines, findings, "Neither report has a fault.")),
    ),
    ...findingsData(findings),
  ];
  return framed({ title: `adjudge: ${headline.title}`, body, script: pageScript() });
}

function headlineOf({ broke, mended, unasked, still, common }: Comparison): Headline {
  if (common === 0)
    return { title: "No engine is in both reports", more: "Nothing can be compared.", sort: "unsure" };
  const counts = [
    ...(mended.length > 0 ? [`${mended.length} mended`] : []),
    ...(still.length > 0 ? [`${still.length} as before`] : []),
    ...(unasked.length > 0 ? [`${unasked.length} not asked again`] : []),
  ].join(", ");
  if (broke.length === 0) return { title: "No new fault", more: counts, sort: "good" };
  return { title: counted(broke.length, "new fault"), more: counts, sort: "bad" };
}

/** Tabulates each engine and precision before and after; one that is in one report alone has one side. */
function enginesTable(before: ReportJson, after: ReportJson): Markup {
  const keyOf = ({ description, dtype }: ReportSection): string => `${description.name}, ${dtype}`;
  const [old, now] = [before, after].map(
    ({ engines }) => new Map(engines.map((section) => [keyOf(section), section])),
  );
  const names = new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])]);
  const rows = [...names].map((name) => {
    const [was, is] = [old?.get(name), now?.get(name)];
    const cells = Object.entries(columns).map(([head, read]) => {
      const [first, last] = [was, is].map((section) => (section === undefined ? "not there" : read(section)));
      const words = first === last ? `${last}` : `${first} → ${last}`;
      const sort = head === "outcome" && is !== undefined ? signOf(is.outcome)[0] : undefined;
      return element("td", { class: sort, "data-head": head }, words);
    });
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
  });
  const heads = ["engine", ...Object.keys(columns)].map((head) => element("th", { scope: "col" }, head));
  return scrolling(
    "The engines, before and after",
    element(
      "table",
      { class: "stacked" },
      element("caption", {}, "What came of each engine and precision, before and after"),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, together(...rows)),
    ),
  );
}

/** What is told of a section, by the head of its column. */
const columns: Readonly<Record<string, (section: ReportSection) => string>> = {
  outcome: ({ outcome }) => `${signOf(outcome)[1]} ${outcome}`,
  version: ({ description }) => description.version,
  agree: ({ counts }) => `${counts.agrees}`,
  wrong: ({ counts }) => `${counts.disagrees}`,
  crashed: ({ counts }) => `${counts.crashed}`,
  undecided: ({ counts }) => `${counts.undecided}`,
  declined: ({ counts }) => `${counts.unsupported}`,
};
