import type { Log, ReportingDescriptor, Result } from "sarif";
import type { ReportJson, ReportSection } from "../../../spec/wire/index.ts";
import { type Finding, findingsOf, nameOf, titleOf } from "./findings.ts";

/**
 * Writes a report as SARIF for code scanning: a rule for each place to blame, a result for each finding,
 * known ones suppressed with their note. Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
 */
export function sarifLog(report: ReportJson): Log {
  const found = report.engines.flatMap((section) =>
    findingsOf(report, section).map((finding) => ({ section, finding })),
  );
  const rules = new Map<string, ReportingDescriptor>();
  for (const { finding } of found) {
    const id = ruleOf(finding);
    rules.set(id, { id, shortDescription: { text: finding.title } });
  }
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "adjudge", version: report.adjudge, rules: [...rules.values()] } },
        results: found.map(({ section, finding }) => resultOf(section, finding)),
      },
    ],
  };
}

function ruleOf({ kind, title }: Finding): string {
  return kind === "crashed" ? "crash" : title.replaceAll(" ", "/");
}

function resultOf(section: ReportSection, finding: Finding): Result {
  const { first, isKnown, lines } = finding;
  const where =
    typeof first === "string" ? { physicalLocation: { artifactLocation: { uri: encodeURI(first) } } } : {};
  const fullyQualifiedName = `${nameOf(section)}/${finding.title}`;
  return {
    ruleId: ruleOf(finding),
    level: "error",
    message: {
      text: [`${nameOf(section)}: ${titleOf(finding)}, cases: ${finding.cases}`, ...lines].join("\n"),
    },
    locations: [{ ...where, logicalLocations: [{ fullyQualifiedName }] }],
    partialFingerprints: {
      "adjudge/v1": JSON.stringify([section.description.name, section.dtype, finding.kind, titleOf(finding)]),
    },
    ...(isKnown ? { suppressions: [{ kind: "external", justification: "a known failure" }] } : {}),
  };
}
