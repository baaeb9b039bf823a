import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import { splitWords, suiteVectors } from "../../conformance/index.ts";
import { caseAt, tensorProfile } from "../../oracle/index.ts";
import { encodeCase, validateReport, validateTrace, validateVerdict } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { main } from "./main.ts";
import { adjudge, isRunning, testee } from "./recording.test.kit.ts";

const square = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes: [{ op: "multiply", attributes: {}, parents: [0, 0] }],
};

const structures = fileURLToPath(new URL("../../conformance/suites/structures.adj", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "adjudge-cli-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a JSON document to a file of that name and returns its path. */
async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

describe("adjudge", () => {
  test("says what it can do", async () => {
    const { code, out } = await adjudge("--help");
    expect(code).toBe(exitCodes.agrees);
    for (const group of ["Judge", "Graphs", "Programs", "Reports", "Proof", "Shell"])
      expect(out).toContain(`\n${group}:\n`);
    for (const name of ["judge", "replay", "run", "check", "show", "smoke"])
      expect(out).toMatch(new RegExp(`^  ${name} {2,}\\w`, "m"));
  });

  test.each([
    ["judge", "--json"],
    ["replay", "--json"],
    ["run", "--json"],
    ["check", "--json"],
    ["show", "--expand"],
    ["smoke", "--json"],
  ])("explains %s", async (name, option) => {
    const { code, out } = await adjudge(name, "--help");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain(`Usage: adjudge ${name}`);
    expect(out).toContain(option);
  });

  test("calls a wrong command line bad input, and suggests the right one", async () => {
    expect(await adjudge("jugde")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("judge"),
    });
    expect(await adjudge("judge", "--casse", "3")).toMatchObject({ code: exitCodes.badInput });
    expect(await adjudge("judge", "--cases", "many")).toMatchObject({ code: exitCodes.badInput });
    expect(await adjudge("judge", "-e", "no-such-engine")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("tfjs"),
    });
    expect(await adjudge("judge", "--profile", "huge")).toMatchObject({ code: exitCodes.badInput });
    expect(await adjudge()).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("Usage"),
    });
  });

  test("does not pass a fault of its own off as a disagreement", async () => {
    const notes: string[] = [];
    const code = await main(["check", "nowhere.json"], {
      palette: createColors(false),
      columns: 80,
      out: () => {
        throw new TypeError("planted");
      },
      note: (line) => notes.push(line),
      progress: () => {},
    });
    expect(code).toBe(exitCodes.internal);
    expect(notes.join()).toMatch(/adjudge itself is at fault.*\n.*TypeError: planted/);
  });
});

describe("adjudge check", () => {
  test("passes graphs and cases that are well-formed", async () => {
    const graph = await written("square.json", square);
    const question = await written("case.json", encodeCase(caseAt(tensorProfile, 1, 1)));
    const { code, out } = await adjudge("check", graph, question);
    expect(code).toBe(exitCodes.agrees);
    expect(out.split("\n")).toEqual([`✓ ${graph}`, `✓ ${question}`]);
    expect(await adjudge("check", "-q", graph, question)).toEqual({ code, out: "", notes: "" });
  });

  test("lists what is wrong, with its place and a hint", async () => {
    const bad = await written("bad.json", {
      ...square,
      nodes: [{ op: "multiply", attributes: {}, parents: [0, 1] }],
    });
    const { code, out } = await adjudge("check", bad);
    expect(code).toBe(exitCodes.badInput);
    expect(out).toMatch(/graph\/parent-order at \/nodes\/0\/parents\/1: .* Hint: /);
    expect((await adjudge("check", "-q", bad)).out).toBe(out);
    const json: unknown = JSON.parse((await adjudge("check", bad, "--json")).out);
    expect(json).toMatchObject([{ file: bad, issues: [{ code: "graph/parent-order" }] }]);
  });

  test("says which file cannot be read", async () => {
    expect(await adjudge("check", join(folder, "nowhere.json"))).toMatchObject({
      code: exitCodes.badInput,
      out: expect.stringContaining("file/unreadable"),
    });
  });
});

