import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { smoke } from "../conformance/index.ts";
import { startProcess } from "../conformance/runner/process.ts";
import { screen } from "../lean-export/run/admissible.ts";
import { verdictByText } from "../lean-export/verdict_by_text.test.kit.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { adjudge, type Runs, tryFile } from "./fuzz/files.ts";
import { Chance, hostileText } from "./fuzz/grammar.ts";
import { type Checks, leanFileOf, tryLean } from "./fuzz/lean.ts";
import { asked, tryLines, trySmoke } from "./fuzz/lines.ts";
import { tryStorage } from "./fuzz/storage.ts";
import { tryWords } from "./fuzz/words.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-fuzz-test-"));
afterAll(() => rm(folder, { recursive: true }));

/** Returns the faults of the first seed whose command line shows any. */
async function firstFault(seeds: readonly number[], run: Runs): Promise<string | undefined> {
  for (const seed of seeds) {
    const [fault] = await tryFile(seed, folder, run);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, seed) => seed);

const silent = { code: 2, words: "no" };

describe("hostile files", () => {
  test("find nothing in any command", async () => {
    expect(await firstFault(sampled("files", numbers(60), 12), adjudge)).toBeUndefined();
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
    expect(await firstFault(numbers(1500), run)).toMatch(words);
  });
});

describe("hostile lines", () => {
  test.each(asked)("find nothing in how engines are asked of %s", async (kind) => {
    const faults: string[] = [];
    let lines = 0;
    for (const seed of numbers(24)) {
      const tried = await tryLines(seed, kind);
      lines += tried.lines;
      faults.push(...tried.faults);
    }
    expect(faults).toEqual([]);
    expect(lines).toBeGreaterThan(30);
  });

  test("find nothing in the storage profile", async () => {
    const tried = [];
    for (const seed of numbers(40)) tried.push(await tryStorage(seed));
    expect(tried.flatMap(({ faults }) => faults)).toEqual([]);
    expect(tried.reduce((sum, { lines }) => sum + lines, 0)).toBeGreaterThan(500);
  });

  test("would show a judge that throws, and one that says what it hears", async () => {
    const throwing = await tryLines(4, "tapes", () => Promise.reject(new RangeError("planted")));
    expect(throwing.faults).toEqual([expect.stringContaining("RangeError: planted")]);
    const painted = await tryLines(4, "tapes", async () => ({ kind: "crashed", message: "\u001b[2J" }));
    expect(painted.faults).toEqual([expect.stringContaining("it says U+1b")]);
  });
});

describe("hostile lines to smoke", () => {
  const seeds = numbers(16);

  test("find nothing in it", async () => {
    const tried = [];
    for (const seed of seeds) tried.push(await trySmoke(seed));
    expect(tried.flatMap(({ faults }) => faults)).toEqual([]);
    expect(tried.reduce((sum, { lines }) => sum + lines, 0)).toBeGreaterThan(100);
  });

  const silentReport: Awaited<ReturnType<typeof smoke>> = {
    argv: [],
    description: undefined,
    steps: [{ name: "starts", outcome: { kind: "passed" } }],
    isFine: true,
    engineFaults: [],
  };

  /** Says each line of the engine's as it came. */
  const echo: typeof smoke = (command, limits, onStep = () => {}, start = startProcess) =>
    smoke(command, limits, onStep, (argv, all, events) =>
      start(argv, all, {
        ...events,
        line: (line) => {
          onStep({ name: line, outcome: { kind: "passed" } });
          events.line(line);
        },
      }),
    );

  test.each<[string, typeof smoke, RegExp]>([
    ["says back what it hears", echo, /it says U\+/],
    ["makes no step", async () => ({ ...silentReport, steps: [] }), /no step/],
    ["finds a silent engine fine", async () => silentReport, /says nothing is fine/],
    ["throws", async () => Promise.reject(new RangeError("planted")), /RangeError: planted/],
  ])("would show one that %s", async (_, planted, words) => {
    for (const seed of seeds) {
      const { faults } = await trySmoke(seed, planted);
      if (words.test(faults.join("\n"))) return;
    }
    expect.fail("no seed has shown it");
  });
});

describe("hostile Lean files", () => {
  const seeds = numbers(40);

  test("are one for each seed, and most are such that a checker has to look at what they say", () => {
    const texts = seeds.map(leanFileOf);
    expect(texts).toEqual(seeds.map(leanFileOf));
    expect(new Set(texts).size).toBe(seeds.length);
    const fit = texts.filter((text) => screen(text, ["Adjudge", "Init"]).kind === "fit").length;
    expect(fit).toBeGreaterThan(20);
    expect(fit).toBeLessThan(38);
  });

  /** Takes a file for what its text says, and accepts it whatever that is, if this is not against it. */
  const credulous = (isRefused: (text: string) => boolean): Checks => ({
    check: async ({ text }) => verdictByText(text, isRefused),
    hasReached: () => true,
  });

  test.each<[string, Checks, RegExp]>([
    ["accepts anything", credulous(() => false), /accepted: its (?:values|cotangents) are .*, not /],
    [
      "screens, and then accepts anything",
      credulous((text) => screen(text, ["Adjudge", "Init"]).kind === "unfit"),
      /accepted: its (?:values|cotangents) are .*, not /,
    ],
    [
      "throws",
      { check: async () => Promise.reject(new RangeError("planted")), hasReached: () => true },
      /RangeError/,
    ],
  ])("would show a checker that %s", async (_, planted, words) => {
    for (const seed of seeds) {
      const { faults } = await tryLean(seed, folder, planted);
      if (words.test(faults.join("\n"))) return;
    }
    expect.fail("no seed has shown it");
  });
});

describe("hostile words", () => {
  test("find nothing in the command line", async () => {
    const faults: string[] = [];
    for (const seed of sampled("words", numbers(400), 80)) faults.push(...(await tryWords(seed)));
    expect(faults).toEqual([]);
  });

  test("would show a command line that says them back as they are", async () => {
    const echo: Runs = async (argv) => ({ code: 2, words: argv.join(" ") });
    const faults: string[] = [];
    for (const seed of numbers(400)) faults.push(...(await tryWords(seed, echo)));
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
