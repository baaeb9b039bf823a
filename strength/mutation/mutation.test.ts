import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { type Alike, alikes, whyAlike } from "./alike.ts";
import { testsOf } from "./beside.ts";
import { allMutations, drawn } from "./draw.ts";
import { familyNames, familyOf } from "./families.ts";
import type { KillerName, Tried } from "./killers.ts";
import { type Mutation, mutated, mutationsOf, namedIn } from "./mutators.ts";
import { countsOf, showRun, survivorsOf, wronglyAlike } from "./report.ts";
import { readSources, roomNames, roomOf } from "./rooms.ts";
import { familiesAt } from "./spoken.ts";
import { typeChecker } from "./types.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const sources = readSources(root);

/** The texts that a line of code can become. */
function becomes(text: string): readonly string[] {
  return mutationsOf("a.ts", text).map((mutation) => mutated(text, mutation));
}

describe("mutants", () => {
  test.each([
    ["f = a - b;", [";", "f = a + b;"]],
    ["x += y;", [";", "x -= y;"]],
    ["const f = a < b;", ["const f = a <= b;", "const f = a >= b;"]],
    ["const f = g ?? h;", ["const f = g && h;"]],
    ["const f = a ? b : c;", ["const f = true ? b : c;", "const f = false ? b : c;"]],
    ["const f = [1n, true];", ["const f = [];", "const f = [0n, true];", "const f = [1n, false];"]],
    ["const f = -a;", ["const f = a;"]],
    ["for (;;) continue;", ["for (;;) ;"]],
    ["const f = a.some(g);", ["const f = a.every(g);"]],
    ["const f = a.filter(g);", ["const f = (a);"]],
    ["const f = Math.abs(a);", ["const f = (a);"]],
    ["const f = g(a, b);", ["const f = g(b, a);"]],
    ["const f = g.multiply(a, b);", ["const f = g.divide(a, b);"]],
    ["const f = i++;", ["const f = i--;"]],
  ])("of %s", (text, expected) => {
    expect(becomes(text).toSorted()).toEqual([...expected].toSorted());
  });

  test.each([
    'import { a } from "./a.ts";',
    "type A = 0 | 1;",
    "throw new Error(a + 1);",
    'const issue = { code, message: place + 1, hint: a ? "b" : "c" };',
    'const f: Record<0, 1> = g("a", b);',
    // These mean the same the other way round.
    "const f = union(a, b);",
    "const f = a.isSameUnit(b, c);",
  ])("are none of %s", (text) => {
    expect(becomes(text)).toEqual([]);
  });

  test("leave the rest of their file as it is, and its length to tell", () => {
    const file = "reference/tape.ts";
    const text = sources.get(file) ?? "";
    const mutations = mutationsOf(file, text);
    expect(mutations.length).toBeGreaterThan(20);
    for (const mutation of mutations) {
      const { before, after } = mutation;
      expect(mutated(text, mutation).length).toBe(text.length - before.length + after.length);
      expect(mutated(text, mutation)).not.toBe(text);
    }
  });

  test("are drawn of every room by a seed, fewer being the first of more, and none twice", () => {
    const mutations = allMutations(sources, []);
    const many = drawn(mutations, 3, 300);
    expect(new Set(many.map(({ file }) => roomOf(file)))).toEqual(new Set(roomNames));
    expect(new Set(many).size).toBe(300);
    expect(drawn(mutations, 3, 20)).toEqual(many.slice(0, 20));
    expect(drawn(mutations, 4, 20)).not.toEqual(many.slice(0, 20));
    expect(drawn(allMutations(sources, ["reference/tape.ts"]), 3, 1e6).length).toBeGreaterThan(20);
  });

  test("are none of tests, of what is wrong on purpose and of what is generated", () => {
    for (const file of [
      "reference/tape.test.ts",
      "reference/operators/planted/sums.ts",
      "engines/posit/mutants.ts",
      "reference/operators/discharged.ts",
      "cli/adjudge.ts",
    ])
      expect(roomOf(file), file).toBeUndefined();
    expect(roomOf("reference/algebras/posit_format.ts")).toBe("numerics");
  });
});

test("the nearest tests of a file are those that are about it", () => {
  const tests = testsOf(sources);
  expect(tests.beside("reference/tape.ts")[0]).toBe("reference/tape.test.ts");
  expect(tests.beside("oracle/truth/truth.ts")[0]).toBe("oracle/truth/truth.test.ts");
  expect(tests.beside("spec/derivatives/index.ts")).toContain("oracle/derivatives.test.ts");
  expect(tests.beside("engines/compile/wasm/batch/worker.ts").length).toBeGreaterThan(0);
  expect(tests.beside("reference/tape.ts").every((test) => test.startsWith("reference/"))).toBe(true);
  const files = new Set(drawn(allMutations(sources, []), 5, 40).map(({ file }) => file));
  expect([...files].filter((file) => [...tests.beside(file), ...tests.others(file)].length === 0)).toEqual(
    [],
  );
});

describe("the compiler", () => {
  const types = typeChecker(root);
  afterAll(() => types[Symbol.dispose]());

  test("finds a mutant's error, and none in the right code, before and after", () => {
    const file = "reference/tape.ts";
    const text = sources.get(file) ?? "";
    expect(types.errorIn(file, text)).toBeUndefined();
    expect(types.errorIn(file, `${text}\nconst wrong: number = "a";\nvoid wrong;`)).toMatch(/not assignable/);
    expect(types.errorIn(file, text)).toBeUndefined();
    expect(() => types.errorIn("reference/nowhere.ts", "")).toThrow("does not have");
  });
});

