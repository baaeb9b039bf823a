import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { findCompiler } from "./index.ts";

test.skipIf(findCompiler() === undefined)("threads of Node.js may ask in turn, and end", () => {
  const program = join(import.meta.dirname, "threads.test.script.ts");
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  const lines = stdout.trimEnd().split("\n");
  // The team's library and that of the large program are not unloaded with the thread that loaded them.
  expect([status, lines.splice(3, 1)]).toEqual([0, ["2 libraries stay"]]);
  const [first = ""] = lines;
  expect(lines).toEqual([first, first, first, first]);
  const sines = [0, 1, 2, 3, 4].map(Math.sin).join(" ");
  expect(first.startsWith(`${sines} `)).toBe(true);
  const gradient = Math.tanh(1) + (1 - Math.tanh(1) ** 2);
  expect(Number(first.split(" ").at(-1))).toBeCloseTo(gradient, 12);
});