describe("what is too much", () => {
  const repeated = (count: number): unknown => ({
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [] }],
    environment: [],
    nodes: [
      { op: "broadcast_to", attributes: { shape: [count] }, parents: [0] },
      { op: "sum", attributes: { axes: [0], keepdims: false }, parents: [1] },
    ],
  });
  const one = { shape: [], data: [1] };
  const asked = (count: number): unknown => ({
    format: "adjudge.case.v1",
    graph: repeated(count),
    point: { inputs: [one], environment: {} },
    tangents: [one],
    seeds: [{ id: 2, cotangent: one }],
  });

  test("is not run, and the hint says what would raise the limit", async () => {
    const largest = await written("largest.json", repeated(2 ** 27));
    const { code, notes } = await adjudge("run", largest, "-i", "x=1");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toMatch(/budget\/elements: .*134217730 elements.* Hint: .*--max-elements/);
    const ten = await written("ten.json", repeated(10));
    const run = ["run", ten, "-i", "x=1", "--max-elements"];
    expect(await adjudge(...run, "12")).toMatchObject({ code: exitCodes.agrees });
    expect(await adjudge(...run, "11")).toMatchObject({ code: exitCodes.badInput });
    expect(await adjudge(...run, "12", "-a", "dual(float64)")).toMatchObject({ code: exitCodes.badInput });
    expect(await adjudge(...run, "12", "--max-work", "21")).toMatchObject({
      notes: expect.stringContaining("budget/work"),
    });
  });

  test("is put to no engine, and is never green", async () => {
    const file = await written("ten.json", asked(10));
    for (const [command, refused] of [
      ["judge", exitCodes.tooLittle],
      ["replay", exitCodes.nothingRun],
    ] as const) {
      const ask = [command, file, "-e", "interpreter", "--dtype", "float64", "--max-elements"];
      expect(await adjudge(...ask, "12")).toMatchObject({ code: exitCodes.agrees });
      expect(await adjudge(...ask, "11")).toMatchObject({ code: refused });
    }
  });

  test("is an algebra of numbers of numbers, nested without end", async () => {
    const file = await written("square.json", square);
    const nested = (depth: number): string => `${"dual(".repeat(depth)}integer${")".repeat(depth)}`;
    expect(await adjudge("run", file, "-i", "x=3", "-a", nested(8))).toMatchObject({
      code: exitCodes.agrees,
    });
    for (const depth of [9, 20, 10_000]) {
      const refused = await adjudge("run", file, "-i", "x=3", "-a", nested(depth));
      expect(refused.code).toBe(exitCodes.badInput);
      expect(refused.notes).toMatch(/algebra\/nesting: .* Hint: nest it at most 8 deep/);
    }
    for (const odd of ["dual(integer))", "dual((integer)", "dual(", "dual()", "dual(dual(integer)"])
      expect(await adjudge("run", file, "-i", "x=3", "-a", odd)).toMatchObject({ code: exitCodes.badInput });
  });

  test("are the digits of powers of powers over exact numbers, not over floats", async () => {
    const nodes = Array.from({ length: 40 }, (_, id) => ({
      op: "multiply",
      attributes: {},
      parents: [id, id],
    }));
    const file = await written("powers.json", { ...square, nodes });
    expect(await adjudge("run", file, "-i", "x=3", "-a", "rational")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("budget/digits"),
    });
    expect(await adjudge("run", file, "-i", "x=1")).toMatchObject({ code: exitCodes.agrees });
  });

  test("is the time of a case, also while an engine is asked, which is then gone", async () => {
    const pids = join(folder, "hangs.json");
    const hangs = testee("hang", pids);
    expect(await adjudge("judge", "-e", hangs, "-n", "3", "--seconds", "0.1")).toMatchObject({
      code: exitCodes.tooLittle,
    });
    const asked: readonly number[] = JSON.parse(await readFile(pids, "utf8"));
    expect(asked).toHaveLength(2);
    for (const pid of asked) while (await isRunning(pid)) await setImmediate();
  });
});

