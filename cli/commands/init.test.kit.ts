import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { packageRoot } from "../../conformance/testees/index.ts";
import { adjudge, program, type Recorded } from "../process/recording.test.kit.ts";
import { type Language, starters } from "./init_starters.ts";

/** A command ended so, with what it wrote to both streams. */
export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** Makes a folder that is the root of a repository. */
export function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "adjudge-init-"));
  mkdirSync(join(folder, ".git"));
  return folder;
}

export const init = (language: Language, folder: string): Promise<Recorded> =>
  adjudge("init", "--lang", language, folder);

/** Runs a command of the shell, with the Node that runs this and the tests' Python first. */
export function ran(folder: string, command: string): Ended {
  const python = process.env.ADJUDGE_PYTHON;
  const venv = python === undefined ? join(packageRoot(), ".venv", "bin") : dirname(python);
  const first = [dirname(process.execPath), venv];
  const PATH = [...first, process.env.PATH].join(delimiter);
  const ended = spawnSync("sh", ["-c", command], {
    cwd: folder,
    env: { ...process.env, PATH, NO_COLOR: "1", CARGO_TERM_COLOR: "never" },
    encoding: "utf8",
  });
  return { code: ended.status, said: ended.stdout + ended.stderr };
}

/** Runs `adjudge` in a folder. */
export function asked(folder: string, words: string): Ended {
  return ran(folder, `"${process.execPath}" "${program}" ${words}`);
}

/** Runs the adapter that `init` wrote through `smoke`, and through `judge` as its settings say. */
export function judged(language: Language, folder: string): readonly Ended[] {
  return [`smoke -- ${starters[language].command}`, "judge -n 40 --seconds 0"].map((words) =>
    asked(folder, words),
  );
}

/** Has a folder find the package where npm would have put it, as sources. */
export function withPackage(folder: string): void {
  const place = join(folder, "node_modules", "adjudge");
  mkdirSync(place, { recursive: true });
  symlinkSync(packageRoot(), join(place, "sources"));
  const doors = {
    "./conformance": "./sources/conformance/index.ts",
    "./engines": "./sources/engines/index.ts",
  };
  writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module", exports: doors }));
}
