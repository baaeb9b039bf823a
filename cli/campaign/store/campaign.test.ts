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
  test("keeps what it finds, goes on where it ended, and tells it", async () => {
    const first = await adjudge(
      "campaign",
      "run",
      "--store",
      store,
      ...asked,
      "-n",
      "6",
      "-e",
      "./no_engine",
    );
    expect(first.code).toBe(exitCodes.disagrees);
    expect(first.notes).toContain("./no_engine");
    expect(first.out).toMatch(/^6 questions, [1-9] faults?$/m);
    const more = await adjudge("campaign", "run", "--store", store, ...asked, "-n", "10");
    expect(more.out).toMatch(/^10 questions, /m);
    const status = await adjudge("campaign", "status", "--store", store);
    expect([status.code, status.out]).toEqual([exitCodes.disagrees, more.out]);
    for (const line of more.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const told = await adjudge("campaign", "report", "--store", store);
    expect(told.out).toContain("✗ wrong: sum value: ");
    expect(told.out).toMatch(/UTC, adjudge .*: 6 questions, .*\n.*UTC, adjudge .*: 4 questions, /);
    const json = JSON.parse((await adjudge("campaign", "report", "--store", store, "--json")).out);
    expect(json.engines[0].reports[0].engines[0].extent.asked).toBe(10);
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
