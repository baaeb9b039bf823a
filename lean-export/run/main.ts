import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { formatIssue } from "../../spec/shapes/index.ts";
import type { Theorem } from "./answer.ts";
import { findLean } from "./find.ts";
import type { Lean } from "./lean.ts";
import { type BuiltLibrary, buildLibrary, statementOf } from "./library.ts";
import { formatMessage } from "./messages.ts";
import type { ProcessLimits } from "./process.ts";

const usage = `usage: node lean-export/run/main.ts [--project FOLDER] [--root NAME] [--no-build] [--theorems PAGE] [FILE...]
Builds the Lake project in FOLDER (lean-export/lean), then runs Lean on each FILE and shows what it says.
With --theorems, prints the theorems that PAGE links to, with their types (lean-export/theorems.txt), or all, if PAGE is all.`;

const log = (line: string): void => console.error(line);

/** Builds the library and shows Lean's messages, for those who write Lean here. It judges nothing. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      project: { type: "string", default: "lean-export/lean" },
      root: { type: "string", default: "Adjudge" },
      theorems: { type: "string" },
      "no-build": { type: "boolean", default: false },
      seconds: { type: "string", default: "300" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const lean = await findLean({ log });
  if (!lean.ok) {
    log(formatIssue(lean.error));
    return 2;
  }
  const limits = { milliseconds: Number(values.seconds) * 1000, outputBytes: 8_000_000 };
  const libraries: string[] = [];
  if (!values["no-build"] && existsSync(resolve(values.project, values.root))) {
    const built = await build(resolve(values.project), values.root, lean.value, limits);
    if (built === undefined) return 1;
    libraries.push(built.folder);
    if (values.theorems !== undefined) printCited(values.theorems, built.audit.theorems);
  }
  let code = 0;
  for (const file of positionals) if (!(await isFine(file, lean.value, libraries, limits))) code = 1;
  return code;
}

/** Builds the library, and says what came of it. */
async function build(
  folder: string,
  root: string,
  lean: Lean,
  limits: ProcessLimits,
): Promise<BuiltLibrary | undefined> {
  const begun = performance.now();
  const built = await buildLibrary({
    folder,
    root,
    lean,
    cache: cacheFolder(),
    limits,
    progress: (module, milliseconds) => log(`compiled ${module} in ${milliseconds} ms`),
  });
  if (!built.ok) {
    for (const issue of built.error) log(issue.message);
    return undefined;
  }
  const { modules, compiled, audit } = built.value;
  const took = Math.round(performance.now() - begun);
  log(`${audit.theorems.length} theorems; axioms named beyond Init's: ${audit.axioms.join(", ") || "none"}`);
  log(`${modules.length} modules, ${compiled.length} compiled, ${took} ms: ${built.value.folder}`);
  return built.value;
}

/** Prints the theorems that a page links to, each on a line; all of them, if the page is called all. */
function printCited(page: string, theorems: readonly Theorem[]): void {
  const links = page === "all" ? [] : readFileSync(page, "utf8").matchAll(/\[`([^`]+)`\]\([^)]*\.lean\)/g);
  const cited = [...links].map(([, name = ""]) => `.${name}`);
  const named = theorems.filter(({ name }) => page === "all" || cited.some((end) => name.endsWith(end)));
  for (const theorem of named) console.log(statementOf(theorem));
}

/** Runs Lean on a file, and shows what it says. */
async function isFine(
  file: string,
  lean: Lean,
  libraries: readonly string[],
  limits: ProcessLimits,
): Promise<boolean> {
  const path = resolve(file);
  const job = {
    folder: dirname(path),
    file: basename(path),
    libraries,
    options: [],
    isProgram: false,
    limits,
  };
  const run = await lean.run(job);
  if (run.kind === "stopped") console.log(`${file}: ${run.why}`);
  else {
    for (const message of run.messages) console.log(formatMessage(message));
    for (const line of run.printed) console.log(line);
    if (run.complaint !== "") console.log(run.complaint);
  }
  const isDone = run.kind === "finished" && run.code === 0;
  log(`${file}: ${isDone ? "no errors" : "ERRORS"}, ${run.milliseconds} ms`);
  return isDone;
}

process.exitCode = await main();
