import { spawn } from "node:child_process";
import process from "node:process";

/** Waits for the end of its input, which comes when whoever holds the other end has gone, and then ends a process and its group. */
const WATCH = 'read -r _; kill -9 "-$0" "$0"';

/**
 * Has a child process, and those in its group, ended when this process ends, however that happens: by a signal whose default action
 * nothing of JavaScript sees, or by SIGKILL. Call the result when the child is gone. A shell in a session of its own waits for it, which no signal
 * of a terminal reaches. On Windows, and where there is no `sh`, nothing is done.
 */
export function tieToOurLife(pid: number | undefined): () => void {
  if (pid === undefined || process.platform === "win32") return () => {};
  const watcher = spawn("/bin/sh", ["-c", WATCH, String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // What cannot be started watches nothing; what has ended has done its work.
  watcher.on("error", () => {});
  watcher.stdin.on("error", () => {});
  return () => void watcher.kill("SIGKILL");
}
