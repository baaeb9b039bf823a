import { describe, expect, test } from "vitest";
import { compiledGraphMutants, compiledProgramMutants, interpreterEngine } from "../../engines/index.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import { laws } from "../../oracle/laws/index.ts";
import { askProgram } from "../../oracle/programs/ask.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { graphPatterns, programPatterns } from "./patterns.ts";
import { lineOf, mutantOf, reports, tellings, totalOf, unreported } from "./reports.ts";
import type { Telling } from "./told.ts";

const mutants = [...compiledGraphMutants, ...compiledProgramMutants];

test("each of the 70 reports has one mutant or a reason why it has none, and each mutant a report", () => {
  expect(reports.length).toBe(70);
  expect(new Set(reports.map(({ issue }) => issue)).size).toBe(70);
  for (const report of reports) {
    const planted = mutants.filter(({ name }) => name === mutantOf(report));
    expect([report.issue, planted.length]).toEqual([report.issue, report.unsayable === undefined ? 1 : 0]);
  }
  expect(unreported()).toEqual([]);
  expect(new Set(mutants.map(({ fault }) => fault)).size).toBe(mutants.length);
  for (const { fault, source } of mutants) {
    expect(fault).toMatch(/^[A-Za-z].*\.$/);
    expect(source).toMatch(/^https:\/\/github\.com\/pytorch\/pytorch\/issues\/\d+$/);
  }
});

/** No answer is wrong here, since the sign of a difference that vanishes is within every bound. */
const untold = "issue_148241";

describe("a report's own graph or program", () => {
  const graphs = Object.entries(graphPatterns).filter(([name]) => name !== untold);
  test.each(
    sampled("compiled graphs", graphs, 5),
  )("tells %s, and the interpreter is right", async (name, asked) => {
    const engine = compiledGraphMutants.find((mutant) => mutant.name === name)?.engine();
    expect((await ask(interpreterEngine(), asked, "float64", laws)).kind).not.toBe("differs");
    expect(engine && (await ask(engine, asked, "float64", laws)).kind).toBe("differs");
  });

  test.each(Object.entries(programPatterns))("tells %s, and the interpreter is right", async (name, task) => {
    const engine = compiledProgramMutants.find((mutant) => mutant.name === name)?.engine();
    expect((await askProgram(interpreterEngine(), task, "float64")).kind).not.toBe("differs");
    expect(engine && (await askProgram(engine, task, "float64")).kind).toBe("differs");
  });

  test("does not tell what stays within every bound", async () => {
    const [asked] = Object.entries(graphPatterns).flatMap(([name, one]) => (name === untold ? [one] : []));
    const engine = compiledGraphMutants.find(({ name }) => name === untold)?.engine();
    expect(asked && engine && (await ask(engine, asked, "float64", laws)).kind).toBe("undecided");
  });
});

test("vectors of the suite tell these, which random search does not", async () => {
  const some = [100775, 113012, 113013, 117544];
  const found = await tellings(
    reports.filter(({ issue }) => some.includes(issue)),
    { cases: 0, programs: 0 },
  );
  expect(Object.fromEntries([...found.values()].map(({ name, vector }) => [name, vector]))).toEqual({
    issue_100775: "networks/softmax_of_a_multiple",
    issue_113012: "losses/hinge_of_soft_labels",
    issue_113013: "networks/greatest_mean_of_windows",
    issue_117544: "functions/ramp_of_an_overflow",
  });
});

test("random search tells these within three hundred cases or programs", async () => {
  const early = [99686, 153568, 100793, 142345, 115679, 128035, 93363, 136662, 98143, 138908];
  const some = sampled("early reports", early, 3);
  const found = await tellings(
    reports.filter(({ issue }) => some.includes(issue)),
    { cases: 300, programs: 300 },
  );
  expect([...found.values()].filter(({ search }) => search === undefined)).toEqual([]);
  expect(found.size).toBe(some.length);
});

test("a line says what is planted and what tells it, and the total counts each way apart", () => {
  const [first, second] = reports;
  const told: Telling = {
    name: "a",
    fault: "It is wrong.",
    search: 7,
    vector: undefined,
    isToldByPattern: false,
  };
  const byPattern: Telling = { ...told, search: undefined, isToldByPattern: true };
  expect(first && lineOf(first, told)).toMatch(/\| It is wrong\. \| 7 \| {2}\|$/);
  expect(second && lineOf(second, byPattern)).toMatch(/\| It is wrong\. \| {2}\| the report's own \|$/);
  expect(second && lineOf({ ...second, unsayable: "no" }, undefined)).toMatch(/not said: no/);
  expect(totalOf([told, byPattern, { ...byPattern, isToldByPattern: false }])).toBe(
    "2 of 70 reports told: 1 by random search, 0 by the suites, 1 by either, 1 by the report's own graph or program alone; 67 cannot be said, 1 are said and not told",
  );
});