describe("adjudge run", () => {
  test.each([
    ["rational", "1/3", "1/9", "2/3"],
    ["integer", "-3", "9", "-6"],
    ["modular", "-1", "1", "2305843009213693949"],
    ["formal", "3", "9", "6"],
    ["float64", "0.1", "0x1.47ae147ae147cp-7", "0x1.999999999999ap-3"],
    ["float32", "0.1", "0x1.47ae16p-7", "0x1.99999ap-3"],
    ["boolean", "1", "true", "true"],
    ["dual(rational)", "(1/2;1)", "(1/4;1)", "(1;2)"],
    ["dual(dual(integer))", "((3;1);(1;0))", "((9;6);(6;2))", "((6;2);(2;0))"],
  ])("squares over %s", async (algebra, x, value, cotangent) => {
    const file = await written("square.json", square);
    const { code, out } = await adjudge("run", file, "--algebra", algebra, "--input", `x=${x}`);
    expect(code).toBe(exitCodes.agrees);
    const lines = out.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
    expect(lines[6]).toBe(`value ${value}`);
    expect(lines[4]).toBe(`cotangent ${cotangent}`);
  });

  test("writes a trace that its schema accepts", async () => {
    const file = await written("square.json", square);
    const path = join(folder, "trace.json");
    await adjudge("run", file, "-a", "rational", "-i", "x=1/3", "--trace", path);
    const trace = validateTrace(JSON.parse(await readFile(path, "utf8")));
    expect(trace.ok && trace.value.cotangents).toEqual([
      { shape: [], data: ["2/3"] },
      { shape: [], data: ["1"] },
    ]);
    const printed: unknown = JSON.parse((await adjudge("run", file, "-i", "x=3", "--json")).out);
    expect(validateTrace(printed).ok).toBe(true);
  });

  test("takes its numbers from a case", async () => {
    const question = caseAt(tensorProfile, 1, 4);
    const { code, out } = await adjudge(
      "run",
      await written("case4.json", encodeCase(question)),
      "--form",
      "sparse",
    );
    expect(code).toBe(exitCodes.agrees);
    expect(out.split("\n").filter((line) => line.includes("cotangent")).length).toBe(
      question.graph.inputs.length + question.graph.nodes.length,
    );
  });

  test.each([
    [["--input", "y=1"], "run/name"],
    [["--input", "x=1,2"], "run/count"],
    [["--input", "x=one"], "run/number"],
    [["--environment", "q=1", "--input", "x=1"], "run/name"],
    [["--input", "x=1", "--cotangent", "x=1"], "run/name"],
    [[], "run/missing: nothing says what x of shape [] is."],
    [["--input", "x=1", "--cotangent", "7=1"], "run/seed"],
    [["--input", "x=1", "--algebra", "complex"], 'there is no algebra "complex"'],
    [["--input", "x=1", "--algebra", "ratonal"], "did you mean rational?"],
  ])("refuses %j", async (argv, complaint) => {
    const { code, notes } = await adjudge("run", await written("square.json", square), ...argv);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain(complaint);
  });

  test("names the operator that the algebra cannot compute", async () => {
    const file = await written("exp.json", {
      ...square,
      nodes: [{ op: "exp", attributes: {}, parents: [0] }],
    });
    const { code, notes } = await adjudge("run", file, "-a", "rational", "-i", "x=1");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("algebra/missing at /nodes/0/op: exp needs a real algebra");
  });

  test("asks for the cotangent of a vector", async () => {
    const file = await written("vector.json", { ...square, inputs: [{ name: "x", shape: [2] }] });
    const { code, notes } = await adjudge("run", file, "-i", "x=1,2");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("--cotangent 1=");
    expect((await adjudge("run", file, "-i", "x=1,2", "-c", "1=1,10", "-a", "integer")).out).toContain(
      "2 40",
    );
  });
});

