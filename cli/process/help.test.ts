import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import { splitWords } from "../../conformance/index.ts";
import { exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { examples } from "./examples.ts";
import { commandLine, main } from "./main.ts";
import { adjudge } from "./recording.test.kit.ts";

/** Returns a terminal of so many columns, and what is printed on it. */
function terminalOf(columns: number): { readonly terminal: Terminal; readonly out: string[] } {
  const out: string[] = [];
  const keep = (line: string): number => out.push(line);
  return {
    terminal: { palette: createColors(false), columns, out: keep, note: keep, progress: () => {} },
    out,
  };
}

/** Lists every command that does something, with the words that name it. */
function leavesOf(command: Command, above: readonly string[] = []): (readonly [string[], Command])[] {
  return command.commands.flatMap((one) => {
    const words = [...above, one.name()];
    return one.commands.length > 0 ? leavesOf(one, words) : [[words, one] as const];
  });
}

const { terminal: quiet } = terminalOf(80);
const leaves = leavesOf(await commandLine([], quiet, () => {})).map(([words]) => words.join(" "));

/** Returns what the help of a command says in so many columns. */
async function helpOf(name: string, columns: number): Promise<readonly string[]> {
  const { terminal, out } = terminalOf(columns);
  expect(await main([...splitWords(name), "--help"], terminal)).toBe(exitCodes.agrees);
  return out.join("\n").split("\n");
}

/** Returns the command lines of the examples that end a help. */
function examplesIn(help: readonly string[]): readonly string[] {
  return help.slice(help.indexOf("Examples:")).flatMap((line) => /^ {2}(adjudge .*)/.exec(line)?.[1] ?? []);
}

/** Parses a command line, whose command then does nothing, and says whether it came to that. */
async function isParsed(line: string): Promise<boolean> {
  const [, ...argv] = splitWords(line);
  let isReached = false;
  const program = await commandLine(argv, quiet, () => {});
  for (const [, command] of leavesOf(program)) {
    command.action(() => {
      isReached = true;
    });
  }
  await program.parseAsync(argv, { from: "user" }).catch(() => {});
  return isReached;
}

describe("the help", () => {
  test("is of all commands", () => {
    expect(leaves.length).toBeGreaterThan(20);
  });

  test.each(["", ...leaves])("of adjudge %s is wrapped once, to the columns there are", async (name) => {
    for (const columns of [60, 80, 120]) {
      const lines = await helpOf(name, columns);
      const isWord = (line: string): boolean => !line.trim().includes(" ");
      const isExample = (line: string): boolean => /^ {2}adjudge /.test(line);
      const wide = lines.filter((line) => line.length > columns && !isWord(line) && !isExample(line));
      expect(wide).toEqual([]);
      // A paragraph that is wrapped again after it was broken by hand has short lines amid long ones.
      const short = lines.filter((line, place) => {
        const [next = "", above = ""] = [lines[place + 1], lines[place - 1]];
        const isProse = [line, next, above].every((one) => /^[A-Za-z(]/.test(one) && !/:$/.test(one));
        return isProse && line.length + 1 + (next.split(" ")[0] ?? "").length <= columns;
      });
      expect(short).toEqual([]);
      expect(lines.join("\n")).not.toContain("default: []");
    }
  });

  test.each(leaves)("of adjudge %s has two examples at least, which parse", async (name) => {
    const lines = examplesIn(await helpOf(name, 80));
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) {
      expect(line.startsWith(`adjudge ${name}`)).toBe(true);
      expect([line, await isParsed(line)]).toEqual([line, true]);
    }
  });

  test("of the whole has examples that parse", async () => {
    const lines = examplesIn(await helpOf("", 80));
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect([line, await isParsed(line)]).toEqual([line, true]);
  });

  test("with a wrong example would be noticed", async () => {
    expect(await isParsed("adjudge judge --casse 3")).toBe(false);
    expect(await isParsed("adjudge run graph.adj --cotangent 1=1 --order 2")).toBe(false);
    expect(await isParsed("adjudge judge --shard 3/2")).toBe(false);
  });
});

describe("the examples that need nothing but adjudge", () => {
  const asking = ["-e", "interpreter", "-n", "10", "-d", "float64", "--seconds", "0", "--report"];
  /** These commands ask foreign engines, take minutes, or write where they are. */
  const foreign =
    /^adjudge (?:judge|smoke|init|campaign|storage-profile|programs|issue|prove|lean check|lean suite)\b/;
  const made: readonly (readonly string[])[] = [
    ["run", "graph.adj", "-a", "rational", "-i", "x=1/3", "--trace", "trace.json"],
    ["export", "graph.adj", "torchlean.json"],
    ["export", "graph.adj", "model.onnx"],
    ["judge", ...asking, "1.json", "--shard", "1/2"],
    ["judge", ...asking, "2.json", "--shard", "2/2"],
    ["judge", ...asking, "found.json"],
    ["judge", ...asking, "old.json"],
    ["judge", ...asking, "new.json"],
  ];
  const square = "graph square(x)\n  x * x\n";
  const multiplied = ["program square(x0)", "  x = buffer(x0)", "  x *= x", "  return x: []"];
  const texts: Readonly<Record<string, string>> = {
    "graph.adj": square,
    "case.adj": "graph square(x)\n  y = x * x\nat x = 3\ntangent x = 1\nseed y = 1\n",
    "program.adj": [...multiplied, "at x0 = 3", "seed x = 1", ""].join("\n"),
    "units.json": JSON.stringify({ format: "adjudge.units.v1", inputs: { x: "m" }, environment: {} }),
  };
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  test("run, and end as they should", async () => {
    const folder = await mkdtemp(join(tmpdir(), "adjudge-help-"));
    folders.push(folder);
    /** Runs a command line whose files are in the folder. */
    const ran = (words: readonly string[]) =>
      adjudge(
        ...words.map((word) => (/^[\w-]+\.(?:adj|json|lean|onnx|c)$/.test(word) ? join(folder, word) : word)),
      );
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    for (const words of made) expect([words, (await ran(words)).code]).toEqual([words, exitCodes.agrees]);
    const lines = leaves.flatMap((name) => examples[name]?.map(([line]) => line) ?? []);
    const own = lines.filter((line) => !foreign.test(line));
    expect(own.length).toBeGreaterThan(30);
    for (const line of own) {
      const { code, notes } = await ran(splitWords(line).slice(1));
      expect({ line, code, notes: code === exitCodes.agrees ? "" : notes }).toEqual({
        line,
        code: exitCodes.agrees,
        notes: "",
      });
    }
  });
});
