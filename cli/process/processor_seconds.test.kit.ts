import { existsSync, readFileSync } from "node:fs";

/** Returns the seconds of the processor that a process has had; where none are told, it is left a while. */
export function processorSeconds(pid: number): number {
  if (!existsSync("/proc/self/stat")) return Number.NaN;
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
