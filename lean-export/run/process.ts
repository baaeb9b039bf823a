import { spawn } from "node:child_process";
import process from "node:process";

/** A program, its arguments, and what it may take. */
export interface Command {
  readonly file: string;
  readonly argv: readonly string[];
  readonly folder: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
}

/** When a process is ended. */
export interface ProcessLimits {
  readonly milliseconds: number;
  /** Of standard output and standard error together. */
  readonly outputBytes: number;
}

/** How a process ended, and what it had written by then. */
export interface ProcessEnd {
  readonly ending:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "killed"; readonly why: string }
    | { readonly kind: "not-started"; readonly why: string };
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/**
 * Runs a program to its end, or to its limit. Law: it is gone when the promise resolves, and it never rejects.
 */
export function runProcess(command: Command, signal?: AbortSignal): Promise<ProcessEnd> {
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const begun = performance.now();
  const written: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  let bytes = 0;
  let killed: string | undefined;
  const isGrouped = process.platform !== "win32";
  const child = spawn(command.file, command.argv, {
    cwd: command.folder,
    env: { ...command.environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isGrouped,
  });
  const kill = (why: string): void => {
    killed ??= why;
    killGroup(child.pid, isGrouped);
  };
  const end = (ending: ProcessEnd["ending"]): void => {
    clearTimeout(timer);
    process.removeListener("exit", atExit);
    signal?.removeEventListener("abort", atAbort);
    const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString("utf8");
    const milliseconds = Math.round(performance.now() - begun);
    resolve({ ending, stdout: text(written.stdout), stderr: text(written.stderr), milliseconds });
  };
  const read = (to: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > command.limits.outputBytes) kill(`wrote more than ${command.limits.outputBytes} bytes`);
    else to.push(chunk);
  };
  const atExit = (): void => kill("its caller has ended");
  const atAbort = (): void => kill("its caller has given it up");
  const { milliseconds } = command.limits;
  const timer = setTimeout(() => kill(`took more than ${milliseconds} ms`), milliseconds);
  process.on("exit", atExit);
  signal?.addEventListener("abort", atAbort);
  if (signal?.aborted === true) atAbort();
  child.stdout.on("data", read(written.stdout));
  child.stderr.on("data", read(written.stderr));
  child.once("error", (error) => {
    if (child.pid === undefined) end({ kind: "not-started", why: error.message });
  });
  child.once("exit", () => killGroup(child.pid, isGrouped));
  child.once("close", (code, name) => {
    if (killed !== undefined) end({ kind: "killed", why: killed });
    else if (code === null) end({ kind: "killed", why: `was ended by ${name}` });
    else end({ kind: "exited", code });
  });
  return promise;
}

/** Ends a process and those it started. */
function killGroup(pid: number | undefined, isGrouped: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isGrouped ? -pid : pid, "SIGKILL");
  } catch {
    // It has gone already.
  }
}
