import { spawn } from "node:child_process";
import process from "node:process";

/** Waits until its input ends, when the other end's owner is gone, and ends a process and its group. */
const WATCH = 'read -r _; kill -9 "-$0" "$0"';

/**
 * Has a child process and its group ended when this process ends, even by SIGKILL or a signal that JavaScript
 * does not see. Call the result when the child is gone. A shell in a session of its own waits for it, which
 * no terminal's signal reaches. On Windows, and without `sh`, nothing is done.
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
