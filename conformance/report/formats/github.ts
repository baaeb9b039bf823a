import { createColors } from "picocolors";
import type { ReportJson } from "../../../spec/wire/index.ts";
import { findingLines, findingsOf, headline, nameOf } from "../findings.ts";

/**
 * Writes annotations of a GitHub job, a line each: errors for new failures, notices for known ones, warnings
 * for sections not green for another reason. Source: GitHub, "Workflow commands for GitHub Actions".
 */
export function githubAnnotations(report: ReportJson): string {
  const style = { palette: createColors(false) };
  const told = findingsOf(report).map((finding) =>
    annotation(
      finding.isKnown ? "notice" : "error",
      headline(finding),
      findingLines(finding, report, style).join("\n"),
    ),
  );
  const unsure = report.engines
    .filter(({ outcome }) => !["agrees", "disagrees", "crashed"].includes(outcome))
    .map((section) => annotation("warning", nameOf(section), section.outcome));
  return [...told, ...unsure].map((line) => `${line}\n`).join("");
}

/** Escapes line breaks and ends of properties, so that no foreign text begins a command. */
function annotation(level: "error" | "warning" | "notice", title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${property(title)}::${data(message)}`;
}
