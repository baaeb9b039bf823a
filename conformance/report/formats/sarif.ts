import type { Location, Log, ReportingDescriptor, Result } from "sarif";
import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson } from "../../../spec/wire/index.ts";
import { codeOf, type Finding, findingsOf, headline, titleOf } from "../findings.ts";
import { counted } from "../fold.ts";
import { rankOf } from "../rules.ts";
import { fingerprintOfFinding, plainLines } from "./plain.ts";
import { fileOfFinding, noTree, type WorkingTree } from "./working_tree.ts";

/** GitHub refuses more than 25,000 results, shows 5,000, and takes 10 MB; nobody reads these. */
const MOST_RESULTS = 1000;

/** GitHub cuts descriptions at 1,024 characters. */
const MOST_DESCRIBED = 1000;

/**
 * Writes a report as SARIF for code scanning: a rule for each fault, whichever engine has it, and a result
 * for each engine's fault, known ones suppressed. Law: each result has a file, and a fingerprint that stays.
 * Source: OASIS, Static Analysis Results Interchange Format 2.1.0; GitHub, "SARIF support for code scanning",
 * which refuses a log in which some result has no file, and requires a region, a fingerprint by the name that
 * it reads, and a rule's texts.
 */
export function sarifLog(report: ReportJson, tree: WorkingTree = noTree): Log {
  const findings = findingsOf(report);
  const told = findings.slice(0, MOST_RESULTS);
  const prints = numbered(told.map(fingerprintOfFinding));
  const rest = findings.length - told.length;
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "adjudge",
            version: report.adjudge,
            semanticVersion: report.adjudge,
            rules: [...rulesOf(told), ...(rest > 0 ? [further] : [])],
          },
        },
        results: [
          ...told.map((finding, place) => resultOf(report, finding, tree, prints[place] ?? "")),
          ...(rest > 0 ? [furtherResult(rest, tree)] : []),
        ],
      },
    ],
  };
}

/** Names a fault as compilers name what they warn of: `relu/cotangent`, `crash`. */
function ruleIdOf({ kind, title }: Finding): string {
  return kind === "crashed" ? "crash" : title.replaceAll(" ", "/");
}

function rulesOf(findings: readonly Finding[]): ReportingDescriptor[] {
  const alike = Map.groupBy(findings, ruleIdOf);
  return [...alike].map(([id, some]) => descriptorOf(id, some));
}

function descriptorOf(id: string, findings: readonly Finding[]): ReportingDescriptor {
  const [first] = findings;
  const rules = new Map(findings.flatMap(({ rule }) => (rule === undefined ? [] : [[rule.name, rule]])));
  const why =
    rules.size === 0
      ? [["an engine answers each question or declines it", "docs/protocol.md#when-something-goes-wrong"]]
      : [...rules.values()].map((rule) => [rule.why, rule.link]);
  const isCrash = first === undefined || first.kind === "crashed";
  const what = isCrash ? "crash: an engine failed to answer" : `${codeOf(first)}: ${titleOf(first)}`;
  const reasons = why.map(([sentence]) => `${sentence}.`).join(" ");
  const best = Math.min(...[...rules.values()].map(({ name }) => rankOf(name)));
  return {
    id,
    name: id,
    shortDescription: { text: visible(what, MOST_DESCRIBED) },
    fullDescription: { text: visible(`${what}. Why this is wrong: ${reasons}`, MOST_DESCRIBED) },
    help: {
      text: [`${what}.`, ...why.map(([sentence, link]) => `Why: ${sentence} (${link}).`)].join("\n"),
      markdown: [
        `**${what}**`,
        ...why.map(([sentence, link]) => `Why: ${sentence}. adjudge tells more in \`${link}\`.`),
        "The message has the smallest case that shows it, and the command that asks it again.",
      ].join("\n\n"),
    },
    defaultConfiguration: { level: "error" },
    properties: {
      // What nobody can dispute comes first.
      precision: Number.isFinite(best) && best > rankOf("ieee") ? "high" : "very-high",
      "problem.severity": "error",
    },
  };
}

/** Numbers repeated names, since an engine may be asked twice, or a fault be known for some cases alone. */
function numbered(names: readonly string[]): string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return `${name}:${time}`;
  });
}

function resultOf(report: ReportJson, finding: Finding, tree: WorkingTree, fingerprint: string): Result {
  const { isKnown, engine, title } = finding;
  const lines = [headline(finding), ...plainLines(finding, report)];
  return {
    ruleId: ruleIdOf(finding),
    level: "error",
    message: { text: lines.map(withoutLinks).join("\n") },
    locations: [
      {
        ...fileLocation(fileOfFinding(finding, tree) ?? tree.otherwise),
        logicalLocations: [{ fullyQualifiedName: visible(`${engine}/${title}`, 400) }],
      },
    ],
    // GitHub reads this name alone, though what stands there need not be of a line.
    partialFingerprints: { primaryLocationLineHash: fingerprint },
    ...(isKnown ? { suppressions: [{ kind: "external", justification: "a known failure" }] } : {}),
  };
}

/** Points to a whole file, which is told by its first character: GitHub wants a region. */
function fileLocation(path: string): Location {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  const region = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}

/** Keeps foreign words from being a link, `[like](this)`, which SARIF has in plain messages. */
function withoutLinks(line: string): string {
  return line.replaceAll("](", "] (");
}

const further: ReportingDescriptor = {
  id: "further-faults",
  shortDescription: { text: "further faults" },
  fullDescription: { text: "Faults beyond those that are told singly." },
  help: { text: "The report in JSON has all faults." },
};

function furtherResult(count: number, tree: WorkingTree): Result {
  return {
    ruleId: further.id,
    level: "error",
    message: { text: `${counted(count, "fault")} more; the report in JSON has all.` },
    locations: [fileLocation(tree.location ?? tree.otherwise)],
    partialFingerprints: { primaryLocationLineHash: "further-faults:1" },
  };
}
