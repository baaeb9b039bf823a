import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { formatIssue } from "../../spec/index.ts";
import { cacheFolder } from "./cache_folder.ts";
import { findLean } from "./find.ts";
import { buildLibrary, statementOf } from "./library.ts";
import { formatMessage } from "./messages.ts";

const usage = `usage: node lean-export/run/main.ts [--project FOLDER] [--root NAME] [--no-build] [--theorems PAGE] [FILE...]
Builds the Lake project in FOLDER (lean-export/lean), then runs Lean on each FILE and shows what it says.
With --theorems, prints the theorems that PAGE links to, with their types (lean-export/theorems.txt), or all, if PAGE is all.`;

/** For those who write Lean here: builds the library and shows Lean's messages. Judges nothing. */
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
  const log = (line: string): void => console.error(line);
  const lean = await findLean({ log });
  if (!lean.ok) {
    log(formatIssue(lean.error));
    return 2;
  }
  const limits = { milliseconds: Number(values.seconds) * 1000, outputBytes: 8_000_000 };
  const libraries: string[] = [];
  if (!values["no-build"] && existsSync(resolve(values.project, values.root))) {
    const begun = performance.now();
    const built = await buildLibrary({
      folder: resolve(values.project),
      root: values.root,
      lean: lean.value,
      cache: cacheFolder(),
      limits,
      progress: (module, milliseconds) => log(`compiled ${module} in ${milliseconds} ms`),
    });
    if (!built.ok) {
      for (const issue of built.error) log(issue.message);
      return 1;
    }
    const { modules, compiled, folder, audit } = built.value;
    log(
      `${audit.theorems.length} theorems; axioms named beyond Init's: ${audit.axioms.join(", ") || "none"}`,
    );
    log(
      `${modules.length} modules, ${compiled.length} compiled, ${Math.round(performance.now() - begun)} ms: ${folder}`,
    );
    libraries.push(folder);
    if (values.theorems !== undefined) {
      const page = values.theorems === "all" ? "" : readFileSync(values.theorems, "utf8");
      const cited = [...page.matchAll(/\[`([^`]+)`\]\([^)]*\.lean\)/g)].map(([, name = ""]) => `.${name}`);
      const isAsked = (name: string): boolean => page === "" || cited.some((end) => name.endsWith(end));
      for (const theorem of audit.theorems) if (isAsked(theorem.name)) console.log(statementOf(theorem));
    }
  }
  let code = 0;
  for (const file of positionals) {
    const path = resolve(file);
    const run = await lean.value.run({
      folder: dirname(path),
      file: basename(path),
      libraries,
      options: [],
      isProgram: false,
      limits,
    });
    if (run.kind === "stopped") console.log(`${file}: ${run.why}`);
    else {
      for (const message of run.messages) console.log(formatMessage(message));
      for (const line of run.printed) console.log(line);
      if (run.complaint !== "") console.log(run.complaint);
    }
    const isFine = run.kind === "finished" && run.code === 0;
    if (!isFine) code = 1;
    log(`${file}: ${isFine ? "no errors" : "ERRORS"}, ${run.milliseconds} ms`);
  }
  return code;
}

process.exitCode = await main();