describe("adjudge judge", () => {
  test("ends with 0 where everything that was decided agrees", async () => {
    const { code, out } = await adjudge("judge", "-e", "interpreter", "-n", "40", "--seconds", "0");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/^✓ adjudge interpreter 0\.1\.0 float64 +\d+\/40 +0 +0 +\d+ +0$/m);
    expect(out).toMatch(/^✓ adjudge interpreter 0\.1\.0 float32 +\d+\/40 +0 +0 +\d+ +0$/m);
    expect(out).toMatch(/✓ adjudge interpreter 0\.1\.0 agrees with the truth$/);
    expect(out).not.toMatch(/error|✗/);
  });

  test("ends with 1 and a witness where an engine disagrees", async () => {
    const engine = testee("mutant", "operand_dropped");
    const { code, out } = await adjudge(
      "judge",
      "-e",
      engine,
      "-n",
      "20",
      "--dtype",
      "float64",
      "--seconds",
      "0",
    );
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(/^ {4}graph f\(.*\n {6}%1: \[.*\] = \w+ \* \w+\n +# +\^+ wrong cotangent$/m);
    expect(out).toContain("(multiply) hands on a wrong cotangent");
  });

  // Cases without laws, cases with them, and faults seen before: each would be made small in another way.
  test.each(
    sampled("replays", ["operand_dropped", "relu_masked_by_cotangent", "concat_offset"], 1),
  )("prints lines that replay what it found in %s, to the last number", async (mutant) => {
    const file = join(folder, `${mutant}.json`);
    const asked = [
      "-n",
      "70",
      "--profile",
      "tensor",
      "--dtype",
      "float64",
      "--seconds",
      "0",
      "--report",
      file,
    ];
    const { out } = await adjudge("judge", "-e", testee("mutant", mutant), ...asked);
    const report = validateReport(JSON.parse(await readFile(file, "utf8")));
    const verdicts = report.ok ? (report.value.engines[0]?.verdicts ?? []) : [];
    const lines = [...out.matchAll(/adjudge (replay .*--case (\d+).*)/g)];
    expect(lines.length).toBeGreaterThan(0);
    for (const [, line = "", index] of lines.slice(0, 2)) {
      const [command = "", flag = "", ...rest] = splitWords(line);
      const replayed = await adjudge(command, flag, ...rest, "--json");
      expect(replayed.code).toBe(exitCodes.disagrees);
      const found = verdicts.find((verdict) => verdict.case === Number(index));
      expect(JSON.parse(replayed.out)).toEqual(found?.verdict);
      const told = (await adjudge(command, flag, ...rest)).out
        .split("\n")
        .filter((one) => /got|blame:/.test(one));
      expect(told.length).toBeGreaterThan(1);
      for (const one of told) expect(out).toContain(one);
    }
  });

  test("prints lines that replay a case of a suite whose path has a space", async () => {
    const path = join(folder, "a suite", "a cube.json");
    await mkdir(join(folder, "a suite"));
    await writeFile(path, JSON.stringify(suiteVectors().get("structures/cube")));
    const engine = testee("mutant", "operand_dropped");
    const { code, out } = await adjudge("judge", join(folder, "a suite"), "-e", engine);
    expect(code).toBe(exitCodes.disagrees);
    const line = /adjudge (replay .*)/.exec(out)?.[1] ?? "";
    expect(splitWords(line)).toContain(path);
    expect((await adjudge(...splitWords(line))).code).toBe(exitCodes.disagrees);
  });

  test("ends a turn of the event loop after each case, without which nobody could interrupt it", async () => {
    const asked = ["-e", "interpreter", "-n", "50", "--dtype", "float64", "--seconds", "0"];
    const done = adjudge("judge", ...asked);
    const state = { turns: 0, isOver: false };
    void done.finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      await setImmediate();
      state.turns += 1;
    }
    expect(state.turns).toBeGreaterThanOrEqual(50);
    expect((await done).code).toBe(exitCodes.agrees);
  });

  test("ends with 3 where an engine crashes", async () => {
    const asked = ["-n", "2", "--dtype", "float64", "--seconds", "0"];
    const { code, out } = await adjudge("judge", "-e", testee("crash"), ...asked);
    expect(code).toBe(exitCodes.undecided);
    expect(out).toMatch(/float64 +0\/2 +0 +2 +0 +0$/m);
    expect(out).toMatch(
      /^error\[crash\]: [\s\S]*\(2 cases\)\n +said: request 3 [\s\S]* exited with code 7\n[\s\S]*replay: adjudge replay -e .* --case \d/m,
    );
  });

  test("ends with 4 where nothing was run", async () => {
    const { code, out } = await adjudge("judge", "-e", testee("single"), "-n", "3", "--dtype", "float64");
    expect(code).toBe(exitCodes.nothingRun);
    expect(out).toContain("No engine was asked");
  });

  test("ends with 3 and says why where the engine does not start", async () => {
    const { code, notes } = await adjudge("judge", "-e", "node -e 0", "-n", "3");
    expect(code).toBe(exitCodes.undecided);
    expect(notes).toContain("engine/start");
  });

  test("writes a report that its schema accepts, and prints it alone when asked", async () => {
    const path = join(folder, "report.json");
    const engine = testee("mutant", "sum_drops_last");
    const { out } = await adjudge(
      "judge",
      "-e",
      engine,
      "-n",
      "30",
      "--seconds",
      "0",
      "--report",
      path,
      "--json",
    );
    const report = validateReport(JSON.parse(await readFile(path, "utf8")));
    expect(report.ok).toBe(true);
    expect(JSON.parse(out)).toEqual(JSON.parse(await readFile(path, "utf8")));
    expect(report.ok && report.value.engines[0]?.counts.disagrees).toBeGreaterThan(0);
  });

  const declining = [
    ["one-node", 40, "the handshake promises evaluate, and it was declined"],
    ["evaluates", 24, "the handshake promises backward_dense, and it was declined"],
  ] as const;

  test.each(
    sampled("declining", declining, 1),
  )("does not end with 0 where an engine declines what is difficult: %s", async (kind, cases, why) => {
    const file = join(folder, `${kind}.json`);
    const asked = ["-n", String(cases), "--dtype", "float64", "--seconds", "0", "--report", file];
    const { code, out } = await adjudge("judge", "-e", testee(kind), ...asked);
    expect(code).toBe(exitCodes.tooLittle);
    expect(out.replaceAll(/\s+/g, " ")).toContain(why);
    expect(out).toMatch(/! \d+ cases declined: too difficult\n/);
    const report = validateReport(JSON.parse(await readFile(file, "utf8")));
    expect(report.ok && report.value.engines).toMatchObject([{ outcome: "broken promises" }]);
  });

  test("refuses flags about random cases where the cases are from files", async () => {
    const suite = `${structures}#cube`;
    for (const [flag = "", ...value] of [
      ["-n", "3"],
      ["--seed", "1"],
      ["--profile", "mix"],
      ["--laws-every", "0"],
    ]) {
      const { code, notes, out } = await adjudge("judge", suite, "-e", "interpreter", flag, ...value);
      expect(code).toBe(exitCodes.badInput);
      expect(notes).toMatch(/flag\/inapplicable: .* is for random cases, .* Hint: leave/);
      expect(out).toBe("");
    }
    const help = (await adjudge("judge", "--help")).out.replaceAll(/\s+/g, " ");
    expect(help).toContain("(default: 15, up to 120 while it is too little; of files 60 for each question)");
    const { code } = await adjudge("judge", suite, "-e", "interpreter", "--seconds", "60");
    expect(code).toBe(exitCodes.agrees);
    const replayed = await adjudge("replay", suite, "-e", "interpreter", "--case", "3");
    expect(replayed).toMatchObject({ code: exitCodes.badInput, notes: expect.stringContaining("--case") });
  });

  test("says before it begins that a report cannot be written", async () => {
    for (const path of [join(folder, "no", "such", "folder.json"), folder]) {
      const { code, notes, out } = await adjudge("judge", "-e", "interpreter", "-n", "1", "--report", path);
      expect(code).toBe(exitCodes.badInput);
      expect(notes).toContain("file/unwritable");
      expect(out).toBe("");
    }
  });

  test("takes a folder without cases for a mistake, not for a wish for random ones", async () => {
    const empty = await mkdtemp(join(folder, "empty-"));
    const { code, notes, out } = await adjudge("judge", empty, "-e", "interpreter");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain(`suite/empty: there is no case in ${empty}`);
    expect(out).toBe("");
  });

  test("judges case files and folders of them", async () => {
    const suite = structures;
    const cases = [...suiteVectors().keys()].filter((name) => name.startsWith("structures/")).length;
    const { code, out } = await adjudge(
      "judge",
      suite,
      "-e",
      "interpreter",
      "--dtype",
      "float64",
      "--seconds",
      "0",
    );
    expect(code).toBe(exitCodes.agrees);
    expect(cases).toBeGreaterThan(40);
    expect(out).toContain(` ${cases}/${cases} `);
    const bad = await written("bad.json", square);
    expect(await adjudge("judge", bad, "-e", "interpreter")).toMatchObject({ code: exitCodes.badInput });
  });
});

