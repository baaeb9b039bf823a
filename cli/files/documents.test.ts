import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { exampleOf } from "../../spec/text/example.test.kit.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-texts-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file, and returns its path. */
async function written(name: string, text: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const square = `graph square(x: [])
  y = x * x
at x = 3
seed y = 1
expect cotangent x = 6
`;
const cube = "graph cube(x: [])\n  y = x * x * x\nat x = 2\n";
const two = await written("two.adj", `${square}\n${cube}`);
const one = await written("one.adj", square);

describe("a command that takes one document", () => {
  test.each([
    ["run", "-a", "rational"],
    ["show"],
    ["derive", "--mode", "vjp"],
    ["explain"],
    ["lifetimes"],
    ["forward-gradient"],
    ["replay", "-e", "interpreter"],
    ["export", "--as", "torchlean"],
    ["prove", "--widths"],
  ])("takes a text, and one that it names of several: %s", async (...argv) => {
    const whole = await adjudge(...argv, one);
    const named = await adjudge(...argv, `${two}#square`);
    expect(named.out).toBe(whole.out.replaceAll(one, two));
    expect(named.code).toBe(whole.code);
    expect(`${whole.out}${whole.notes}`).not.toContain("json/");
  });

  test("says the same of a program's text as of its JSON, and asks it of engines", async () => {
    const json = await written("program.json", JSON.stringify(exampleOf("element_in_place").json));
    const { out: text } = await adjudge("show", json);
    const path = await written("programs.adj", `${text}\n${square}`);
    const named = `${path}#program`;
    for (const argv of [["record"], ["record", "--policy", "copy"], ["lifetimes"], ["show", "--ssa"]]) {
      const [own, other] = [await adjudge(...argv, named), await adjudge(...argv, json)];
      expect(own).toEqual(other);
      expect(own.code).toBe(exitCodes.agrees);
    }
    const asked = await adjudge("programs", path, "-e", "interpreter");
    expect([asked.code, asked.out]).toEqual([exitCodes.agrees, expect.stringContaining("float64: 1 agrees")]);
    const both = await adjudge("judge", path, "-e", "interpreter", "-d", "float64");
    expect([both.code, both.out]).toEqual([exitCodes.agrees, expect.stringContaining(" 2/2 ")]);
  });

  test("says which there are if none is named, and which was meant", async () => {
    const some = await adjudge("run", two);
    expect(some).toMatchObject({ code: exitCodes.badInput, out: "" });
    expect(some.notes).toContain(`text/which: ${two} has 2 documents, and one is meant.`);
    expect(some.notes).toContain(`Hint: name one, as in ${two}#square; there are square, cube`);
    const wrong = await adjudge("run", `${two}#cub`);
    expect(wrong.code).toBe(exitCodes.badInput);
    expect(wrong.notes).toContain('has no "cub". Hint: did you mean cube?');
  });

  test("prefers a file of that very name, and reads a text by its first character", async () => {
    const path = await written("odd.adj#square", cube);
    expect((await adjudge("run", path, "-a", "rational")).out).toContain("cotangent  36");
    expect((await adjudge("run", await written("plain", square), "-a", "rational")).out).toContain("9");
    const json = await adjudge("run", await written("broken.json", square));
    expect(json.notes).toContain("json/syntax");
  });
});

describe("a command that takes several documents", () => {
  test("names each: check, judge and its list", async () => {
    expect((await adjudge("check", two)).out).toBe(`✓ ${two}#square\n✓ ${two}#cube`);
    const judged = await adjudge("judge", two, "-e", "interpreter", "-d", "float64");
    expect(judged.code).toBe(exitCodes.agrees);
    expect(judged.out).toContain(" 2/2 ");
    expect((await adjudge("judge", two, "--list", "vectors")).out).toBe(`${two}#square\n${two}#cube`);
  });

  test("finds texts beside JSON in a folder", async () => {
    const suite = await mkdtemp(join(folder, "suite-"));
    await writeFile(join(suite, "a.adj"), square);
    const vector = { format: "adjudge.case.v1", graph: { format: "adjudge.graph.v1" } };
    await writeFile(join(suite, "b.json"), JSON.stringify({ ...vector, format: undefined }));
    expect((await adjudge("judge", suite, "--list", "vectors")).out).toBe(`${join(suite, "a.adj")}#square`);
  });

  test("passes over a graph without a point beside a question, and refuses one alone", async () => {
    const both = await written("both.adj", `graph plain(x: [])\n  y = -x\n${square}`);
    expect((await adjudge("judge", both, "--list", "vectors")).out).toBe(`${both}#square`);
    const alone = await adjudge("judge", `${both}#plain`, "-e", "interpreter");
    expect(alone.code).toBe(exitCodes.badInput);
    expect(alone.notes).toContain("text/point: the graph has no point");
    expect(alone.notes).toContain("1 | graph plain(x: [])");
  });
});

describe("a text with mistakes", () => {
  const wrong = "graph wrong(x: [])\n  y = x ** * x\n  z = sine(x)\nat x = three\n";

  test("is told all of them, each in its frame", async () => {
    const path = await written("wrong.adj", wrong);
    const { code, notes } = await adjudge("run", path);
    expect(code).toBe(exitCodes.badInput);
    for (const [row, line] of wrong.split("\n").slice(1, 4).entries())
      expect(notes).toContain(`${row + 2} | ${line}`);
    expect(notes.match(/-->/g)).toHaveLength(3);
    expect(notes).toContain(`${path}:2:`);
    const checked = await adjudge("check", path);
    expect(checked.code).toBe(exitCodes.badInput);
    expect(checked.out.match(/^ +--> /gm)).toHaveLength(3);
  });

  test("is told in JSON by line and column", async () => {
    const { out } = await adjudge("check", "--json", await written("wrong.adj", wrong));
    const [{ issues }] = JSON.parse(out);
    expect(issues.map(({ pointer }: { readonly pointer: string }) => pointer)).toEqual([
      "2:12",
      "3:7",
      "4:8",
    ]);
    expect(Object.keys(issues[0])).toEqual(["code", "pointer", "message", "hint"]);
  });
});

describe("what is no text", () => {
  const deep = 10_000;
  test.each<readonly [string, string | Buffer]>([
    ["bytes", Buffer.from(Array.from({ length: 2 ** 20 }, (_, i) => (i * 2654435761) >>> 24))],
    ["a megabyte of brackets", "(".repeat(2 ** 20)],
    ["a megabyte of brackets in a graph", `graph f(x: [])\n  y = ${"(".repeat(2 ** 20)}`],
    ["a megabyte of lines with brackets", "(\n".repeat(2 ** 19)],
    ["deep brackets that are closed", `graph f(x: [])\n  y = ${"(".repeat(deep)}x${")".repeat(deep)}\n`],
    ["deep blocks", Array.from({ length: deep }, (_, i) => `${" ".repeat(i % 5000)}if x:`).join("\n")],
    ["a long line of signs", `graph f(x: [])\n  y = ${"x + ".repeat(2 ** 18)}x\n`],
    ["nothing", ""],
    ["a zero", "\0"],
  ])("is refused in two seconds without a trace: %s", async (_, text) => {
    const path = await written("hostile.adj", text);
    const start = process.cpuUsage();
    const { code, notes, out } = await adjudge("run", path);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(2);
    expect({ code, out }).toEqual({ code: exitCodes.badInput, out: "" });
    expect(notes).toMatch(/^✗ text\//);
    expect(notes).not.toContain("at fault");
    expect(notes.length).toBeLessThan(100_000);
  });

  test.each([
    ["breaks of Windows", square.replaceAll("\n", "\r\n")],
    ["breaks of old", square.replaceAll("\n", "\r")],
    ["a mark of order", `\uFEFF${square}`],
    ["tabs", square.replaceAll("  ", "\t")],
    ["spaces at ends", square.replaceAll("\n", " \t\n")],
  ])("is not what has %s", async (_, text) => {
    const path = await written("odd.adj", text);
    expect(await adjudge("check", path)).toMatchObject({ code: exitCodes.agrees, out: `✓ ${path}#square` });
  });
});
