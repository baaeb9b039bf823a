import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { noCounts, type Verdict } from "../../../oracle/index.ts";
import { nodeId } from "../../../spec/index.ts";
import { compareReports } from "../compare.ts";
import { findingsOf } from "../findings.ts";
import { reportJson, type Section } from "../json.ts";
import { disagreement, section } from "../sections.test.kit.ts";
import { demandsUnmet } from "./demands.test.kit.ts";
import { differenceMarkdown, formatterOf, type ReportFormat, type WorkingTree } from "./index.ts";
import { plainLines } from "./plain.ts";

const plain = section({});
const run = { adjudge: "0.1.0", seed: 1, cases: 10_000, profile: "mix", lawsEvery: 4, shares: [] };

/** Text that begins commands, tables, tags, links and mentions, in characters of all lengths. */
const hostile =
  '\n::error::forged\r\n| a | </details> ``` ](http://x) @all \u001b[2J\u202e\u0000\ufffe&"<x>😀';

/** What of it a name in a graph may have. */
const permitted = '::error::forged | a | </details> ``` ](http://x) @all &"<x>😀';

/** A word without digits for a number, because messages that differ in numbers are one fault. */
const word = (number: number): string =>
  [...`${number}`].map((digit) => "abcdefghij"[Number(digit)]).join("");

/** Renames the input of the case, which every form prints, to what a case may have. */
function named(verdict: Verdict, name: string): Verdict {
  if (verdict.kind !== "disagrees") return verdict;
  const { witness } = verdict;
  const { graph } = witness.case;
  const inputs = graph.inputs.map((input) => ({ ...input, name }));
  const blame = { ...witness.blame, sentence: hostile };
  return {
    kind: "disagrees",
    witness: { ...witness, answer: hostile, blame, case: { ...witness.case, graph: { ...graph, inputs } } },
  };
}

const neverFound = (): never => {
  throw new Error("there is a finding");
};

const long = hostile.repeat(20);
const failed: readonly Verdict[] = Array.from({ length: 10_000 }, (_, number) =>
  number % 2 === 0
    ? named(disagreement(number % 4), `${permitted}${number}`)
    : { kind: "crashed", message: `${word(number)} ${long}` },
);

function sectionOf(dtype: Section["dtype"], verdicts: readonly Verdict[]): Section {
  return section({
    dtype,
    label: long,
    description: { ...plain.description, name: long, version: "1.0.0" },
    tally: { ...plain.tally, counts: { ...noCounts, disagrees: 5000, crashed: 5000 } },
    verdicts: verdicts.map((verdict, place) => ({
      case: place % 3 === 0 ? `${long}/${place}` : place,
      verdict,
    })),
  });
}

const flood = reportJson(run, [sectionOf("float64", failed), sectionOf("float32", failed.slice(0, 100))]);
const tree: WorkingTree = { fileOf: () => undefined, otherwise: ".github/workflows/ci.yml" };

const forms = new Map<ReportFormat, string>();
/** Writes the report in a form once. */
async function written(format: ReportFormat): Promise<string> {
  const text = forms.get(format) ?? (await formatterOf(format, { tree }))(flood);
  forms.set(format, text);
  return text;
}

