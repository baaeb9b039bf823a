import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createColors } from "picocolors";
import { afterAll, describe, expect, onTestFailed, test } from "vitest";
import { adjudge, endProcess, start } from "../process/recording.test.kit.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { contentsOf, differing, watching } from "./watch.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file below the folder, and returns its path. */
function written(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("watching", () => {
  test("runs again at each change that is named, and ends with the last run's code", async () => {
    const notes: string[] = [];
    const terminal: Terminal = {
      palette: createColors(false),
      columns: 80,
      out: () => {},
      note: (line) => notes.push(line),
      progress: () => {},
    };
    const codes: ExitCode[] = [exitCodes.disagrees, exitCodes.disagrees, exitCodes.agrees];
    let runs = 0;
    const run = async (): Promise<ExitCode> => codes[runs++] ?? exitCodes.internal;
    async function* changes(): AsyncGenerator<string[]> {
      yield ["a.py"];
      yield ["b.py", "c.py", "d\n.py"];
    }
    expect(await watching(run, changes(), terminal)).toBe(exitCodes.agrees);
    expect(runs).toBe(3);
    const told = notes.filter((line) => line.includes("changed"));
    expect(told.map((line) => line.split(":")[0])).toEqual(["! a.py changed", "! b.py and 2 more changed"]);
  });

  test("sees contents, and no file that is touched, hidden, built, or written by the run", () => {
    const adapter = written("seen/a.py", "1");
    const beside = written("seen/b.py", "1");
    const report = written("seen/found.json", "1");
    const deep = written("library/x/y.py", "1");
    const skipped = [".a.py.swp", "a.py~", "node_modules/m.js", "__pycache__/a.pyc", ".git/index"];
    for (const name of skipped) written(`library/${name}`, "1");
    written("seen/below/c.py", "1");
    const watched = {
      files: [adapter],
      folders: [join(folder, "seen")],
      trees: [join(folder, "library")],
      written: [report],
    };
    const before = contentsOf(watched);
    expect(new Set(before.keys())).toEqual(new Set([adapter, beside, deep]));
    const changedBy = (name: string, text: string): readonly string[] => {
      written(name, text);
      return differing(before, contentsOf(watched));
    };
    utimesSync(adapter, 1, 1);
    expect(changedBy("seen/b.py", "1")).toEqual([]);
    expect(changedBy("seen/found.json", "2")).toEqual([]);
    for (const name of skipped) expect(changedBy(`library/${name}`, "2")).toEqual([]);
    expect(changedBy("seen/below/c.py", "2")).toEqual([]);
    expect(changedBy("library/x/y.py", "2")).toEqual([deep]);
    expect(changedBy("seen/new.py", "2")).toEqual([deep, join(folder, "seen/new.py")].sort());
    rmSync(beside);
    expect(differing(before, contentsOf(watched))).toContain(beside);
  });
});

describe("judge --watch", () => {
  const script = fileURLToPath(new URL("../process/testee.test.script.ts", import.meta.url));

  test.skipIf(process.platform === "win32")(
    "asks first what failed once the adapter changes, and ends with Ctrl-C",
    async () => {
      const engine = (
        name: string,
      ): string => `process.argv.splice(2, 9, "mutant", "operand_dropped", "${name}");
        await import(${JSON.stringify(script)});`;
      const [adapter, mended] = [written("live/adapter.mjs", engine("no")), written("mended", "")];
      const asked = ["-n", "20", "-d", "float64", "--seconds", "0", "--laws-every", "0", "--json"];
      const command = `"${process.execPath}" "${adapter}"`;
      const { child, ended, out, notes } = start(["judge", "-e", command, ...asked, "--watch"], "pipe", {
        ADJUDGE_CACHE: join(folder, "cache"),
      });
      onTestFailed(() => endProcess(child.pid ?? 0));
      const waitsFor = async (times: number): Promise<void> => {
        while (notes.join("").split("waiting for changes").length <= times) {
          if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${notes.join("")}`);
          await setTimeout(20);
        }
      };
      const reports = (): {
        readonly verdicts: { readonly case: number; readonly verdict: { readonly kind: string } }[];
        readonly extent: unknown;
      }[] =>
        out
          .join("")
          .split(/^(?=\{)/m)
          .map((text) => JSON.parse(text).engines[0]);
      await waitsFor(1);
      written("live/adapter.mjs", `${engine("no")} // changed`);
      await waitsFor(2);
      written("live/adapter.mjs", engine(mended));
      await waitsFor(3);
      child.kill("SIGINT");
      await ended;
      expect(child.signalCode).toBe("SIGINT");
      const [first, again, last] = reports();
      const failedIn = (report: typeof first): number[] =>
        (report?.verdicts ?? []).flatMap((one) => (one.verdict.kind === "disagrees" ? [one.case] : []));
      expect(failedIn(first).length).toBeGreaterThan(1);
      // What failed comes first, in its order, and nothing is lost.
      expect(failedIn(again)).toEqual(failedIn(first).toSorted((a, b) => a - b));
      expect(failedIn(first)).not.toEqual(failedIn(again));
      expect([again?.extent, last?.extent]).toMatchObject([{ asked: 20 }, { asked: 20 }]);
      expect(failedIn(last)).toEqual([]);
      expect(notes.join("")).toContain("adapter.mjs changed");
    },
  );

  test("is missing where only a path is given", async () => {
    expect(await adjudge("judge", "--watch-path", folder)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("give --watch"),
    });
  });

  test.each([
    [["-e", "interpreter"], "watch/nothing"],
    [["-e", "interpreter", "--watch-path", join(folder, "nowhere")], "watch/path"],
    [["--last-failed"], "--last-failed does not go with --watch"],
    [["--kind", "programs"], "--watch is not for programs"],
    [["--jobs", "2"], "--watch does not go with --jobs"],
  ])("refuses %j", async (flags, complaint) => {
    expect(await adjudge("judge", "--watch", ...flags)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining(complaint),
    });
  });
});
