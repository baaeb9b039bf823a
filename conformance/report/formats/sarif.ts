import { createColors } from "picocolors";
import type { Log, ReportingDescriptor, Result } from "sarif";
import type { ReportJson } from "../../../spec/wire/index.ts";
import { type Finding, findingLines, findingsOf, headline, kindsTold } from "../findings.ts";

/**
 * Writes a report as SARIF for code scanning: a rule for each place to blame, a result for each finding,
 * known ones suppressed with their note. Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
 */
export function sarifLog(report: ReportJson): Log {
  const findings = findingsOf(report);
  const rules = new Map<string, ReportingDescriptor>();
  for (const finding of findings) {
    const id = ruleIdOf(finding);
    rules.set(id, { id, shortDescription: { text: finding.title } });
  }
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "adjudge", version: report.adjudge, rules: [...rules.values()] } },
        results: findings.map((finding) => resultOf(report, finding)),
      },
    ],
  };
}

function ruleIdOf({ kind, title }: Finding): string {
  return kind === "crashed" ? "crash" : title.replaceAll(" ", "/");
}

function resultOf(report: ReportJson, finding: Finding): Result {
  const { shown, isKnown, engine, title, kind } = finding;
  const { case: first } = shown.entry;
  const where =
    typeof first === "string" ? { physicalLocation: { artifactLocation: { uri: encodeURI(first) } } } : {};
  const lines = findingLines(finding, report, { palette: createColors(false) });
  return {
    ruleId: ruleIdOf(finding),
    level: "error",
    message: { text: [headline(finding), ...lines, `  cases: ${kindsTold(finding, 5)}`].join("\n") },
    locations: [{ ...where, logicalLocations: [{ fullyQualifiedName: `${engine}/${title}` }] }],
    partialFingerprints: { "adjudge/v2": JSON.stringify([shown.section.description.name, kind, title]) },
    ...(isKnown ? { suppressions: [{ kind: "external", justification: "a known failure" }] } : {}),
  };
}
