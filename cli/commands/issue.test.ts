import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const suite = `${root}/conformance/suites`;
const vector = `${suite}/findings/tfjs.adj#tfjs_cumulative_sum_transposed`;
const other = `${suite}/findings/tfjs.adj#tfjs_broadcast_to_empty`;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adjudge-issue-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("adjudge issue", () => {
  test("writes a report, the smallest case, theorems, and a script that shows the fault by itself", async () => {
    const { code } = await adjudge("issue", vector, "-e", "tfjs", "--lean", "-o", folder);
    expect(code).toBe(exitCodes.disagrees);
    expect(readdirSync(folder).toSorted()).toEqual(
      ["adj", "lean", "md", "mjs", "verdict.lean"].map(
        (ending) => `tfjs_cumulative_sum_transposed.${ending}`,
      ),
    );
    const theorems = readFileSync(join(folder, "tfjs_cumulative_sum_transposed.lean"), "utf8");
    expect(theorems).toContain("theorem run_is_backpropagation : program.Runs run :=");
    expect(theorems).toContain("⟨.cumulative_sum 0, [0], [2, 2]⟩");
    const proof = readFileSync(join(folder, "tfjs_cumulative_sum_transposed.verdict.lean"), "utf8");
    expect(proof).toMatch(/^ {4}⟨true, 0, \d, 7, 0, true⟩\]$/m);
    expect(proof).toContain("program.Decides functions given enclosure answers 0 0");
    const script = readFileSync(join(folder, "tfjs_cumulative_sum_transposed.mjs"), "utf8");
    const report = readFileSync(join(folder, "tfjs_cumulative_sum_transposed.md"), "utf8");
    expect(report).toContain(script.trimEnd());
    expect(report).toContain("| answered | 7 (0x1.cp+2) |");
    const page = readFileSync(join(root, "docs/issue.md"), "utf8");
    const isOfHere = /^ *- .*(adjudge [0-9]|, x64|, arm64)/;
    const missing = report
      .split("\n")
      .filter((line) => !isOfHere.test(line) && !page.includes(line === "" ? "" : `\n    ${line}\n`));
    expect(missing).toEqual([]);
    const replayed = await adjudge(
      "replay",
      join(folder, "tfjs_cumulative_sum_transposed.adj"),
      "-e",
      "tfjs",
    );
    expect(replayed.code).toBe(exitCodes.disagrees);
    const run = (text: string, cwd: string) =>
      spawnSync(process.execPath, ["--input-type=module"], { input: text, cwd, encoding: "utf8" }).status;
    expect(run(script, root)).toBe(1);
    expect(run(script.replace("14 <= answer && answer <= 14", "7 <= answer && answer <= 7"), root)).toBe(0);
    expect(run(script, folder)).toBe(2);
    expect(run(script.replace("tf.cumsum", "tf.gone"), root)).toBe(2);
  });

  test("takes a finding of a report, and says which there are where it is not told", async () => {
    const file = join(folder, "found.json");
    await adjudge("judge", vector, other, "-e", "tfjs", "--report", file);
    const several = await adjudge("issue", file);
    expect([several.code, several.notes]).toEqual([
      exitCodes.badInput,
      expect.stringMatching(/issue\/which: .* say with --finding which: 1 error\[.*\]: .*; 2 error\[/),
    ]);
    const { out } = await adjudge("issue", file, "--finding", "2", "-o", folder);
    expect(out).toContain(join(folder, "tfjs-2.md"));
  });

  test("takes no finding about a tape, which is no graph's", async () => {
    const file = join(folder, "tapes.json");
    await adjudge("judge", `${suite}/manners/several.adj#row_for_a_column`, "-e", "jaxjs", "--report", file);
    const { code, notes } = await adjudge("issue", file, "--finding", "1", "-o", folder);
    expect([code, notes]).toEqual([
      exitCodes.badInput,
      expect.stringContaining("issue/case: that is a script for tapes"),
    ]);
  });

  test("has nothing to write where the engine is right", async () => {
    const { code, notes } = await adjudge("issue", vector, "-e", "interpreter", "-o", folder);
    expect([code, notes]).toEqual([exitCodes.agrees, expect.stringContaining("nothing to report")]);
  });

  test("says where it cannot write, and ends", async () => {
    // In /proc Node tries to make the folders around one for ever.
    const { code, notes } = await adjudge("issue", vector, "-e", "tfjs", "-o", "/proc/no/such");
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("file/unwritable")]);
  });

  test("wants to know whom to ask", async () => {
    expect((await adjudge("issue", vector)).code).toBe(exitCodes.badInput);
  });
});
