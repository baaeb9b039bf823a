import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportJson } from "../../spec/index.ts";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-parts-"));
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const read = async (name: string): Promise<ReportJson> => JSON.parse(await readFile(at(name), "utf8"));

const asked = ["-n", "40", "--dtype", "float64", "--seconds", "0", "--laws-every", "3"];
const wrong = ["-e", testee("mutant", "sin_slope_at_result"), ...asked];
const parts = [1, 2, 3];

/** Returns what a report says without times and witnesses, because each part shrinks its faults itself. */
function said({ engines, invocation: _, ...run }: ReportJson): unknown {
  const told = engines.map(
    ({ verdicts, extent: { seconds: __, ...extent }, unasked, unanswered, ...section }) => ({
      ...section,
      extent,
      unasked: [...unasked].sort(),
      unanswered: [...unanswered].sort(),
      verdicts: verdicts.map(({ case: place, verdict }) => `${place} ${verdict.kind}`).sort(),
    }),
  );
  const sorted = told.map(({ operators, promises, ...rest }) => ({
    ...rest,
    operators: Object.entries(operators).sort(),
    promises: Object.entries(promises).sort(),
  }));
  return { ...run, engines: sorted };
}

beforeAll(async () => {
  expect((await adjudge("judge", ...wrong, "--report", at("whole.json"))).code).toBe(exitCodes.disagrees);
  for (const part of parts)
    await adjudge("judge", ...wrong, "--shard", `${part}/3`, "--report", at(`${part}.json`));
});

describe("adjudge judge --shard, adjudge merge", () => {
  test("the parts of a run are the run", async () => {
    const files = parts.map((part) => at(`${part}.json`));
    const { code, out } = await adjudge("merge", ...files, "--report", at("merged.json"));
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(/ \d+\/40 +\d+ /);
    expect(said(await read("merged.json"))).toEqual(said(await read("whole.json")));
  });

  test("each part has cases of its own", async () => {
    const counts = await Promise.all(
      parts.map(async (part) => (await read(`${part}.json`)).engines[0]?.extent.cases),
    );
    expect(counts).toEqual([14, 13, 13]);
  });

  test.each([
    ["a part is missing", ["1.json", "3.json"], "part 2 of 3 is missing"],
    ["a part is there twice", ["1.json", "2.json", "2.json", "3.json"], "part 2 of 3 is there 2 times"],
    ["a part is of another run", ["1.json", "2.json", "other.json"], "report 3 has seed 7"],
    ["a part is of another version of the engine", ["1.json", "2.json", "newer.json"], "in another report"],
  ])("says so where %s", async (_what, names, says) => {
    const third = await read("3.json");
    await writeFile(at("other.json"), JSON.stringify({ ...third, seed: 7 }));
    const newer = third.engines.map((section) => ({
      ...section,
      description: { ...section.description, version: "9" },
    }));
    await writeFile(at("newer.json"), JSON.stringify({ ...third, engines: newer }));
    const { code, notes } = await adjudge("merge", ...names.map(at));
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain(says);
  });

  test.each(["0/3", "4/3", "1", "1/0", "a/b"])("refuses --shard %s", async (part) => {
    expect((await adjudge("judge", ...wrong, "--shard", part)).code).toBe(exitCodes.badInput);
  });
});

describe("adjudge judge --jobs", () => {
  test("asks the same in several processes", async () => {
    const { code, notes } = await adjudge("judge", ...wrong, "--jobs", "2", "--report", at("jobs.json"));
    expect(notes).toBe("");
    expect(code).toBe(exitCodes.disagrees);
    expect(said(await read("jobs.json"))).toEqual(said(await read("whole.json")));
  });

  test("says what a part said that could not run", async () => {
    const { code, notes } = await adjudge(
      "judge",
      "-e",
      "interpreter",
      "--jobs",
      "2",
      "-n",
      "4",
      "--shard",
      "1/2",
    );
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("--shard");
  });
});

describe("adjudge judge --resume", () => {
  test("goes on where a run was interrupted, and comes to the same", async () => {
    const whole = await read("whole.json");
    // The report of a run of fewer cases stands for the first part of the run.
    await adjudge("judge", ...wrong, "--seconds", "0.001", "--report", at("begun.json"));
    const begun = await read("begun.json");
    expect(begun.engines[0]?.extent).toMatchObject({ ended: "time" });
    expect(begun.engines[0]?.extent.asked).toBeLessThan(40);
    await adjudge("judge", ...wrong, "--resume", at("begun.json"), "--report", at("resumed.json"));
    expect(said(await read("resumed.json"))).toEqual(said(whole));
  });

  test("refuses the report of another run", async () => {
    const { code, notes } = await adjudge("judge", ...wrong, "--seed", "8", "--resume", at("whole.json"));
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("resume/different");
  });
});
