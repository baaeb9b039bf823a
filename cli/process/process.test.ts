import { spawnSync } from "node:child_process";
import { existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFailed, test } from "vitest";
import { splitWords } from "../../conformance/index.ts";
import { validateReport } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { endProcess, isRunning, plainEnv, program, start, testee } from "./recording.test.kit.ts";

const square = fileURLToPath(new URL("../../docs/examples/square.adj", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "adjudge-process-"));
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command as a shell would, with its output in pipes. */
function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}, input = "") {
  return spawnSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    env: { ...plainEnv, ...env },
    input,
  });
}

/** Returns what a report says of each engine. */
function reportIn(text: string) {
  const report = validateReport(JSON.parse(text));
  return report.ok ? report.value.engines : [];
}

describe("the process", () => {
  test("reads standard input", () => {
    const graph = readFileSync(square, "utf8");
    expect(run(["check", "-"], {}, graph)).toMatchObject({
      status: exitCodes.agrees,
      stdout: "✓ -#square\n",
    });
    expect(run(["check", "-"], {}, "{")).toMatchObject({ status: exitCodes.badInput });
    const ran = run(["run", "-", "-a", "rational", "-i", "x=1/3"], {}, graph);
    expect(ran.stdout).toMatch(/cotangent +2\/3/);
  });

  test.runIf(existsSync("/dev/zero"))("does not read what has no end to its end", () => {
    expect(run(["check", "/dev/zero"])).toMatchObject({
      status: exitCodes.badInput,
      stdout: expect.stringContaining("file/too-long"),
    });
  });

  test("colours what goes into a pipe only when it is forced to, and shows no progress there", () => {
    const judge = ["judge", "-e", "interpreter", "-n", "3"];
    const plain = run(judge);
    expect(plain).toMatchObject({ status: exitCodes.agrees, stderr: "" });
    expect(plain.stdout).not.toContain("\u001b");
    const check = ["check", square];
    expect(run(check, { FORCE_COLOR: "1" }).stdout).toContain("\u001b[");
    expect(run(check, { FORCE_COLOR: "1", NO_COLOR: "1" }).stdout).toBe(run(check).stdout);
  });

  test("ends quietly, and not with 0, when the reader of its output has gone", async () => {
    const { child, ended, notes } = start(["judge", "-e", "interpreter", "-n", "3"]);
    child.stdout?.destroy();
    expect(await ended).toBe(141);
    expect(notes.join("")).toBe("");
  });

  test.runIf(existsSync("/dev/full"))("does not end with 0 when the results cannot be written", async () => {
    const { ended, notes } = start(["judge", "-e", "interpreter", "-n", "3"], openSync("/dev/full", "w"));
    expect(await ended).toBe(exitCodes.badInput);
    expect(notes.join("")).toContain("the results cannot be written: ENOSPC");
  });

  test
    .skipIf(process.platform === "win32")
    .each(sampled("signals", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL"] as const, 2))(
    "is ended by %s and leaves no testee behind, nor what it started",
    async (signal) => {
      const file = join(folder, `${signal}.json`);
      const { child, ended } = start(["judge", "-e", testee("hang", file), "-n", "3"]);
      const pids: number[] = [];
      // A fault here must not outlive the test.
      onTestFailed(() => [child.pid ?? 0, ...pids].forEach(endProcess));
      while (pids.length === 0) {
        await setTimeout(20);
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was told to`);
        if (existsSync(file)) pids.push(...JSON.parse(readFileSync(file, "utf8") || "[]"));
      }
      expect(await Promise.all(pids.map(isRunning))).toEqual([true, true]);
      child.kill(signal);
      await ended;
      expect(child.signalCode).toBe(signal);
      for (const pid of pids) while (await isRunning(pid)) await setTimeout(20);
    },
  );

  test.skipIf(process.platform === "win32")(
    "is ended by a signal in the middle of synchronous work",
    async () => {
      const file = join(folder, "long.json");
      const sines = Array.from({ length: 2000 }, (_, i) => ({ op: "sin", attributes: {}, parents: [i + 1] }));
      const wide = { op: "broadcast_to", attributes: { shape: [2 ** 17] }, parents: [0] };
      const inputs = [{ name: "x", shape: [] }];
      writeFileSync(
        file,
        JSON.stringify({ format: "adjudge.graph.v1", inputs, environment: [], nodes: [wide, ...sines] }),
      );
      const limits = ["--max-elements", "1000000000", "--max-work", "1000000000"];
      const { child, ended } = start(["run", file, "-i", "x=1", "-c", "0=1", ...limits]);
      onTestFailed(() => endProcess(child.pid ?? 0));
      await setTimeout(1000);
      child.kill("SIGTERM");
      await ended;
      // The signal has ended it: the work would have gone on for minutes.
      expect(child.signalCode).toBe("SIGTERM");
    },
  );

  test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)(
    "tells on %s what is known, and writes the report",
    async (signal) => {
      const file = join(folder, `partial-${signal}.json`);
      // The testee answers twelve loads and then never: each case is loaded once or twice.
      const asked = [
        "-n",
        "300",
        "--dtype",
        "float64",
        "--seconds",
        "0",
        "--laws-every",
        "0",
        "--report",
        file,
      ];
      const flag = join(folder, `tired-${signal}`);
      const engines = ["-e", testee("tires", "12", flag), "-e", "wasm"];
      const { child, ended, out, notes } = start(["judge", ...engines, ...asked]);
      onTestFailed(() => endProcess(child.pid ?? 0));
      while (!existsSync(flag)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was told to`);
        await setTimeout(20);
      }
      child.kill(signal);
      await ended;
      expect(child.signalCode).toBe(signal);
      const [, told = ""] =
        /interrupted\s+after\s+(\d+)\s+of\s+300\s+cases,\s+\d+\s+s/.exec(out.join("")) ?? [];
      expect(notes.join("")).toContain("wasm was not asked");
      const [, command = ""] = /interrupted; to go on:\n +adjudge (.*)/.exec(notes.join("")) ?? [];
      expect(splitWords(command)).toEqual(["judge", "--resume", file, ...engines, ...asked]);
      const report = validateReport(JSON.parse(readFileSync(file, "utf8")));
      expect(report.ok && report.value.engines).toMatchObject([
        { extent: { cases: 300, ended: "interrupted" }, outcome: "too little" },
      ]);
      // Those that were on their way when the testee fell silent are not counted.
      expect(Number(told)).toBeGreaterThan(0);
      expect(Number(told)).toBeLessThanOrEqual(12);
      expect(report.ok && report.value.engines[0]?.extent.asked).toBe(Number(told));
    },
  );

  test.skipIf(process.platform === "win32").each(sampled("going on", ["SIGINT", "SIGTERM"] as const, 1))(
    "says on %s how to go on without a report, and so it goes on",
    async (signal) => {
      const [cache, flag] = [join(folder, `cache-${signal}`), join(folder, `tired-of-${signal}`)];
      const engine = testee("tires", "12", flag);
      const asked = ["-n", "30", "-d", "float64", "--seconds", "0", "--laws-every", "0"];
      const { child, ended, notes } = start(["judge", "-e", engine, ...asked], "pipe", {
        ADJUDGE_CACHE: cache,
      });
      onTestFailed(() => endProcess(child.pid ?? 0));
      while (!existsSync(flag)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was told to`);
        await setTimeout(20);
      }
      child.kill(signal);
      await ended;
      const [, command = ""] = /interrupted; to go on:\n +adjudge (.*)/.exec(notes.join("")) ?? [];
      expect(command).toContain("--resume");
      const again = run([...splitWords(command), "--json"], { ADJUDGE_CACHE: cache });
      expect(again.stderr).toBe("");
      const [whole] = reportIn(again.stdout);
      expect(whole?.extent).toMatchObject({ asked: 30, cases: 30, ended: "all" });
      // It comes to what one run comes to.
      const [once] = reportIn(
        run(["judge", "-e", engine, ...asked, "--json"], { ADJUDGE_CACHE: cache }).stdout,
      );
      expect(whole?.counts).toEqual(once?.counts);
    },
  );

  test.skipIf(process.platform === "win32").each(sampled("ends", ["SIGINT", "SIGTERM"] as const, 1))(
    "says on %s that it was interrupted before it asked anybody, and reports that",
    async (signal) => {
      const file = join(folder, `hangs-programs-${signal}.json`);
      const report = join(folder, `reported-programs-${signal}.json`);
      const { child, ended, notes } = start([
        "programs",
        "-e",
        testee("hang", file),
        "-n",
        "7",
        "--first",
        "3",
        "--report",
        report,
      ]);
      onTestFailed(() => endProcess(child.pid ?? 0));
      while (!existsSync(file)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was told to`);
        await setTimeout(20);
      }
      child.kill(signal);
      await ended;
      expect(child.signalCode).toBe(signal);
      expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
        format: "adjudge.program-report.v1",
        engines: [{ ended: "interrupted", told: [] }],
      });
      expect(notes.join("")).toMatch(
        /interrupted; to go on:\n +adjudge programs .* -d float64 --seed 1 --first 3 -n 7\n/,
      );
    },
  );
});
