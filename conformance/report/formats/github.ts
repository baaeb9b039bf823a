import type { ReportJson } from "../../../spec/wire/index.ts";
import { findingsOf, nameOf, titleOf } from "./findings.ts";

/**
 * Writes annotations of a GitHub job, a line each: errors for new failures, notices for known ones, warnings
 * for sections not green for another reason. Source: GitHub, "Workflow commands for GitHub Actions".
 */
export function githubAnnotations(report: ReportJson): string {
  const lines = report.engines.flatMap((section) => {
    const told = findingsOf(report, section).map((finding) => {
      const level = finding.isKnown ? "notice" : "error";
      return annotation(level, `${nameOf(section)}: ${titleOf(finding)}`, finding.lines.join("\n"));
    });
    const isSomebodys = ["agrees", "disagrees", "crashed"].includes(section.outcome);
    return isSomebodys ? told : [...told, annotation("warning", nameOf(section), section.outcome)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Escapes line breaks and ends of properties, so that no foreign text begins a command. */
function annotation(level: "error" | "warning" | "notice", title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${property(title)}::${data(message)}`;
}
