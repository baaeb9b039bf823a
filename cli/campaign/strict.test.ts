import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReport } from "../../conformance/report/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-strict-"));
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const tails = `graph tails(x: [2])
  %1 = tanh(x)
at x = [20, 1]
tangent x = [1, 1]
seed %1 = [1, 1]
`;

/** This engine has the reference's slope of tanh, from its value, and declares nothing of slopes. */
const loose = ["-e", "tape:dynamic", "-d", "float64"];

beforeAll(() => writeFile(at("tails.adj"), tails));

describe("a slope without a right digit", () => {
  test("is listed apart, and green", async () => {
    const { code, out } = await adjudge("judge", at("tails.adj"), ...loose);
    expect(code).toBe(exitCodes.agrees);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "imprecise: tanh, 2 numbers without a right digit in 1 case, such as 0 for 1.7e-17 by vjp",
    );
  });

  test("is not green with --strict, also of parts that are put together, and the report says so", async () => {
    const strict = ["judge", at("tails.adj"), ...loose, "--strict", "--report", at("whole.json")];
    expect((await adjudge(...strict)).code).toBe(exitCodes.tooLittle);
    const report = JSON.parse(await readFile(at("whole.json"), "utf8"));
    expect(report).toMatchObject({
      strict: true,
      engines: [{ outcome: "imprecise", imprecise: { tanh: { numbers: 2, cases: 1 } }, verdicts: [] }],
    });
    expect(checkReport(report)).toEqual({ ok: true, value: report });
    expect((await adjudge("merge", at("whole.json"), "--report", at("merged.json"))).code).toBe(
      exitCodes.tooLittle,
    );
    // Parts are made by many commands.
    const { invocation: _, ...told } = report;
    expect(JSON.parse(await readFile(at("merged.json"), "utf8"))).toEqual(told);
  });

  test("is none of an engine that declares accurate slopes", async () => {
    const { code, out } = await adjudge("judge", at("tails.adj"), "-e", "interpreter", "--strict");
    expect([code, out.includes("imprecise")]).toEqual([exitCodes.agrees, false]);
  });

  test("is not looked for in other kinds of question", async () => {
    const { code, notes } = await adjudge("judge", "--kind", "programs", "--strict");
    expect([code, notes]).toEqual([
      exitCodes.badInput,
      expect.stringContaining("--strict is not for programs"),
    ]);
  });
});
