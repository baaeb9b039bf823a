import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { interpreterEngine, type Mutant, mutants } from "../../engines/index.ts";
import { judge } from "../../oracle/index.ts";
import { present } from "../../spec/index.ts";
import { powerDocument, powerTables, type Setting } from "./document.ts";
import { killsByCase, type Matrix, spread, survivors } from "./matrix.ts";
import type { Row } from "./row.ts";
import { isOwn, suiteCases } from "./suite.ts";

const suite = suiteCases();
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const kills: Record<string, readonly string[]> = JSON.parse(read("conformance/suites/kills.json"));

describe("conformance/suites/kills.json, written by npm run power,", () => {
  test("speaks of each case of the suite and of no other", () => {
    expect(Object.keys(kills).toSorted()).toEqual(suite.map(({ name }) => name).toSorted());
  });

  test.each(mutants.map(({ name }) => name))("names a case that kills %s", async (name) => {
    const [killer] = Object.keys(kills).filter((vector) => kills[vector]?.includes(name));
    const { case: question, dtype } = present(
      suite.find((vector) => vector.name === killer),
      `a case of the suite that kills ${name}`,
    );
    const { engine } = present(
      mutants.find((mutant) => mutant.name === name),
      name,
    );
    const options = { dtype, shrinkBudget: 0 };
    expect((await judge(engine(), question, options)).kind).toBe("disagrees");
    expect((await judge(interpreterEngine(), question, options)).kind).toBe("agrees");
  });
});

test("docs/strength.md has the totals of kills.json", () => {
  const killed = (isAsked: (vector: string) => boolean): number =>
    new Set(Object.keys(kills).flatMap((vector) => (isAsked(vector) ? (kills[vector] ?? []) : []))).size;
  const own = Object.keys(kills).filter(isOwn);
  const idle = Object.values(kills).filter((names) => names.length === 0);
  const told = new Map(
    [...read("docs/strength.md").matchAll(/^\| (.+) \| (\d+) \|$/gm)].map(([, what = "", n]) => [
      what,
      Number(n),
    ]),
  );
  expect(Object.fromEntries(told)).toMatchObject({
    mutants: mutants.length,
    "killed by the suite alone": killed(() => true),
    [`killed by it without the ${own.length} vectors of \`strength/\``]: killed((name) => !isOwn(name)),
    "cases of the suite": suite.length,
    "cases of the suite that kill no mutant": idle.length,
  });
});

/** Makes a mutant with what the matrix needs. */
const mutant = (name: string): Mutant => ({
  name,
  fault: `The fault of ${name}.`,
  source: "A01",
  operator: undefined,
  engine: () => interpreterEngine(),
});

const caught: Row = {
  name: "caught",
  suite: { generic: [{ name: "a", question: "vjp" }], ones: [] },
  random: { generic: { cases: 3, question: "jvp" }, ones: undefined },
  laws: { linearity: undefined, adjointness: 4 },
  witness: { nodes: 2, inputs: 1, operators: ["exp", "add"], blame: { op: "exp", part: "cotangent" } },
};

const escaped: Row = {
  ...caught,
  name: "escaped",
  suite: { generic: [], ones: [] },
  random: { generic: undefined, ones: undefined },
  laws: { linearity: undefined, adjointness: undefined },
  witness: undefined,
};

const [first] = suite;
const matrix: Matrix = {
  rows: [caught, escaped].map((row) => ({ mutant: mutant(row.name), row })),
  suite: ["a", "b", "c"].map((name) => ({ ...present(first, "a case"), name })),
};

describe("the kill matrix", () => {
  test("counts as survivors those that one search alone lets pass", () => {
    expect(survivors(matrix, "generic")).toEqual({ suite: ["escaped"], random: ["escaped"] });
    expect(survivors(matrix, "ones").suite).toEqual(["caught", "escaped"]);
  });

  test("has a list of mutants for every case, though it be empty", () => {
    expect([...killsByCase(matrix)]).toEqual([
      ["a", ["caught"]],
      ["b", []],
      ["c", []],
    ]);
  });

  test("names survivors, and cases that kill nothing with their reason or without", () => {
    const setting: Setting = {
      seed: 1,
      cases: 10,
      lawCases: 5,
      differences: {
        cases: 10,
        accused: 2,
        found: new Map([
          ["caught", 3],
          ["escaped", undefined],
        ]),
      },
      unaided: { cases: 10, found: new Map() },
      linksOf: (source) => [`https://example.org/${source}`],
      reasonFor: (name) => (name === "b" ? "for a reason" : undefined),
    };
    const [text, tables] = [powerDocument(matrix, setting), powerTables(matrix, setting)];
    expect(text).toContain("`escaped` survives the suite");
    expect(text).toContain("`escaped` survives 10 random cases");
    expect(tables).toContain("| `b` | for a reason |");
    expect(tables).toContain("| `c` | **no reason stated** |");
    for (const { mutant, row } of matrix.rows)
      expect(tables).toContain(`| \`${row.name}\`: ${mutant.fault} | [A01](https://example.org/A01) | `);
    expect(tables).toContain("no law sees\n\n`escaped`.");
    expect(text).toContain("1 of 2 mutants are found");
    expect(text).toContain("accused in 2 cases (20.0 %)");
    expect(text).toContain("| all | 2 | 1 | 3 |");
  });
});

test("the spread of some numbers is their median, their 90th percentile and their largest", () => {
  expect(spread([9, 1, 2])).toEqual({ median: 2, ninetieth: 9, largest: 9 });
  expect(spread([10, 9, 1, 2])).toEqual({ median: 9, ninetieth: 10, largest: 10 });
  expect(spread([...Array(20).keys()])).toEqual({ median: 10, ninetieth: 18, largest: 19 });
  expect(spread([])).toEqual({ median: Number.NaN, ninetieth: Number.NaN, largest: Number.NaN });
});
