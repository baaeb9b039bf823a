import { createColors } from "picocolors";
import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson, ReportSection } from "../../../spec/wire/index.ts";
import { type Finding, findingLines, findingsOf, headline, kindsTold, nameOf } from "../findings.ts";

/** Writes a report as Markdown for a job's page: a table of engines, and findings that open on a click. */
export function markdownSummary(report: ReportJson): string {
  const rows = report.engines.map((section) => row(section));
  const found = findingsOf(report).flatMap((finding) => paragraph(report, finding));
  return [
    "# adjudge",
    "",
    "| engine | outcome | agree | disagree | crashed | undecided | declined | known |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    ...found,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function row(section: ReportSection): string {
  const { counts, outcome, extent, known } = section;
  const mark = outcome === "agrees" ? "✅" : outcome === "disagrees" || outcome === "crashed" ? "❌" : "⚠️";
  const cells = [
    cell(nameOf(section)),
    `${mark} ${outcome}`,
    `${counts.agrees} of ${extent.cases}`,
    ...[counts.disagrees, counts.crashed, counts.undecided, counts.unsupported],
    known.reduce((sum, { cases }) => sum + cases, 0),
  ];
  return `| ${cells.join(" | ")} |`;
}

function paragraph(report: ReportJson, finding: Finding): string[] {
  const lines = [
    ...findingLines(finding, report, { palette: createColors(false) }),
    `  cases: ${kindsTold(finding, 5)}`,
  ];
  return [
    `<details><summary>${html(headline(finding))}</summary>`,
    "",
    "```text",
    ...lines.map((line) => visible(line, line.length).replaceAll("```", "'''")),
    "```",
    "",
    "</details>",
    "",
  ];
}

function html(words: string): string {
  return visible(words, words.length)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function cell(words: string): string {
  return html(words).replaceAll("|", "\\|");
}
