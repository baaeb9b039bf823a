import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Command, Option } from "commander";
import { packageRoot, quoteWord } from "../../conformance/testees/index.ts";
import { makeFolder } from "../../spec/cache_folder.ts";
import { fail, type Issue, ok, type Result, visible, visibleJson } from "../../spec/shapes/index.ts";
import { unwritable, writeText } from "../files/files.ts";
import { CONFIG_FILE } from "../options/config.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";
import { jobFor, type Language, languages, noFailures, settingsFor, starters } from "./init_starters.ts";

interface InitFlags {
  readonly lang: Language;
}

/** Adds `adjudge init`, which writes an adapter that runs. */
export function initCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("init")
    .summary("write an adapter that runs, to be changed into yours")
    .description(
      "Writes an adapter for a small library of ten operators, which smoke passes, with its kit; adjudge.config.json,\n" +
        "a list of known failures, and a job for GitHub, in the repository of the folder. What is there already is never\n" +
        "overwritten.",
    )
    .argument("[dir]", "the folder to write to", ".")
    .addOption(
      new Option("--lang <language>", "the language that the adapter is in")
        .choices(languages)
        .makeOptionMandatory(),
    )
    .action(async (folder: string, { lang }: InitFlags) => {
      const written = await begin(folder, lang);
      if (written.ok) for (const line of told(folder, lang, written.value)) terminal.out(line);
      else report(terminal, written.error);
      end(written.ok ? exitCodes.agrees : exitCodes.badInput);
    });
}

/** A file that is to be written, by its path from the working folder. */
type Planned = readonly [path: string, text: string];

/** Writes all files, or none where one is there already. Fails: `file/exists`, `file/unwritable`. */
async function begin(folder: string, lang: Language): Promise<Result<readonly string[], readonly Issue[]>> {
  const planned = await plan(folder, lang);
  const there = planned.flatMap(([path]) => (existsSync(path) ? [existing(path)] : []));
  if (there.length > 0) return fail(there);
  for (const [path, text] of planned) {
    const made = await makeFolder(dirname(resolve(path))).then(
      () => writeText(path, text),
      (thrown) => fail([unwritable(thrown)]),
    );
    if (!made.ok) return made;
  }
  return ok(planned.map(([path]) => path));
}

async function plan(folder: string, lang: Language): Promise<readonly Planned[]> {
  const { template, kit } = starters[lang];
  const repository = repositoryOf(folder);
  const within = relative(repository, resolve(folder)).split(sep).join("/") || ".";
  const ignored = join(folder, ".gitignore");
  return [
    ...(await copied(template, /^/, folder)),
    ...(await copied(kit.from, kit.names, join(folder, kit.to))),
    [join(folder, CONFIG_FILE), `${visibleJson(settingsFor(lang))}\n`],
    [join(folder, "adjudge.known.json"), `${visibleJson(noFailures)}\n`],
    ...(existsSync(ignored) ? [] : ([[ignored, "target/\nnode_modules/\n__pycache__/\n"]] as const)),
    [
      relative("", join(repository, ".github", "workflows", jobName(within))),
      jobFor(lang, within, packageVersion()),
    ],
  ];
}

/** Reads the files of a folder of the package whose names, from there, are such. */
async function copied(from: string, names: RegExp, to: string): Promise<readonly Planned[]> {
  const source = join(packageRoot(), from);
  // Whoever installed the package in Python has its kit there.
  if (!existsSync(source)) return [];
  const found = await readdir(source, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((name) => names.test(name.split(sep).join("/")))
    .toSorted();
  return Promise.all(
    files.map(async (name): Promise<Planned> => [join(to, name), await readFile(join(source, name), "utf8")]),
  );
}

/** Returns the root of the repository that a folder is in, or the folder where it is in none. */
function repositoryOf(folder: string): string {
  for (let above = resolve(folder); ; above = dirname(above)) {
    if (existsSync(join(above, ".git"))) return above;
    if (dirname(above) === above) return resolve(folder);
  }
}

/** A repository has a job for each adapter. */
function jobName(within: string): string {
  return within === "." ? "adjudge.yml" : `adjudge-${within.replaceAll(/[^A-Za-z0-9.]+/g, "-")}.yml`;
}

function existing(path: string): Issue {
  return {
    code: "file/exists",
    pointer: "",
    message: `${visible(path, 400)} is there already, and nothing was written.`,
    hint: "name a folder of its own for the adapter, or move the file away",
  };
}

/** Says what was written, but for the kit's own files, and what to do next. */
function told(folder: string, lang: Language, written: readonly string[]): readonly string[] {
  const { prepare, command, kit } = starters[lang];
  const isOfKit = (path: string): boolean => kit.to !== "." && path.startsWith(join(folder, kit.to) + sep);
  return [
    ...written.filter((path) => !isOfKit(path)).map((path) => visible(path, 400)),
    ...(kit.to === "." ? [] : [`${visible(join(folder, kit.to), 400)}${sep}, the kit`]),
    "",
    "The adapter asks a small library of its own; put yours in its place. Then:",
    ...(folder === "." ? [] : [`  cd ${quoteWord(folder)}`]),
    `  ${prepare}`,
    `  adjudge smoke -- ${command}`,
    "  adjudge judge",
  ];
}
