import { spawnSync } from "node:child_process";
import process from "node:process";
import { fail, ok, type Result } from "../../spec/shapes/index.ts";
import type { Command } from "../runner/index.ts";

/** Makes scripts by a program that reads a list of questions and writes a list of `text` or `reason`. */
export function writtenBy(
  { argv: [program, ...rest], env }: Command,
  questions: readonly object[],
): Result<string, string>[] {
  const input = JSON.stringify(questions);
  const ran = spawnSync(program, rest, {
    input,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (ran.status !== 0) return questions.map(() => fail(ran.stderr?.trim() || `${program} does not run`));
  const scripts: readonly { readonly text?: string; readonly reason?: string }[] = JSON.parse(ran.stdout);
  return scripts.map(({ text, reason = "" }) => (text === undefined ? fail(reason) : ok(text)));
}