test("each family of obligations is found by its folder, and makes some", async () => {
  const names = await familyNames();
  expect(names).toEqual(expect.arrayContaining(["tape", "operators", "derivatives", "lowering"]));
  expect(names).not.toContain("solve");
  expect((await familyOf("storage"))().length).toBeGreaterThan(0);
});

test("code is spoken of where the innermost range around it runs", () => {
  const ranges = {
    tape: {
      "a.ts": [
        [0, 100, 1],
        [10, 50, 0],
        [20, 30, 2],
      ] as const,
    },
  };
  const read = { truth: { "a.ts": [[12, 16, 1]] as const, "b.ts": [[0, 9, 1]] as const } };
  const at = (place: number, file = "a.ts"): readonly string[] =>
    familiesAt({ hashes: {}, ranges, read }, file, place);
  expect([5, 11, 25, 60, 200].map((place) => at(place).length)).toEqual([1, 0, 1, 1, 0]);
  // Code that an obligation reads, and runs itself, is spoken of too.
  expect([at(15), at(5, "b.ts"), at(9, "b.ts")]).toEqual([["truth"], ["truth"], []]);
});

test("functions are found by their names, wherever they stand, and constants outside functions", () => {
  const text = [
    "export const table = { add: (x) => x, one: 1 };",
    "class A { get(): void { const inner = () => 1; const none = 2; } }",
    "function outer() {}",
  ].join("\n");
  expect(namedIn("a.ts", text).map(({ name, isInner }) => [name, isInner])).toEqual([
    ["table", false],
    ["add", false],
    ["get", false],
    ["inner", true],
    ["outer", false],
  ]);
});

test("what reads a mutant's file as a text finds the mutant, and the files beside it as they are", () => {
  const file = "oracle/truth/bound/radius.ts";
  const folder = mkdtempSync(join(tmpdir(), "adjudge-served-"));
  const served = join(folder, "radius.ts");
  writeFileSync(served, "export const changed = 1;\n");
  const url = pathToFileURL(`${root}/${file}`).href;
  const script = `
    import { readFileSync } from "node:fs";
    const read = (path) => readFileSync(path, "utf8").startsWith("export const changed");
    const other = new URL("history.ts", "${url}");
    const { changed } = await import("${url}");
    console.log(JSON.stringify([changed, read(new URL("${url}")), read("${root}/${file}"), read(other)]));`;
  const told = execFileSync(
    process.execPath,
    ["--import", new URL("serve.ts", import.meta.url).href, "--input-type=module", "-e", script],
    { env: { ...process.env, ADJUDGE_MUTATED_FILE: url, ADJUDGE_MUTATED_TEXT: served }, encoding: "utf8" },
  );
  rmSync(folder, { recursive: true });
  expect(JSON.parse(told)).toEqual([1, true, true, false]);
});

describe("a report", () => {
  const file = "reference/tape.ts";
  const text = "const a = b + c;\nconst d = e - f;\n";
  const own = new Map([[file, text]]);
  const [plus, minus] = mutationsOf(file, text);
  if (plus === undefined || minus === undefined) throw new Error("there are two mutants");
  const tried = (mutation: Mutation, deaths: Tried["deaths"], isSpoken = false): Tried => ({
    mutation,
    room: "reference",
    isSpoken,
    deaths,
  });

  test("counts each mutant by the first that it died by", () => {
    const by = (deaths: Partial<Record<KillerName, string>>): Tried => tried(plus, deaths, true);
    const all = [by({ types: "" }), by({ tests: "", obligations: "" }), by({ judge: "" }), by({})];
    const counts = countsOf(all, own);
    expect(counts).toMatchObject({ mutants: 4, survivors: 1, alike: 0, spoken: 3, disproved: 1 });
    expect(counts.by).toEqual({ types: 1, tests: 1, obligations: 0, judge: 1, "other tests": 0 });
    expect(showRun(all, own)).toContain("3 of 4 (75.0 %) of the mutants");
    expect(showRun(all, own)).toContain("reference/tape.ts:1: + → -");
  });

  test("tells what survives by line and change, with the reason if it means the same", () => {
    const known: readonly Alike[] = [
      { file, line: "const d = e - f;", before: "-", after: "+", why: "f is 0" },
    ];
    expect(whyAlike(minus, text, known)).toBe("f is 0");
    expect(whyAlike(plus, text, known)).toBeUndefined();
    expect(survivorsOf([tried(minus, {})], own)[0]).toMatchObject({
      place: `${file}:2`,
      line: "const d = e - f;",
    });
    expect(wronglyAlike([tried(minus, { tests: "" })], own)).toEqual([]);
  });

  test("knows of each mutant that means the same where it is, and that it is one", () => {
    for (const { file: path, line, before, after, why } of alikes) {
      const source = readFileSync(`${root}/${path}`, "utf8");
      const found = mutationsOf(path, source).filter((one) => one.before === before && one.after === after);
      expect(
        found.map((one) => whyAlike(one, source)),
        `${path}: ${line}`,
      ).toContain(why);
    }
  });
});