describe("adjudge replay", () => {
  test("judges a case file", async () => {
    const file = await written("case.json", encodeCase(caseAt(tensorProfile, 1, 1)));
    const { code, out } = await adjudge("replay", file, "-e", "interpreter");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("agrees");
    const json: unknown = JSON.parse((await adjudge("replay", file, "-e", "interpreter", "--json")).out);
    expect(validateVerdict(json).ok).toBe(true);
  });

  test("wants a file or a case's index", async () => {
    expect(await adjudge("replay", "-e", "interpreter")).toMatchObject({ code: exitCodes.badInput });
    const empty = await mkdtemp(join(folder, "empty-"));
    expect(await adjudge("replay", empty, "-e", "interpreter")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("suite/empty"),
    });
  });
});

describe("adjudge smoke", () => {
  test("passes a good adapter and fails a bad one", async () => {
    const good = fileURLToPath(new URL("../../conformance/runner/hostile/engines.ts", import.meta.url));
    const answer = await adjudge("smoke", "--", process.execPath, good, "honest");
    expect(answer).toMatchObject({ code: exitCodes.agrees });
    const [, count = ""] =
      /^✓ \d+ of (\d+) steps passed, 0 failed.* \(-v lists all\)$/.exec(answer.out) ?? [];
    expect(Number(count)).toBeGreaterThan(10);
    const whole = await adjudge("smoke", "-v", "--", process.execPath, good, "honest");
    expect(whole.out.split("\n").filter((line) => /^[✓–] /.test(line))).toHaveLength(Number(count) + 1);
    const bad = await adjudge("smoke", "--", process.execPath, "-e", "console.log('hello')");
    expect(bad.code).toBe(exitCodes.disagrees);
    expect(bad.out).toContain("Hint:");
    expect(bad.out.split("\n").at(-1)).toMatch(/^✗ 0 of 1 step passed, 1 failed/);
    const quiet = await adjudge("smoke", "-q", "--", process.execPath, "-e", "console.log('hello')");
    expect(quiet.out.split("\n").map((line) => line.slice(0, 1))).toEqual(["✗", " ", "✗"]);
  });

  test("tells a bundled engine from a command", async () => {
    expect(await adjudge("smoke", "tfjs")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("adjudge judge -e tfjs"),
    });
  });
});
