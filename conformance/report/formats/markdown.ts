import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson, ReportSection } from "../../../spec/wire/index.ts";
import { codeOf, type Finding, findingsOf, inShort, nameOf, titleOf } from "../findings.ts";
import { counted } from "../fold.ts";
import { cut } from "../folded.ts";
import { plainLines } from "./plain.ts";

/** So many faults, and so many engines and precisions, have a row of their table. */
const [MOST_FAULTS, MOST_SECTIONS] = [50, 100];

/** GitHub takes 1,024 KiB for the summary of a step; a tenth of it is more than anybody reads. */
const MOST_BYTES = 100_000;

/**
 * Writes a report as Markdown for a job's page: how many faults there are, a table of them with their
 * numbers, a table of engines, and a block for each fault that opens on a click. Law: it is no longer than
 * 160,000 bytes, whatever the report holds.
 */
export function markdownSummary(report: ReportJson): string {
  const findings = findingsOf(report);
  return [
    `# adjudge: ${verdictOf(findings, report)}`,
    "",
    ...faultTable(findings),
    ...engineTable(report.engines),
    "",
    ...blocks(findings, report),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function verdictOf(findings: readonly Finding[], { engines }: ReportJson): string {
  const known = findings.filter(({ isKnown }) => isKnown).length;
  const also = known > 0 ? `, ${known} known` : "";
  const news = findings.length - known;
  if (news > 0) return `${counted(news, "fault")}${also}`;
  const isGreen = engines.length > 0 && engines.every(({ outcome }) => outcome === "agrees");
  return `${isGreen ? "agrees" : "no fault, but too little is known"}${also}`;
}

/** Tabulates faults with their numbers, which say most in the least room. */
function faultTable(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const rows = findings.slice(0, MOST_FAULTS).map((finding) => {
    const { engine, dtypes, cases, isKnown } = finding;
    const what = `${isKnown ? "known: " : ""}${titleOf(finding)}`;
    const cells = [what, engine, dtypes.join(", ")].map((words) => code(words, 120));
    return `| ${[...cells, cases, code(inShort(finding), 200)].join(" | ")} |`;
  });
  const rest = findings.length - rows.length;
  return [
    "| fault | engine | precision | cases | smallest case |",
    "| --- | --- | --- | ---: | --- |",
    ...rows,
    "",
    ...(rest > 0 ? [`${counted(rest, "fault")} more; the report in JSON has all.`, ""] : []),
  ];
}

function engineTable(sections: readonly ReportSection[]): string[] {
  const rest = sections.length - MOST_SECTIONS;
  return [
    "| engine | outcome | agree | disagree | crashed | undecided | declined | known |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...sections.slice(0, MOST_SECTIONS).map(row),
    ...(rest > 0 ? ["", `${rest} engines and precisions more; the report in JSON has all.`] : []),
  ];
}

function row(section: ReportSection): string {
  const { counts, outcome, extent, known } = section;
  const mark = outcome === "agrees" ? "✅" : outcome === "disagrees" || outcome === "crashed" ? "❌" : "⚠️";
  const cells = [
    code(nameOf(section), 120),
    `${mark} ${outcome}`,
    `${counts.agrees} of ${extent.cases}`,
    ...[counts.disagrees, counts.crashed, counts.undecided, counts.unsupported],
    known.reduce((sum, { cases }) => sum + cases, 0),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Writes a block for each fault while there is room. */
function blocks(findings: readonly Finding[], report: ReportJson): string[] {
  const told: string[] = [];
  let bytes = 0;
  for (const [place, finding] of findings.slice(0, MOST_FAULTS).entries()) {
    const lines = faultBlock(finding, report);
    bytes += Buffer.byteLength(lines.join("\n"));
    if (bytes > MOST_BYTES)
      return [...told, `The cases of ${counted(findings.length - place, "fault")} more are in the report.`];
    told.push(...lines);
  }
  return told;
}

/** Writes a fault that opens on a click: its numbers, the graph, why it is wrong, how to replay it. */
function faultBlock(finding: Finding, report: ReportJson): string[] {
  const { engine, dtypes, cases, isKnown } = finding;
  const where = `${engine}, ${dtypes.join(" and ")} (${counted(cases, "case")})`;
  const kind = `${isKnown ? "known" : "error"}[${codeOf(finding)}]`;
  const title = `${kind}: <b>${code(titleOf(finding), 200)}</b> ${code(where, 200)}`;
  return detailBlock(title, plainLines(finding, report));
}

/** Writes lines that open on a click on a title, which is HTML. */
export function detailBlock(title: string, lines: readonly string[]): string[] {
  return [
    `<details><summary>${title}</summary>`,
    "",
    "```text",
    ...lines.map((line) => line.replaceAll("```", "'''")),
    "```",
    "",
    "</details>",
    "",
  ];
}

/**
 * Writes foreign words as code, cut: GitHub reads no mention, link or number of an issue there. What HTML,
 * Markdown or its tables would read is escaped.
 */
export function code(words: string, most: number): string {
  const escaped = cut(visible(words, most), most).replace(
    /[&<>`*_[\]|\\~]/g,
    (sign) => `&#${sign.codePointAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}
