import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { pythonTestee } from "../testees/index.ts";

/** Holds what all scripts printed, and the exit code of each, −1 where it set none. */
export interface Ran {
  readonly codes: readonly number[];
  readonly printed: string;
}

/** Separates what the scripts printed from their exit codes. */
export const MARK = "\n-- exit codes: ";

const inNode = `
import process from "node:process";
const texts = JSON.parse(await new Response(process.stdin).text());
const codes = [];
for (const [place, text] of texts.entries()) {
  process.exitCode = -1;
  // Imports at the top are cut, since a function body may hold none; dynamic ones are resolved from here.
  const body = text.replace(/^import .*;$/gm, "");
  const run = Object.getPrototypeOf(async () => {}).constructor("process", "load", body.replaceAll("await import(", "await load("));
  await run(process, (name) => import(name)).catch((error) => console.log(String(error)));
  codes[place] = process.exitCode;
}
process.exitCode = 0;
console.log(${JSON.stringify(MARK)} + codes.join(","));
`;

/** Runs scripts in JavaScript in one process, which resolves imports as the adapters do. */
export function runJavaScript(scripts: readonly string[]): Ran {
  const cwd = dirname(fileURLToPath(import.meta.url));
  const input = JSON.stringify(scripts);
  return ranOf(
    spawnSync(process.execPath, ["--input-type=module", "-e", inNode], { cwd, input, encoding: "utf8" }),
  );
}

const inPython = `
import json, sys
codes = []
for text in json.load(sys.stdin):
    try:
        exec(compile(text, "script", "exec"), {"__name__": "__main__"})
        codes.append(-1)
    except SystemExit as end:
        codes.append(end.code)
    except BaseException as error:
        print(type(error).__name__, error)
        codes.append(-1)
print(${JSON.stringify(MARK)} + ",".join(map(str, codes)))
`;

/** Runs scripts in Python in one process, in the environment of the adapters. */
export function runPython(scripts: readonly string[]): Ran {
  const [python = "python3"] = pythonTestee("")?.argv ?? [];
  return ranOf(spawnSync(python, ["-c", inPython], { input: JSON.stringify(scripts), encoding: "utf8" }));
}

/** Reads exit codes and prints from the output of a process that runs scripts. */
export function ranOf({ stdout }: SpawnSyncReturns<string>): Ran {
  const [printed = "", codes = ""] = stdout.split(MARK);
  return { codes: codes === "" ? [] : codes.trim().split(",").map(Number), printed };
}
