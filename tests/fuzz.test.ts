import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { adjudge, type Runs, tryFile } from "./fuzz/files.ts";
import { Chance, hostileText } from "./fuzz/grammar.ts";
import { tryLines } from "./fuzz/lines.ts";
import { tryWords } from "./fuzz/words.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-fuzz-test-"));
afterAll(() => rm(folder, { recursive: true }));

/** The first seed, of so many, at which a command line is found wanting, and what of it. */
async function firstFault(seeds: number, run: Runs): Promise<string | undefined> {
  for (let seed = 0; seed < seeds; seed++) {
    const [fault] = await tryFile(seed, folder, run);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const silent = { code: 2, words: "no" };

describe("hostile files", () => {
  test("find nothing in any command", async () => {
    expect(await firstFault(60, adjudge)).toBeUndefined();
  });

  test.each<[string, Runs, RegExp]>([
    [
      "throws at what is nested",
      async (argv) => {
        if (readFileSync(argv.at(-1) ?? "", "utf8").includes("[[[[[[")) throw new RangeError("planted");
        return silent;
      },
      /^check: RangeError: planted/,
    ],
    [
      "ends with a code of its own where a name is __proto__",
      async (argv) =>
        /"__proto__":/.test(readFileSync(argv.at(-1) ?? "", "utf8")) ? { code: 70, words: "" } : silent,
      /^check: exit code 70/,
    ],
    [
      "says what it has read",
      async (argv) => ({ code: 2, words: readFileSync(argv.at(-1) ?? "", "utf8") }),
      /^check: it says U\+/,
    ],
    ["says too much", async () => ({ code: 2, words: "x".repeat(30_000_000) }), /30000000 characters/],
  ])("would show a reader that %s", async (_, run, words) => {
    expect(await firstFault(1500, run)).toMatch(words);
  });
});

describe("hostile lines", () => {
  test("find nothing in the runner", async () => {
    const faults: string[] = [];
    let lines = 0;
    for (let seed = 0; seed < 60; seed++) {
      const tried = await tryLines(seed);
      lines += tried.lines;
      faults.push(...tried.faults);
    }
    expect(faults).toEqual([]);
    expect(lines).toBeGreaterThan(100);
  });
});

describe("hostile words", () => {
  test("find nothing in the command line", async () => {
    const faults: string[] = [];
    for (let seed = 0; seed < 400; seed++) faults.push(...(await tryWords(seed)));
    expect(faults).toEqual([]);
  });

  test("would show a command line that says them back as they are", async () => {
    const echo: Runs = async (argv) => ({ code: 2, words: argv.join(" ") });
    const faults: string[] = [];
    for (let seed = 0; seed < 400; seed++) faults.push(...(await tryWords(seed, echo)));
    expect(faults.join("\n")).toMatch(/it says U\+1b/);
  });
});

describe("the grammar", () => {
  test("makes of one seed one text, and of many seeds many", () => {
    const document = { format: "adjudge.graph.v1", inputs: [], nodes: [{ op: "add", parents: [0, 1] }] };
    const textsOf = (): string[] =>
      Array.from({ length: 200 }, (_, seed) => hostileText(document, ["sin"], new Chance(seed)));
    expect(textsOf()).toEqual(textsOf());
    expect(new Set(textsOf()).size).toBeGreaterThan(150);
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    // Both kinds are needed: what no reader gets past, and what is refused for what it says.
    const json = textsOf().filter(isJson).length;
    expect(json).toBeGreaterThan(60);
    expect(json).toBeLessThan(180);
  });
});
