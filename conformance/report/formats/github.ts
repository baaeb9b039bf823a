import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson } from "../../../spec/wire/index.ts";
import { codeOf, type Finding, findingsOf, headline, nameOf, titleOf } from "../findings.ts";
import { counted } from "../fold.ts";
import { plainLines } from "./plain.ts";
import { fileOfFinding, noTree, type WorkingTree } from "./working_tree.ts";

/** GitHub shows ten annotations of each level of a step, and drops the others silently. */
const MOST_SHOWN = 10;

/**
 * Writes annotations of a GitHub job, a line each: errors for new faults, notices for known ones, ten at
 * most, and a warning that counts the others; warnings for sections not green for another reason. Source:
 * GitHub, "Workflow commands for GitHub Actions", and the limits in actions/toolkit,
 * docs/problem-matchers.md.
 */
export function githubAnnotations(report: ReportJson, tree: WorkingTree = noTree): string {
  const findings = findingsOf(report);
  const told = findings.slice(0, MOST_SHOWN).map((finding) => ofFinding(finding, report, tree));
  const unsure = report.engines
    .filter(({ outcome }) => !["agrees", "disagrees", "crashed"].includes(outcome))
    .map((section) => annotation("warning", {}, `${nameOf(section)}: ${section.outcome}`));
  return [
    ...told,
    ...counting(findings.slice(MOST_SHOWN)),
    // One of the ten warnings is kept for the faults that are not shown.
    ...unsure.slice(0, MOST_SHOWN - 1),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function ofFinding(finding: Finding, report: ReportJson, tree: WorkingTree): string {
  const file = fileOfFinding(finding, tree);
  const title = `${codeOf(finding)}: ${titleOf(finding)}`;
  return annotation(
    finding.isKnown ? "notice" : "error",
    { ...(file === undefined ? {} : { file }), title },
    // The log shows no title, so the message says itself what is wrong.
    [headline(finding), ...plainLines(finding, report)].join("\n"),
  );
}

function counting(rest: readonly Finding[]): string[] {
  if (rest.length === 0) return [];
  const known = rest.filter(({ isKnown }) => isKnown).length;
  const also = known > 0 ? `, of which ${known} are known` : "";
  return [
    annotation(
      "warning",
      {},
      `${counted(rest.length, "fault")} more${also}; the report and the job's summary tell of them`,
    ),
  ];
}

/** Escapes line breaks and ends of properties, so that no foreign text begins a command. */
function annotation(
  level: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const data = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const given = Object.entries(properties).map(([name, text]) => `${name}=${property(visible(text, 200))}`);
  return `::${[level, ...(given.length > 0 ? [given.join(",")] : [])].join(" ")}::${data(message)}`;
}
