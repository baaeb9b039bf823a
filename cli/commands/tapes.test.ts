import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tapeVectors } from "../../conformance/index.ts";
import { validateReport } from "../../spec/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";

const suite = fileURLToPath(new URL("../../conformance/suites/manners", import.meta.url));
const twice = join(suite, "sweeps.adj#twice_the_same");
const once = join(suite, "sweeps.adj#once_and_again");

/** An engine in a file, whose tapes answer whatever they are asked with the first answer that they gave. */
const forgetful = `
import { tapeEngineMutants } from ${JSON.stringify(new URL("../../engines/index.ts", import.meta.url))};
import { serve } from ${JSON.stringify(new URL("../../conformance/testees/kit.ts", import.meta.url))};
await serve(tapeEngineMutants.find(({ name }) => name === "answers_from_memory").engine());
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "adjudge-tapes-"));
  await writeFile(join(folder, "forgetful.ts"), forgetful);
});
afterAll(() => rm(folder, { recursive: true }));

describe("a script for tapes", () => {
  test("is printed with its graphs and a line for each step, and is well-formed", async () => {
    const { code, out } = await adjudge("show", once);
    expect(code).toBe(0);
    expect(out).toContain("tapes once_and_again\n  graph g(x: [2])\n    %1 = exp(x)\n");
    expect(out).toContain("  record a of g once at x = [0.5, -2]\n");
    expect(out).toContain("  sweep a from %1 = [3, 7] must refuse\n");
    expect((await adjudge("check", once, twice)).code).toBe(0);
  });

  test("that makes no sense is refused with a place and a hint by every command", async () => {
    const bad = join(folder, "bad.json");
    const text = JSON.stringify(tapeVectors().get("manners/twice_the_same"));
    await writeFile(bad, text.replace('"do":"sweep","tape":"a"', '"do":"sweep","tape":"b"'));
    for (const argv of [
      ["check"],
      ["show"],
      ["judge", "-e", "interpreter"],
      ["replay", "-e", "interpreter"],
    ]) {
      const { code, out, notes } = await adjudge(...argv, bad);
      expect([argv[0], code]).toEqual([argv[0], 2]);
      expect(`${out}${notes}`).toContain("tape/unknown");
      expect(`${out}${notes}`).toContain('there are "a"');
    }
  });

  test("is judged, by file and by folder, and what cannot be asked is declined and never passed", async () => {
    const whole = await adjudge("judge", suite, "-e", "interpreter", "--dtype", "float64");
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining(" 65/65 ")]);
    const none = await adjudge("judge", once, "-e", "tape:persistent", "--dtype", "float64");
    expect(none.code).not.toBe(0);
    expect(none.out).toContain("the engine has no tapes that can be swept once");
    const without = await adjudge("judge", once, "-e", "javascript", "--dtype", "float64");
    expect(without.code).not.toBe(0);
    expect(without.out).toContain("the engine has no tapes");
  });

  test("is shown with the step that went wrong, through a pipe, and in a report that can be read again", async () => {
    const engine = `node ${join(folder, "forgetful.ts")}`;
    const path = join(folder, "report.json");
    const other = join(suite, "sweeps.adj#twice_with_other_seeds");
    const { code, out } = await adjudge("judge", other, "-e", engine, "--dtype", "float64", "--report", path);
    expect(code).toBe(1);
    expect(out).toContain("      # step 2 goes wrong:\n      sweep a from %2 = [-5, 11]");
    expect(out).toContain("step 2, sweep at y, element 0: got 6, want exactly -10");
    expect(out).toContain("It is what step 1 owes.");
    const report: unknown = JSON.parse(await readFile(path, "utf8"));
    expect(validateReport(report)).toMatchObject({ ok: true });
    expect(JSON.stringify(report)).toContain('"format":"adjudge.tape-case.v1"');
    const again = await adjudge("replay", other, "-e", engine, "--dtype", "float64");
    expect([again.code, again.out]).toEqual([1, expect.stringContaining("It is what step 1 owes.")]);
    expect((await adjudge("merge", path)).code).toBe(1);
  });
});
