import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";

/** A process that tries a mutant ended so. */
export interface Ending {
  /** Its exit code; `undefined` if a signal ended it, as its limits do. */
  readonly code: number | undefined;
  readonly isLate: boolean;
  readonly output: string;
}

export interface Limits {
  /** Processor seconds of each process that it starts. */
  readonly processor: number;
  /** Seconds by the clock, for what waits for ever. */
  readonly clock: number;
}

/** Characters of what a process says that are kept: the last ones. */
const KEPT = 20_000;

const running = new Set<ChildProcess>();

/** Runs Node with these words in a process group of its own, and ends the whole group when it is over. */
export function runNode(
  words: readonly string[],
  { processor, clock }: Limits,
  surroundings: { readonly cwd: string; readonly environment: Readonly<Record<string, string>> },
): Promise<Ending> {
  const { cwd, environment } = surroundings;
  // The shell sets the limit, which is inherited, and becomes Node.
  const child = spawn(
    "/bin/sh",
    ["-c", `ulimit -t ${processor}; exec "$0" "$@"`, process.execPath, ...words],
    { cwd, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  running.add(child);
  const said = { output: "", isLate: false };
  const hear = (chunk: Buffer): void => {
    said.output = (said.output + chunk.toString()).slice(-KEPT);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const watch = setTimeout(() => {
    said.isLate = true;
    endGroup(child);
  }, clock * 1000);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(watch);
      endGroup(child);
      running.delete(child);
      resolve({ code: code ?? undefined, ...said });
    });
  });
}

/** Ends every process that was started here and is not over. */
export function endAll(): void {
  for (const child of running) endGroup(child);
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}
