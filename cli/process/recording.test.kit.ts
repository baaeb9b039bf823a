import { execFile, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createColors } from "picocolors";
import type { ExitCode } from "../terminal/exit.ts";
import { main } from "./main.ts";

/** A command wrote this and ended so. */
export interface Recorded {
  readonly code: ExitCode;
  readonly out: string;
  readonly notes: string;
}

/** Runs `adjudge` in this process on a terminal without colours that nobody watches. */
export async function adjudge(...argv: readonly string[]): Promise<Recorded> {
  return await adjudgeIn(80, ...argv);
}

/** Runs `adjudge` on a terminal of so many columns. */
export async function adjudgeIn(columns: number, ...argv: readonly string[]): Promise<Recorded> {
  const out: string[] = [];
  const notes: string[] = [];
  const code = await main(argv, {
    palette: createColors(false),
    columns,
    out: (line) => out.push(line),
    note: (line) => notes.push(line),
    progress: () => {},
  });
  return { code, out: out.join("\n"), notes: notes.join("\n") };
}

/** Returns the command line of a testee beside these tests, as `-e` takes it. */
export function testee(...words: readonly string[]): string {
  const script = fileURLToPath(new URL("./testee.test.script.ts", import.meta.url));
  return [process.execPath, script, ...words].map((word) => `"${word}"`).join(" ");
}

/** Tells whether a process is there and not merely waiting to be reaped. */
export function isRunning(pid: number): Promise<boolean> {
  return new Promise((resolve) =>
    execFile("ps", ["-o", "stat=", "-p", String(pid)], (_error, stdout) =>
      resolve(!["", "Z"].includes(stdout.trim().slice(0, 1))),
    ),
  );
}

/** The file of the command. */
export const program: string = fileURLToPath(new URL("../adjudge.ts", import.meta.url));

const { FORCE_COLOR: _, NO_COLOR: __, ...uncoloured } = process.env;

/** Processes of tests have this environment, which says nothing of colours. */
export const plainEnv: Readonly<NodeJS.ProcessEnv> = uncoloured;

/** Starts the command in a process of its own, and collects what it prints; the caller ends it. */
export function start(
  argv: readonly string[],
  stdout: "pipe" | number = "pipe",
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...plainEnv, ...env },
    stdio: ["ignore", stdout, "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const notes: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => notes.push(chunk.toString()));
  const out: string[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk.toString()));
  return { child, ended, notes, out };
}

/** Ends a process that a failed test may have left. */
export function endProcess(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
