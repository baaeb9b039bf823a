import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { validateReport } from "../../spec/index.ts";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { lastRunPaths, readLastRun } from "./last_run.ts";

const folders: string[] = [];
const { ADJUDGE_CACHE } = process.env;
let folder = "";

/** Each test has a cache of its own. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "adjudge-last-"));
  folders.push(folder);
  process.env.ADJUDGE_CACHE = folder;
  wrong = testee("mutant", "operand_dropped", join(folder, "mended"));
});
/** Mends the wrong engine, whose name stays. */
const mend = (): void => writeFileSync(join(folder, "mended"), "");
afterEach(() => {
  if (ADJUDGE_CACHE === undefined) delete process.env.ADJUDGE_CACHE;
  else process.env.ADJUDGE_CACHE = ADJUDGE_CACHE;
});
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true }))));

let wrong = "";
const right = testee("honest");
const random = ["-n", "20", "-d", "float64", "--seconds", "0", "--laws-every", "0"];

/** Judges an engine, and returns what its report says, with the exit code. */
async function judged(engine: string, ...flags: string[]) {
  const path = join(folder, "report.json");
  const ran = await adjudge("judge", "-e", engine, ...random, ...flags, "--report", path);
  const report = validateReport(JSON.parse(readFileSync(path, "utf8")));
  const engines = report.ok ? report.value.engines : [];
  const places = engines.flatMap(({ verdicts }) =>
    verdicts.flatMap((one) => (one.verdict.kind === "disagrees" ? [one.case] : [])),
  );
  return { ...ran, places, asked: engines.reduce((sum, { extent }) => sum + extent.asked, 0), engines };
}

describe("--last-failed", () => {
  test("asks the cases that failed, and they alone; once they pass, it asks all", async () => {
    const first = await judged(wrong);
    expect(first.places.length).toBeGreaterThan(1);
    expect(first.asked).toBe(20);
    const again = await judged(wrong, "--last-failed");
    expect(again.code).toBe(exitCodes.disagrees);
    expect(new Set(again.places)).toEqual(new Set(first.places));
    expect(again.asked).toBe(first.places.length);
    mend();
    const mended = await judged(wrong, "--last-failed");
    expect([mended.code, mended.asked]).toEqual([exitCodes.agrees, first.places.length]);
    const all = await judged(wrong, "--last-failed");
    expect([all.asked, all.notes]).toEqual([
      20,
      expect.stringContaining("nothing failed in the last run here"),
    ]);
  });

  test("forgets no failure that a run did not ask again", async () => {
    const first = await judged(wrong);
    const failed = (): readonly unknown[] =>
      [...(readLastRun(lastRunPaths().failures)?.failed.values() ?? [])].flat();
    expect(new Set(failed())).toEqual(new Set(first.places));
    await judged(wrong, "--last-failed", "--fail-fast");
    expect(new Set(failed())).toEqual(new Set(first.places));
    mend();
    await judged(wrong, "-n", "10");
    expect(new Set(failed())).toEqual(new Set(first.places.filter((place) => Number(place) >= 10)));
  });

  test("keeps known failures out", async () => {
    const known = ["--known", join(folder, "known.json")];
    await judged(wrong, ...known, "--update-known");
    await judged(wrong, ...known);
    expect((await judged(wrong, ...known, "--last-failed")).notes).toContain("nothing failed");
  });

  test("is of files too", async () => {
    const ask = (...flags: string[]) =>
      adjudge("judge", "-e", wrong, "-d", "float64", "--suite", "strength", "--json", ...flags);
    const asked = ({ out }: { readonly out: string }): number => JSON.parse(out).engines[0].extent.asked;
    const [first, again] = [await ask(), await ask("--last-failed")];
    const { disagrees } = JSON.parse(first.out).engines[0].counts;
    expect(disagrees).toBeGreaterThan(0);
    expect(asked(again)).toBe(disagrees);
    expect(asked(first)).toBeGreaterThan(disagrees);
  });

  test("refuses where nothing is kept, or other cases were drawn", async () => {
    const none = await adjudge("judge", "-e", right, ...random, "--last-failed");
    expect(none).toMatchObject({ code: exitCodes.badInput, notes: expect.stringContaining("last/none") });
    await judged(wrong);
    for (const flags of [
      ["--seed", "2"],
      ["--profile", "tensor"],
      ["--kind", "tapes"],
    ]) {
      const other = await adjudge("judge", "-e", right, ...random.slice(0, 6), ...flags, "--last-failed");
      expect(other).toMatchObject({
        code: exitCodes.badInput,
        notes: expect.stringContaining("last/different"),
      });
    }
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"run":{},"failed":{}}',
    '{"run":{"adjudge":1,"seed":1,"profile":"mix"},"failed":{}}',
    '{"run":{"adjudge":"0","seed":1,"profile":"mix","kind":"x"},"failed":[]}',
  ])("takes what is kept for nothing where it is %j", async (text) => {
    await judged(right, "-n", "1");
    writeFileSync(lastRunPaths().failures, text);
    expect(await adjudge("judge", "-e", right, ...random, "--last-failed")).toMatchObject({
      notes: expect.stringContaining("last/none"),
    });
  });

  test("costs a run nothing where no folder can be made", async () => {
    writeFileSync(join(folder, "file"), "");
    process.env.ADJUDGE_CACHE = join(folder, "file", "below");
    expect((await judged(right)).code).toBe(exitCodes.agrees);
  });
});

