import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { buildFramework, faultsIn } from "./build.ts";
import type { Answered, Ask, Asked } from "./dialect.ts";
import { due } from "./due.ts";
import type { StorageFramework } from "./framework.ts";
import { startFramework } from "./process_framework.ts";
import { judgeStorage, storagePoints } from "./profile.ts";

const drawing = { seed: 1, cases: 100 };

/** Lists the points that a framework breaks, in order. */
async function broken(framework: StorageFramework, cases: number = drawing.cases): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number, kind } of judgeStorage(framework, { ...drawing, cases }))
    if (kind === "broken") numbers.push(number);
  return numbers;
}

/** Returns the first point that it breaks, and asks no further. */
async function firstBroken(framework: StorageFramework): Promise<number | undefined> {
  for await (const { number, kind } of judgeStorage(framework, drawing)) if (kind === "broken") return number;
  return undefined;
}

type Answers = { readonly [K in Ask]: (asked: Asked[K]) => ReturnType<(typeof due)[K]> };

/** Makes a framework of the definitions, with some answers replaced. */
function definitions(instead: Partial<Answers> = {}): StorageFramework {
  const answers: Answers = { ...due, ...instead };
  return {
    name: "definitions",
    version: "1",
    kinds: ["float32", "int32", "sym_int32", "sym", "asym", "bfp"],
    ask: async <K extends Ask>(ask: K, asked: Asked[K]) => {
      const answer: { ok: boolean; value?: Answered[K] } = answers[ask](asked);
      return answer.ok && answer.value !== undefined
        ? { kind: "answered" as const, value: answer.value, words: JSON.stringify(answer.value) }
        : { kind: "refused" as const, reason: "as is due" };
    },
    close: async () => {},
  };
}

describe("the points", () => {
  // Laws to the bit hold by construction here; laws with a bound could fail.
  test("hold for the definitions", async () => {
    expect(storagePoints.map(({ number }) => number)).toEqual(Array.from({ length: 17 }, (_, n) => n + 1));
    expect(await broken(definitions(), 300)).toEqual([]);
  });

  test("are not asked of what says that it does not have it", async () => {
    const silent: StorageFramework = {
      ...definitions(),
      ask: async () => ({ kind: "unsupported", reason: "not today" }),
    };
    for await (const { kind, laws } of judgeStorage(silent, drawing)) {
      expect(kind).toBe("not asked");
      expect(laws.every(({ decided }) => decided === 0)).toBe(true);
    }
  });

  test("do not hold where most of what is asked is declined", async () => {
    let asked = 0;
    const right = definitions();
    const choosy: StorageFramework = {
      ...right,
      ask: async (ask, question) => {
        asked += 1;
        return asked % 20 === 0 ? right.ask(ask, question) : { kind: "unsupported", reason: "not today" };
      },
    };
    const kinds: string[] = [];
    for await (const { kind } of judgeStorage(choosy, drawing)) kinds.push(kind);
    expect(kinds).not.toContain("holds");
    expect(kinds).toContain("mostly declined");
  });

  test("a case that breaks a law is shrunk", async () => {
    const negated = definitions({
      decode: (asked) => {
        const right = due.decode(asked);
        return right.ok ? { ok: true, value: right.value.map((x) => (x > 1 ? -x : x)) } : right;
      },
    });
    for await (const { laws } of judgeStorage(negated, drawing, storagePoints.slice(3, 4)))
      expect(present(laws[0]?.finding, "a finding").asked.split(" ").length).toBeLessThan(9);
  });
});

const { CC = "cc" } = process.env;
const hasCompiler = spawnSync(CC, ["--version"]).status === 0;
if (!hasCompiler) console.warn("There is no C compiler; frameworks in C are not built.");

