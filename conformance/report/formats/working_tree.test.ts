import { expect, test } from "vitest";
import { findingsOf } from "../findings.ts";
import { reportJson } from "../json.ts";
import { disagreement, section } from "../sections.test.kit.ts";
import { formatterOf, type WorkingTree } from "./index.ts";

const tree: WorkingTree = {
  fileOf: (word) => ["adapters/my engine.py", "suites/a b.adj"].find((file) => file === word),
  otherwise: ".github/workflows/ci.yml",
};

const run = { adjudge: "0.1.0", seed: 1, cases: 1, profile: "mix", lawsEvery: 4, shares: [] };
const reportOf = (label: string, place: number | string) =>
  reportJson(run, [section({ label, verdicts: [{ case: place, verdict: disagreement(0) }] })]);

const adapter = 'python -u "adapters/my engine.py" adapters/other.py';

test.each([
  [
    "the adapter among the words of its command",
    adapter,
    "suites/a b.adj#one",
    tree,
    "adapters/my%20engine.py",
  ],
  [
    "the suite's file of an engine that has none",
    "interpreter",
    "suites/a b.adj#one",
    tree,
    "suites/a%20b.adj",
  ],
  ["the workflow where no file is known", "interpreter", 7, tree, ".github/workflows/ci.yml"],
  [
    "the workflow where the suite is not in the tree",
    "c",
    "state/a.adj#one",
    tree,
    ".github/workflows/ci.yml",
  ],
  ["the file that is given, whatever else is known", adapter, 7, { ...tree, location: "x.py" }, "x.py"],
])("SARIF shows what was found at %s", async (_what, label, place, files, uri) => {
  const report = reportOf(label, place);
  const log = JSON.parse((await formatterOf("sarif", { tree: files }))(report));
  expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  const [line = ""] = (await formatterOf("github", { tree: files }))(report).split("\n");
  const file =
    /^::error (?:file=([^,]*),)?title=wrong-value%3A sum value::error\[wrong-value\]: sum value: /.exec(line);
  expect(file).not.toBeNull();
  // An annotation without a file stands at the workflow anyway.
  expect(file?.[1]).toBe(uri.startsWith(".github") ? undefined : decodeURIComponent(uri));
});

test("a fingerprint is the same in another run, version, precision and place, and no other fault's", async () => {
  const printOf = async (report: ReturnType<typeof reportOf>): Promise<string> => {
    const log = JSON.parse((await formatterOf("sarif", { tree }))(report));
    return log.runs[0].results[0].partialFingerprints.primaryLocationLineHash;
  };
  const first = reportOf("one", 3);
  const [found] = first.engines;
  if (found === undefined) throw new Error("there is a section");
  const later = {
    ...reportOf("two", 90),
    engines: [
      { ...found, dtype: "float32" as const, description: { ...found.description, version: "9.9.9" } },
    ],
  };
  expect(await printOf(later)).toBe(await printOf(first));
  const { name } = found.description;
  const other = {
    ...first,
    engines: [{ ...found, description: { ...found.description, name: `${name}2` } }],
  };
  expect(await printOf(other)).not.toBe(await printOf(first));
  expect(findingsOf(other)).toHaveLength(1);
});
