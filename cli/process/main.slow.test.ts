import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { splitWords } from "../../conformance/index.ts";
import { operatorNames, validateReport } from "../../spec/index.ts";
import { exitCodes } from "../terminal/exit.ts";
import { adjudge, testee } from "./recording.test.kit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-cli-"));
afterAll(() => rm(folder, { recursive: true }));

describe("adjudge judge", () => {
  test("lists what an engine promises and was not asked, and what was drawn from", async () => {
    const asking = async (...flags: string[]) => {
      const file = join(folder, "asked.json");
      const asked = ["-e", "interpreter", "--dtype", "float64", "--seconds", "0", "-v", ...flags];
      const told = (await adjudge("judge", ...asked, "--report", file)).out;
      const report = validateReport(JSON.parse(await readFile(file, "utf8")));
      const section = report.ok ? report.value.engines[0] : undefined;
      const unasked = section?.unasked ?? [];
      expect(new Set([...Object.keys(section?.operators ?? {}), ...unasked])).toEqual(new Set(operatorNames));
      expect(unasked.filter((op) => Object.hasOwn(section?.operators ?? {}, op))).toEqual([]);
      const sentence = `not exercised by [1]: ${unasked.length} of ${operatorNames.length} operators`;
      expect(told.includes(sentence)).toBe(unasked.length > 0);
      return { unasked, told, shares: report.ok ? report.value.shares : [] };
    };
    const few = await asking("-n", "5");
    expect(few.unasked.length).toBeGreaterThan(20);
    expect(few.shares.length).toBeGreaterThan(3);
    expect(few.told).toMatch(/drawn from tensor [0-9.]+ %, /);
    const plain = await asking("-n", "60", "--profile", "tensor");
    expect(plain.unasked).toContain("conv");
    expect(plain.shares).toEqual([{ profile: "tensor", share: 1 }]);
    expect((await asking("-n", "500")).unasked).toEqual([]);
  });

  test("tells of several engines in lines of eighty columns, and of operators only where somebody does not agree", async () => {
    const engines = ["interpreter", "javascript", "operand_dropped"].flatMap((name) => [
      "-e",
      name === "operand_dropped" ? testee("mutant", name) : name,
    ]);
    const { out } = await adjudge(
      "judge",
      ...engines,
      "-n",
      "25",
      "--profile",
      "tensor",
      "-v",
      "--seconds",
      "0",
    );
    const summary = out.slice(out.indexOf(" agree wrong "));
    expect(summary.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const table = summary.slice(summary.indexOf("\noperator"));
    expect(table).toMatch(
      /^\noperator +\[1\] +\[2\] +\[3\] +\[4\] +\[5\] +\[6\]\nmultiply +✓ +✓ +✓ +✓ +✗\d+ +✗\d+\n✗ /,
    );
  });
});

describe("adjudge smoke", () => {
  test("says that a wrong slope beside a right value is the engine's, and that the adapter is fine", async () => {
    const words = splitWords(testee("slopeless"));
    const { code, out } = await adjudge("smoke", "--", ...words);
    expect(code).toBe(exitCodes.disagrees);
    const told = out.replaceAll(/\s+/g, " ");
    expect(told).toContain("2 faults of the engine, not of the adapter: asin float64 vjp, asin float32 vjp.");
    expect(told).toMatch(
      /ask: adjudge judge -e .*slopeless.* The adapter is fine\. ✗ \d+ of \d+ steps passed, 2 failed/,
    );
    const json: unknown = JSON.parse((await adjudge("smoke", "--json", "--", ...words)).out);
    expect(json).toMatchObject({ isFine: false, engineFaults: ["asin float64 vjp", "asin float32 vjp"] });
  });
});
