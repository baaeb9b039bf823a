import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { adjudge } from "../../process/recording.test.kit.ts";
import { exitCodes } from "../../terminal/exit.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-campaigns-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the command line of a script in the folder of campaigns. */
const command = (script: string, ...words: readonly string[]): string =>
  [process.execPath, fileURLToPath(new URL(script, import.meta.url)), ...words]
    .map((word) => `"${word}"`)
    .join(" ");

describe("a campaign", { timeout: 600_000 }, () => {
  test("asks a command for its functions once, until one of its files changes", async () => {
    const path = join(folder, "functions.db");
    const names = join(folder, "names.txt");
    writeFileSync(names, "first");
    const script = fileURLToPath(new URL("../functions.test.script.ts", import.meta.url));
    const words = [
      "--store",
      path,
      "--jobs",
      "1",
      "-e",
      `"${process.execPath}" "${script}" 1 0.5 "${names}"`,
    ];
    const first = await adjudge("campaign", "run", ...words);
    expect([first.code, first.out]).toEqual([
      exitCodes.disagrees,
      expect.stringMatching(/^3 questions, 2 faults$/m),
    ]);
    expect((await adjudge("campaign", "run", ...words)).out).toBe(first.out);
    writeFileSync(names, "second");
    expect((await adjudge("campaign", "run", ...words)).out).toMatch(/^6 questions, 4 faults$/m);
  });

  test("goes on where it ended, and names what broke between two versions", async () => {
    const path = join(folder, "versions.db");
    const engines = [
      command("./versioned.test.script.ts", "1.9.0", "relu_leaks"),
      command("./versioned.test.script.ts", "1.10.0", "sum_drops_last"),
    ];
    const words = [
      "--store",
      path,
      "--kind",
      "graphs",
      "-d",
      "float64",
      ...engines.flatMap((one) => ["-e", one]),
    ];
    expect((await adjudge("campaign", "run", ...words, "-n", "60")).out).toMatch(/^120 questions, /m);
    expect((await adjudge("campaign", "run", ...words, "-n", "80")).out).toMatch(/^160 questions, /m);
    const site = join(folder, "site");
    const { out } = await adjudge("campaign", "report", "--store", path, "--site", site);
    expect(out).toContain("✗ shaky 1.9.0 → 1.10.0, 80 common questions: 1 broke, 1 mended");
    expect(out).toContain("broke: graphs: sum value");
    expect(out).toContain("mended: graphs: relu cotangent");
    expect(out).toMatch(/: 120 questions, .*\n.*: 40 questions, \d new fault/);
    const read = (file: string): string => readFileSync(join(site, file), "utf8");
    expect(read("index.html")).toContain("160 questions asked");
    expect(read("operator/sum.html")).toContain("shaky 1.10.0: sum value");
    for (const file of ["engine/shaky-1.9.0.report-1.html", "badge/shaky-1.10.0.svg"])
      expect(existsSync(join(site, file))).toBe(true);
  });
});
