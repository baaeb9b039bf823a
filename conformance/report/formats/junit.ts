import { createColors } from "picocolors";
import { create } from "xmlbuilder2";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces.js";
import { type OperatorName, operatorNames } from "../../../spec/composites/index.ts";
import { visible } from "../../../spec/shapes/index.ts";
import type { ReportJson, ReportSection } from "../../../spec/wire/index.ts";
import { type Finding, findingLines, findingsOf, headline, nameOf, titleOf } from "../findings.ts";

/** A test of the report: an operator, a crash, or whether the run means something. */
interface TestCase {
  readonly name: string;
  readonly failures: readonly string[];
  readonly errors: readonly string[];
  readonly skipped?: string;
}

/**
 * Writes JUnit XML for CI systems: a suite for each engine and precision with a test for each operator, each
 * new crash, and whether enough was answered. Known failures and unasked operators are skipped.
 * Law: it has a failure or an error if and only if some section's outcome is not `agrees`.
 * Source: junit-4.xsd of Jenkins' dtkit, which GitLab, Azure and CircleCI read too.
 */
export function junitXml(report: ReportJson): string {
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele("testsuites", { name: "adjudge" });
  for (const section of report.engines) addSuite(root, report, section);
  return `${root.end({ prettyPrint: true })}\n`;
}

function addSuite(root: XMLBuilder, report: ReportJson, section: ReportSection): void {
  const tests = testsOf(report, section);
  const count = (is: (test: TestCase) => boolean): number => tests.filter(is).length;
  const suite = root.ele("testsuite", {
    name: text(nameOf(section)),
    tests: tests.length,
    failures: count(({ failures }) => failures.length > 0),
    errors: count(({ errors }) => errors.length > 0),
    skipped: count(({ skipped }) => skipped !== undefined),
    time: section.extent.seconds,
  });
  for (const { name, failures, errors, skipped } of tests) {
    const test = suite.ele("testcase", { name: text(name), classname: text(nameOf(section)) });
    if (skipped !== undefined) test.ele("skipped").txt(text(skipped));
    for (const error of errors) test.ele("error", { message: firstLine(error) }).txt(text(error));
    for (const failure of failures) test.ele("failure", { message: firstLine(failure) }).txt(text(failure));
  }
}

function testsOf(report: ReportJson, section: ReportSection): TestCase[] {
  const findings = findingsOf({ ...report, engines: [section] });
  const blamed = (name: OperatorName | "input"): Finding[] =>
    findings.filter(({ operator }) => operator === name);
  const offered = new Set<string>([...Object.keys(section.operators), ...section.unasked]);
  const names = operatorNames.filter((name) => offered.has(name) || blamed(name).length > 0);
  return [
    ...names.map((name) => testOf(report, name, blamed(name), section.unasked.includes(name))),
    ...(blamed("input").length > 0 ? [testOf(report, "input", blamed("input"), false)] : []),
    ...findings
      .filter(({ kind }) => kind === "crashed")
      .map((finding) => ({ ...testOf(report, titleOf(finding), [finding], false), failures: [] })),
    meaning(section),
  ];
}

function testOf(
  report: ReportJson,
  name: string,
  findings: readonly Finding[],
  isUnasked: boolean,
): TestCase {
  const isNews = ({ isKnown }: Finding): boolean => !isKnown;
  const told = (kind: Finding["kind"]): string[] =>
    findings
      .filter((finding) => isNews(finding) && finding.kind === kind)
      .map((finding) => inWords(report, finding));
  const known = findings.filter(({ isKnown }) => isKnown);
  const test = { name, failures: told("disagrees"), errors: told("crashed") };
  if (test.failures.length + test.errors.length > 0) return test;
  if (known.length > 0)
    return { ...test, skipped: `known: ${known.map((finding) => inWords(report, finding)).join("\n")}` };
  return isUnasked ? { ...test, skipped: "no case with it was answered" } : test;
}

/** Makes the test of whether enough was answered, as that is no operator's failure. */
function meaning({ outcome, extent }: ReportSection): TestCase {
  const what = `${outcome}: ${extent.asked} of ${extent.cases} cases were asked, it ended with ${extent.ended}`;
  const isSomebodys = outcome === "agrees" || outcome === "disagrees" || outcome === "crashed";
  return { name: "enough was answered", failures: isSomebodys ? [] : [what], errors: [] };
}

function inWords(report: ReportJson, finding: Finding): string {
  return [headline(finding), ...findingLines(finding, report, { palette: createColors(false) })].join("\n");
}

/** Removes control characters, which XML forbids, and others that a terminal must not get. */
function text(words: string): string {
  return words
    .split("\n")
    .map((line) => visible(line, line.length))
    .join("\n");
}

function firstLine(words: string): string {
  return text(words.split("\n")[0] ?? "");
}
