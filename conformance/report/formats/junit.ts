import { create } from "xmlbuilder2";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces.js";
import { operatorNames } from "../../../spec/composites/index.ts";
import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson, ReportSection } from "../../../spec/wire/index.ts";
import { type Finding, findingsOf, headline, inShort, nameOf, titleOf } from "../findings.ts";
import { counted } from "../fold.ts";
import { plainLines } from "./plain.ts";

/** A test of the report: an operator, a fault, or whether the run means something. */
interface TestCase {
  readonly name: string;
  /** What came of it; a test that passed has none. */
  readonly result?: {
    readonly kind: "failure" | "error" | "skipped";
    readonly message: string;
    readonly text: string;
  };
}

/** So many faults of an engine have a test of their own; one more test counts the others. */
const MOST_FAULTS = 200;

/**
 * Writes JUnit XML for CI systems: a suite for each engine with a test for each operator and each fault, and
 * of whether enough was answered. A test fails once at most, because readers show one failure of a test;
 * known faults and unasked operators are skipped. A suite has the time of its sections; that of a test is not
 * known. Law: it has a failure or an error if and only if some section's outcome is not `agrees`. Source:
 * junit-4.xsd of Jenkins' dtkit, which GitLab, Azure and CircleCI read too.
 */
export function junitXml(report: ReportJson): string {
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele("testsuites", {
    name: "adjudge",
    time: secondsOf(report.engines),
  });
  const findings = findingsOf(report);
  for (const [engine, sections] of Map.groupBy(report.engines, engineOf)) {
    const own = findings.filter((finding) => engineOf(finding.shown.section) === engine);
    addSuite(root, sections, testsOf(report, sections, own));
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

/** Names an engine in a run, where one engine may be asked by several commands. */
function engineOf({ label, description: { name, version } }: ReportSection): string {
  return JSON.stringify([label, name, version]);
}

function secondsOf(sections: readonly ReportSection[]): number {
  return sections.reduce((sum, { extent }) => sum + extent.seconds, 0);
}

function addSuite(root: XMLBuilder, sections: readonly ReportSection[], tests: readonly TestCase[]): void {
  const [first] = sections;
  if (first === undefined) return;
  const { name, version } = first.description;
  const count = (kind: "failure" | "error" | "skipped"): number =>
    tests.filter(({ result }) => result?.kind === kind).length;
  const engine = visible(`${name} ${version}`, 200);
  const suite = root.ele("testsuite", {
    name: engine,
    tests: tests.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: secondsOf(sections),
  });
  for (const { name: title, result } of tests) {
    const test = suite.ele("testcase", { name: title, classname: engine });
    if (result === undefined) continue;
    // The schema gives a skipped test no message.
    const message = result.kind === "skipped" ? {} : { message: result.message };
    test.ele(result.kind, message).txt(result.text);
  }
}

function testsOf(
  report: ReportJson,
  sections: readonly ReportSection[],
  findings: readonly Finding[],
): TestCase[] {
  const told = findings.slice(0, MOST_FAULTS);
  return [
    ...operatorTests(sections, new Set(findings.map(({ operator }) => operator))),
    ...told.map((finding) => faultTest(report, finding)),
    ...furtherTest(findings.slice(MOST_FAULTS)),
    ...sections.map(meaning),
  ];
}

/** Makes a test of each operator that was offered and has no fault: it passed, or was not asked. */
function operatorTests(
  sections: readonly ReportSection[],
  blamed: ReadonlySet<Finding["operator"]>,
): TestCase[] {
  const offered = new Set<string>(
    sections.flatMap(({ operators, unasked }) => [...Object.keys(operators), ...unasked]),
  );
  const skipped = { kind: "skipped", message: "", text: "no case with it was answered" } as const;
  return operatorNames
    .filter((name) => offered.has(name) && !blamed.has(name))
    .map((name) =>
      sections.every(({ unasked, operators }) => unasked.includes(name) || !Object.hasOwn(operators, name))
        ? { name, result: skipped }
        : { name },
    );
}

function faultTest(report: ReportJson, finding: Finding): TestCase {
  const lines = [headline(finding), ...plainLines(finding, report)];
  const name = visible(titleOf(finding), 200);
  const isCrash = finding.kind === "crashed";
  const kind = finding.isKnown ? "skipped" : isCrash ? "error" : "failure";
  const message = isCrash ? inShort(finding) : `${name}: ${inShort(finding)}`;
  return { name, result: { kind, message, text: lines.join("\n") } };
}

/** Fails if a fault that is not told singly is new. */
function furtherTest(findings: readonly Finding[]): TestCase[] {
  if (findings.length === 0) return [];
  const news = findings.filter(({ isKnown }) => !isKnown);
  const kind = news.length > 0 ? "failure" : "skipped";
  const message = `${counted(findings.length, "fault")} more, ${news.length} of them new; the report in JSON has all`;
  return [{ name: "further faults", result: { kind, message, text: message } }];
}

/** Makes the test of whether enough was answered, as that is no operator's failure. */
function meaning(section: ReportSection): TestCase {
  const { outcome, extent, dtype } = section;
  const name = `enough was answered, ${dtype}`;
  if (outcome === "agrees" || outcome === "disagrees" || outcome === "crashed") return { name };
  const message = `${outcome}: ${extent.asked} of ${extent.cases} cases were asked, it ended with ${extent.ended}`;
  const text = `${visible(nameOf(section), 200)}: ${message}`;
  return { name, result: { kind: "failure", message, text } };
}
