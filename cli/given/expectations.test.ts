import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { suiteVectors } from "../../conformance/index.ts";
import { type ComponentSet, checkVector, defaultBudget, type VectorData } from "../../spec/index.ts";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { readTrueSuite, untrue } from "./expectations.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-expected-"));
afterAll(() => rm(folder, { recursive: true }));

async function judged(text: string, ...argv: readonly string[]): ReturnType<typeof adjudge> {
  const path = join(folder, "asked.adj");
  await writeFile(path, text);
  const words = argv.length === 0 ? ["judge", "-e", "interpreter", "-d", "float64"] : argv;
  const { code, out, notes } = await adjudge(...words, path);
  return { code, out: out.replaceAll(path, "asked.adj"), notes: notes.replaceAll(path, "asked.adj") };
}

const square = "graph square(x: [2])\n  y = x * x\nat x = [3, 5]\nseed y = 1\n";

describe("what a text expects is held against the truth", () => {
  test("and where it is true, engines are asked", async () => {
    const right = await judged(`${square}expect cotangent x = [6, 10]\n`);
    expect(right).toMatchObject({ code: exitCodes.agrees, notes: "" });
    const wrong = await judged(
      `${square}expect cotangent x = [6, 10]\n`,
      ...["judge", "-e", testee("mutant", "operand_dropped"), "-d", "float64"],
    );
    expect(wrong.code).toBe(exitCodes.disagrees);
    expect(wrong.out).toContain("asked.adj#square");
  });

  test.each([
    "judge",
    "replay",
    "issue",
  ])("and where it is not, the file is at fault: %s", async (command) => {
    const { code, out, notes } = await judged(
      `${square}expect cotangent x = [6, 11]\nexpect value y = 9\n`,
      ...[command, "-e", testee("mutant", "operand_dropped")],
    );
    expect({ code, out }).toEqual({ code: exitCodes.badInput, out: "" });
    expect(notes.split("\n")).toEqual([
      "✗ text/untrue: asked.adj#square: the value expected here of element 1 is not true: it is 25.",
      " --> asked.adj:6:18",
      "  |",
      "6 | expect value y = 9",
      "  |                  ^ correct what is expected, or what is asked; low..high is any number between two",
      "✗ text/untrue: asked.adj#square: the cotangent expected here of element 1 is not true: it is 10.",
      " --> asked.adj:5:26",
      "  |",
      "5 | expect cotangent x = [6, 11]",
      "  |                          ^^ correct what is expected, or what is asked; low..high is any number between two",
    ]);
  });

  test.each([
    ["sin(x)", "1", "0.8414709848078965", true],
    ["sin(x)", "1", "0.841..0.842", true],
    ["sin(x)", "1", "0.8 | 0.8414709848078965", true],
    ["sin(x)", "1", "hull(0, 1)", true],
    ["sin(x)", "1", "?", true],
    ["sin(x)", "1", "0.8415", false],
    ["sin(x)", "1", "0.842..0.843", false],
    ["sin(x)", "1", "0.8 | 0.85", false],
    ["sin(x)", "1", "hull(2, 3)", false],
    ["sin(x)", "1", "nan", false],
    ["x + x", "0.1", "0.2", true],
    ["x + x", "0.1", "0.20001", false],
    ["x / 3", "1", "1/3", true],
    ["x / 3", "1", "1/4", false],
    ["1 / x", "0", "inf", true],
    ["1 / x", "0", "3", false],
    ["log(x)", "-1", "nan", true],
  ])("%s at %s is %s: %s", async (what, x, value, isTrue) => {
    const { code } = await judged(`graph f(x: [])\n  y = ${what}\nat x = ${x}\nexpect value y = ${value}\n`);
    expect(code === exitCodes.badInput).toBe(!isTrue);
  });
});

const doubled = "program q(x)\n  return x * 2\nat x = 3\nseed 0 = 1\n";
const swept = `tapes t
  graph g(x)
    y = x * x
  record a of g at x = 3
  sweep a from y = 1
    expect cotangent x = 6
`;

describe("what a program's text, or one of tapes, expects is held against the truth", () => {
  test.each([
    [doubled, "expect result 0 = 6\nexpect cotangent x = 2\n", undefined],
    [doubled, "expect result 0 = 7\nexpect cotangent x = 2\n", "5 | expect result 0 = 7"],
    [doubled, "expect result 0 = 6\nexpect cotangent x = 2.5\n", "6 | expect cotangent x = 2.5"],
    [doubled, 'expect refused "program/fuel"\n', "expected here is not true: it is an answer"],
    [swept, "", undefined],
    [swept.replace("= 6", "= 7"), "", "cotangent expected here is not true: it is 6"],
  ])("%#", async (text, expected, told) => {
    const isRefused = expected.startsWith("expect refused");
    const commands = isRefused ? ["programs"] : text === doubled ? ["judge", "programs"] : ["judge"];
    for (const command of commands) {
      const { code, notes } = await judged(text + expected, command, "-e", "interpreter");
      if (told === undefined)
        expect({ command, code, notes }).toMatchObject({ command, code: exitCodes.agrees });
      else expect({ command, code }).toEqual({ command, code: exitCodes.badInput });
      expect(notes).toContain(told ?? "");
    }
  });

  test("in the whole corpus, every program's and every tape's is true", async () => {
    const suite = await readTrueSuite(
      ["state", "manners"].map((name) =>
        fileURLToPath(new URL(`../../conformance/suites/${name}`, import.meta.url)),
      ),
      defaultBudget,
    );
    expect(suite.ok && suite.value.filter(({ expecting }) => expecting !== undefined).length).toBeGreaterThan(
      270,
    );
  });
});

describe("the corpus", () => {
  const vectors = [...suiteVectors()].flatMap(([path, json]) => {
    const vector = checkVector(json);
    return vector.ok ? [[path, vector.value] as const] : [];
  });

  test("expects what is true", () => {
    expect(vectors.length).toBeGreaterThan(500);
    expect(vectors.filter(([, vector]) => untrue(vector).length > 0).map(([path]) => path)).toEqual([]);
  });

  test("is found out wherever an integer in it is another", () => {
    const moved = (set: ComponentSet): ComponentSet =>
      set.kind === "exact" && /^-?[0-9]+$/.test(set.value)
        ? { ...set, value: `${1n - 2n * BigInt(set.value)}` }
        : set;
    const some = vectors
      .filter(([, { policy }], i) => policy === undefined && i % 7 === 0)
      .map(([, vector]) => vector);
    let changed = 0;
    for (const vector of some) {
      const before: VectorData["expected"] = vector.expected;
      const cotangents = before.cotangents.map((at) => ({ ...at, sets: at.sets.map(moved) }));
      const numbers = before.cotangents.flatMap(({ sets }) => sets.filter((set) => moved(set) !== set));
      expect(untrue({ ...vector, expected: { ...before, cotangents } })).toHaveLength(numbers.length);
      changed += numbers.length;
    }
    expect(changed).toBeGreaterThan(200);
  });
});

test("replay asks every question of a text, and ends as the worst", async () => {
  const other = square.replace("square", "twice").replace("x * x", "x + x");
  const { code, out, notes } = await judged(
    square + other,
    ...["replay", "-e", testee("mutant", "operand_dropped"), "-d", "float64"],
  );
  expect(notes.split("\n")).toEqual(["asked.adj#square:", "asked.adj#twice:"]);
  expect(out).toContain("%1 = x + x");
  expect(code).toBe(exitCodes.disagrees);
});