describe("of 10,000 verdicts of an engine that forges all it says", () => {
  test("there are 5,001 faults, of which each form tells so many and counts the others", async () => {
    expect(findingsOf(flood)).toHaveLength(5001);
    expect(JSON.parse(await written("shields")).message).toBe("5001 faults");
    expect(await written("markdown")).toContain("# adjudge: 5001 faults\n");
    expect(await written("markdown")).toContain("\n4951 faults more; the report in JSON has all.\n");
    const annotations = (await written("github")).trimEnd().split("\n");
    expect(annotations).toHaveLength(11);
    expect(
      annotations.slice(0, 10).every((line) => /^::error title=(wrong-value|crash)%3A /.test(line)),
    ).toBe(true);
    expect(annotations[10]).toBe(
      "::warning::4991 faults more; the report and the job's summary tell of them",
    );
    const sarif = JSON.parse(await written("sarif"));
    expect(sarif.runs[0].results).toHaveLength(1001);
    expect(sarif.runs[0].results.at(-1).message.text).toMatch(/^4001 faults more;/);
    expect(demandsUnmet(sarif)).toEqual([]);
    const xml = await written("junit");
    expect(xml.match(/<testsuite /g)).toHaveLength(1);
    expect(xml).toContain("4801 faults more, 4801 of them new; the report in JSON has all");
  });

  test.each([
    ["markdown", 160_000],
    ["github", 200_000],
    ["sarif", 10_000_000],
    ["junit", 1_500_000],
    ["badge", 2000],
  ] as const)("%s is bounded", async (format, most) => {
    expect(Buffer.byteLength(await written(format))).toBeLessThan(most);
  });

  test("a name of the graph is told, and cut to a line", async () => {
    const block = plainLines(findingsOf(flood)[0] ?? neverFound(), flood);
    expect(block.join("\n")).toContain("::error::forged");
    expect(block.join("\n")).not.toContain("no case");
    expect(block.every((line) => line.length < 500 && /^ {2}/.test(line))).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(block.join("")).not.toMatch(/[\u0000-\u001f\u202e\ufffe]/);
  });

  test("a comment on what differs is bounded", () => {
    const nothing = { ...flood, engines: flood.engines.map((one) => ({ ...one, verdicts: [] })) };
    const comparison = compareReports(nothing, flood);
    expect(comparison.broke).toHaveLength(5001);
    // What is escaped takes the most room.
    for (const name of ["|", "\u001b", "😀"]) {
      const engine = name.repeat(1000);
      const broke = comparison.broke.map((change) => ({ ...change, engine, title: engine }));
      expect(differenceMarkdown({ ...comparison, broke }).length).toBeLessThan(60_000);
    }
    const text = differenceMarkdown(comparison);
    expect(text.split("\n")[0]).toBe("### adjudge: 5001 new faults, 0 mended");
    expect(text).toContain("\n4981 faults more; `adjudge compare` tells all.\n");
    expect(text.length).toBeLessThan(60_000);
  });

  test("the JUnit report can be read", async () => {
    const contents = await written("junit");
    const { errors } = await validateXML({ xml: [{ fileName: "report.xml", contents }], schema: [] });
    expect(errors).toEqual([]);
  });

  test("no word of the engine's is a tag, a table's cell, a link or a mention in Markdown", async () => {
    const lines = (await written("markdown")).split("\n");
    const fences = lines.flatMap((line, place) => (line.startsWith("```") ? [place] : []));
    expect(fences.length % 2).toBe(0);
    expect(fences.filter((_, place) => place % 2 === 0).map((place) => lines[place])).toEqual(
      Array(fences.length / 2).fill("```text"),
    );
    const isFenced = (place: number): boolean =>
      fences.filter((fence) => fence < place).length % 2 === 1 || fences.includes(place);
    for (const line of lines.filter((_, place) => !isFenced(place))) {
      expect(line.replace(/<code>[^<>`|]*<\/code>/g, "")).not.toMatch(/@|\]\(|<x>|forged/);
      if (line.startsWith("|")) expect(line.match(/\|/g)?.length).toBeGreaterThan(5);
    }
  });
});

test("of a crash on a large graph the ends are told: what was said, and how to replay it", () => {
  const verdict = disagreement(0);
  if (verdict.kind !== "disagrees") throw new Error("the kit makes a disagreement");
  const { graph } = verdict.witness.case;
  const nodes = Array.from({ length: 300 }, (_, place) => ({
    op: "exp" as const,
    attributes: {},
    parents: [nodeId(place)],
  }));
  const large = { ...verdict.witness.case, graph: { ...graph, nodes } };
  const crash: Verdict = { kind: "crashed", message: "out of memory", case: large };
  const report = reportJson(run, [section({ verdicts: [{ case: 3, verdict: crash }] })]);
  const block = plainLines(findingsOf(report)[0] ?? neverFound(), report);
  expect(block).toHaveLength(57);
  expect(block[0]).toBe("  said: out of memory");
  expect(block[36]).toMatch(/^ {2}… \d+ lines left out$/);
  expect(block.at(-2)).toContain("replay: adjudge replay -e one --dtype float64");
});