describe("a run ends", () => {
  const several = testee("mutant", "relu_masked_by_cotangent");

  test("at the first new finding with --fail-fast, and asks nobody else", async () => {
    const { code, asked, notes, engines, places } = await judged(wrong, "--fail-fast", "-e", right);
    expect(code).toBe(exitCodes.disagrees);
    expect(asked).toBeLessThan(20);
    expect(places).toHaveLength(1);
    expect(engines.map(({ extent }) => extent.ended)).toEqual(["interrupted"]);
    expect(notes).toMatch(/honest.* was not asked/);
    expect(notes).toContain("ended at 1 new finding (--fail-fast)");
  });

  test("at so many different findings, but not by known ones", async () => {
    const whole = await judged(several);
    const known = ["--known", join(folder, "known.json")];
    await judged(several, ...known, "--update-known");
    const knowing = await judged(several, ...known, "--fail-fast");
    expect(knowing.asked).toBe(whole.asked);
    expect(knowing.notes).not.toContain("ended at");
    const many = await judged(several, "--max-findings", "1000");
    expect(many.asked).toBe(whole.asked);
  });

  test("at the first crash", async () => {
    const crash = await adjudge("judge", "-e", testee("crash"), ...random, "--fail-fast");
    expect(crash).toMatchObject({
      code: exitCodes.undecided,
      notes: expect.stringContaining("1 new finding"),
    });
  });

  test("at the first wrong program, whose report is JSON if that is asked for", async () => {
    const ask = ["programs", "-e", testee("mutant", "update_operands_swapped"), "-n", "60", "--json"];
    const [whole, first] = [await adjudge(...ask), await adjudge(...ask, "--fail-fast")];
    const askedIn = ({ out }: { readonly out: string }): number => {
      const counts: Readonly<Record<string, number>> = JSON.parse(out).engines[0].counts;
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    };
    expect([whole.code, first.code]).toEqual([exitCodes.disagrees, exitCodes.disagrees]);
    expect(askedIn(whole)).toBe(60);
    expect(askedIn(first)).toBeLessThan(60);
    expect(JSON.parse(first.out).engines[0].counts.disagrees).toBe(1);
  });

  test.each([["0"], ["-1"], ["many"]])("at no %s findings", async (count) => {
    expect(await adjudge("judge", "--max-findings", count)).toMatchObject({ code: exitCodes.badInput });
  });

  test("of several processes not so", async () => {
    const flags = ["--jobs", "2", "--fail-fast"];
    expect(await adjudge("judge", "-e", right, ...random, ...flags)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("--fail-fast does not go with --jobs"),
    });
  });
});