describe.skipIf(!hasCompiler)("a framework in C", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "adjudge-storage-test-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function built(fault?: string): Promise<StorageFramework> {
    const source = { kind: "own", ...(fault === undefined ? {} : { fault }) } as const;
    const command = buildFramework(source, join(folder, fault ?? "right"));
    const framework = command.ok ? await startFramework(command.value) : command;
    return framework.ok ? framework.value : expect.unreachable(JSON.stringify(framework.error));
  }

  test("that was written apart from the reference holds to all points", async () => {
    const framework = await built();
    expect(await broken(framework, 300)).toEqual([]);
    await framework.close();
  });

  const header = readFileSync(new URL("../testees/storage/faults.h", import.meta.url), "utf8");
  const faults = faultsIn(header);

  test("has a fault for each point, and those of the early snapshot", () => {
    expect(new Set(faults.values())).toEqual(new Set(storagePoints.map(({ number }) => number)));
    expect(faults.size).toBe(57);
  });

  test.for(sampled("faults", [...faults], 4))("with the fault %s breaks point %i first", async ([
    fault,
    point,
  ]) => {
    const framework = await built(fault);
    expect(await firstBroken(framework)).toBe(point);
    await framework.close();
  });

  test("is not built of a folder that has none of it, and says so", () => {
    const result = buildFramework({ kind: "odt", checkout: folder }, join(folder, "none"));
    expect(result.ok ? [] : result.error.map(({ code }) => code)).toEqual(["storage/build"]);
  });
});

/** Starts a framework of a few lines of JavaScript: `say` answers, and `line` is the question. */
async function scripted(script: string): ReturnType<typeof startFramework> {
  const body = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const say = (text) => process.stdout.write(text + "\\n");
    if (line.startsWith("hello")) say("ok 1 scripted 1 sym"); else { ${script} }
  });`;
  return startFramework(
    { argv: [process.execPath, "-e", body] },
    script === "" ? { requestMilliseconds: 200 } : {},
  );
}

const question: Asked["encode"] = {
  type: { kind: "sym", bits: 4 },
  rounding: "half_away",
  shape: [1],
  values: [7],
};

describe("what a process answers", () => {
  test.for([
    ["a tensor", 'say("ok sym4 1 1 7 3f800000 0")', "answered"],
    ["a refusal", 'say("refused it is too hot")', "refused"],
    ["that it cannot", 'say("unsupported no")', "unsupported"],
    ["an end by its code", "process.exit(3)", "refused"],
    ["a wrapper that tells of an abort", "process.exit(134)", "refused"],
    ["a wrapper that tells of a crash", "process.exit(139)", "broken"],
    ["a wrapper that finds no command", "process.exit(127)", "broken"],
    ["an abort", "process.abort()", "refused"],
    ["a crash", 'process.kill(process.pid, "SIGSEGV")', "broken"],
    ["an end as if all were well", "process.exit(0)", "broken"],
    ["nothing", "", "broken"],
    ["what is no answer", 'say("42")', "broken"],
    ["a code that does not fit", 'say("ok sym4 1 1 8 3f800000 0")', "broken"],
    ["no scale", 'say("ok sym4 1 1 7")', "broken"],
    ["a scale of 0", 'say("ok sym4 1 1 7 00000000 0")', "broken"],
    ["a number in decimal", 'say("ok sym4 1 1 7 1.0 0")', "broken"],
    ["a word more", 'say("ok sym4 1 1 7 3f800000 0 0")', "broken"],
    ["more than there is", 'say("ok sym4 1 99999999999 7 3f800000 0")', "broken"],
    ["many dimensions", 'say("ok sym4 " + "9 ".repeat(99))', "broken"],
    ["no type", 'say("ok sym99 1 1 7 3f800000 0")', "broken"],
  ] as const)("is read: %s", async ([, script, kind]) => {
    const started = await scripted(script);
    if (!started.ok) return expect.unreachable(JSON.stringify(started.error));
    expect(await started.value.ask("encode", question)).toMatchObject({ kind });
    // A process that ended is started again; a silent one is asked only once, to save time.
    if (script !== "") expect(await started.value.ask("encode", question)).toMatchObject({ kind });
    await started.value.close();
  });

  test("its introduction may be wrong", async () => {
    const says = (text: string) =>
      startFramework({
        argv: [
          process.execPath,
          "-e",
          `process.stdin.once("data", () => console.log(${JSON.stringify(text)}))`,
        ],
      });
    for (const text of ["ok 2 me 1 sym", "ok 1 me", "ok 1 me 1 float64", "hello"]) {
      const started = await says(text);
      expect(started.ok ? [] : started.error.map(({ code }) => code)).toEqual(["engine/handshake"]);
    }
    const missing = await startFramework({ argv: ["/there/is/no/such/program"] });
    expect(missing.ok ? [] : missing.error.map(({ code }) => code)).toEqual(["engine/start"]);
  });
});
