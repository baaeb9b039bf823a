import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { adjudge, testee } from "../../process/recording.test.kit.ts";
import { exitCodes } from "../../terminal/exit.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-campaign-"));
afterAll(() => rmSync(folder, { recursive: true }));

const store = join(folder, "campaign.db");
const asked = ["-e", testee("mutant", "sum_drops_last"), "--kind", "graphs", "-d", "float64", "--jobs", "1"];

describe("a campaign", () => {
  test("keeps what it finds, and tells it", async () => {
    const ran = await adjudge("campaign", "run", "--store", store, ...asked, "-n", "6", "-e", "./no_engine");
    expect(ran.code).toBe(exitCodes.disagrees);
    expect(ran.notes).toContain("./no_engine");
    expect(ran.out).toMatch(/^6 questions, [1-9] faults?$/m);
    const status = await adjudge("campaign", "status", "--store", store);
    expect([status.code, status.out]).toEqual([exitCodes.disagrees, ran.out]);
    for (const line of ran.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const told = await adjudge("campaign", "report", "--store", store);
    expect(told.out).toContain("✗ wrong: sum value: ");
    expect(told.out).toMatch(/UTC, adjudge .*: 6 questions, /);
    const json = JSON.parse((await adjudge("campaign", "report", "--store", store, "--json")).out);
    expect(json.engines[0].reports[0].engines[0].extent.asked).toBe(6);
  });

  test("tells of no store, of a bad time, and of a kind that is none", async () => {
    const none = await adjudge("campaign", "status", "--store", join(folder, "none.db"));
    expect([none.code, none.notes]).toEqual([exitCodes.badInput, expect.stringContaining("store/none")]);
    for (const words of [
      ["--for", "8"],
      ["--kind", "graph"],
      ["--profile", "mox"],
      ["--jobs", "0"],
    ])
      expect((await adjudge("campaign", "run", "--store", store, ...words)).code).toBe(exitCodes.badInput);
  });
});
