/**
 * `node crowd.test.script.ts JOBS WORKERS MILLISECONDS [kill]` has so many workers ask so many jobs over a
 * Redis of its own, whose workers take so many milliseconds for each, and prints what that took. With `kill`,
 * each worker is a process, and 40 times one of them is killed and replaced; so is Redis once, in the
 * middle. It fails if a job is not counted once.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { crowd } from "./crowd.test.kit.ts";

const [, , jobs = "1000", workers = "8", milliseconds = "0", kill] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "adjudge-crowd-"));
try {
  const isKilled = kill === "kill";
  const figures = await crowd(folder, Number(jobs), Number(workers), Number(milliseconds), isKilled);
  console.log(JSON.stringify(figures));
  if (!figures.isCountedOnce) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
