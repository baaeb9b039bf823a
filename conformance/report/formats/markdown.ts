import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson, ReportSection } from "../../../spec/wire/index.ts";
import { type Finding, findingsOf, nameOf, titleOf } from "./findings.ts";

/** Writes a report as Markdown for a job's page: a table of engines, and findings that open on a click. */
export function markdownSummary(report: ReportJson): string {
  const rows = report.engines.map((section) => row(section));
  const found = report.engines.flatMap((section) =>
    findingsOf(report, section).flatMap((finding) => paragraph(section, finding)),
  );
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

function paragraph(section: ReportSection, finding: Finding): string[] {
  const times = finding.cases === 1 ? "1 case" : `${finding.cases} cases`;
  const what = finding.isKnown ? "known" : finding.kind;
  return [
    `<details><summary>${html(`${what}: ${nameOf(section)}: ${titleOf(finding)}, ${times}`)}</summary>`,
    "",
    "```text",
    ...finding.lines.map((line) => visible(line, line.length).replaceAll("```", "'''")),
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
