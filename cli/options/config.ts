import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { type Command, CommanderError } from "commander";
import type { NamedEngines } from "../../conformance/testees/index.ts";
import { validateConfig } from "../../spec/documents/index.ts";
import { fail, type Issue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import type { ConfigJson } from "../../spec/wire/index.ts";
import { readJson } from "../files/files.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { report } from "./options.ts";
import type { VerbosityFlags } from "./verbosity.ts";

/** A project's settings are in a file of this name. */
export const CONFIG_FILE = "adjudge.config.json";

/** The flags that a file of settings adds to. */
export interface ConfigFlags extends VerbosityFlags {
  readonly config?: string | false;
  /** The engines that the file names. */
  readonly named?: NamedEngines;
}

/** A place is searched in these surroundings. */
export interface Folders {
  readonly working: string;
  readonly home: string;
}

/**
 * Finds the file of settings: in the working folder or above it, up to the repository's root or the user's
 * home. Outside of both the working folder alone is looked at: anybody may put a file into /tmp.
 */
export function findConfig({ working, home }: Folders): string | undefined {
  const above: string[] = [];
  for (let folder = working; ; folder = dirname(folder)) {
    above.push(folder);
    const isTop = folder === home || existsSync(join(folder, ".git"));
    const isRoot = dirname(folder) === folder;
    if (!isTop && !isRoot) continue;
    const searched = isTop ? above : [working];
    return searched.map((one) => join(one, CONFIG_FILE)).find((path) => existsSync(path));
  }
}

/** Reads a file of settings. Fails, naming the file: `file/unreadable`, `json/…`, `schema/…`. */
export async function readConfig(path: string): Promise<Result<ConfigJson, Issue[]>> {
  const json = await readJson(path);
  const read = json.ok ? validateConfig(json.value) : json;
  if (read.ok) return read;
  return fail(read.error.map((issue) => ({ ...issue, message: `${visible(path, 400)}: ${issue.message}` })));
}

/** A setting is the value of an option by its name in the program, and its words for people. */
type Setting = readonly [option: string, value: unknown, told: string];

/** Lists what a file sets. */
function settingsIn(config: ConfigJson, folder: string, working: string): Setting[] {
  const { engines, dtypes, profile, seed, cases, budgets = {}, exclude, known, reports } = config;
  const place = (path: string): string => relative(working, resolve(folder, path)) || ".";
  const names = engines === undefined ? undefined : Object.keys(engines);
  const paths = reports?.map(place);
  const all: readonly (readonly [string, unknown, string])[] = [
    ["engine", names, `engines ${names?.join(", ")}`],
    ["dtype", dtypes, `dtypes ${dtypes?.join(", ")}`],
    ["profile", profile, `profile ${profile}`],
    ["seed", seed, `seed ${seed}`],
    ["cases", cases, `cases ${cases}`],
    ["seconds", budgets.seconds, `seconds ${budgets.seconds}`],
    ["maxElements", budgets.elements, `elements ${budgets.elements}`],
    ["maxWork", budgets.work, `work ${budgets.work}`],
    ["exclude", exclude, `exclude ${exclude?.join(", ")}`],
    ["known", known === undefined ? undefined : place(known), `known ${known}`],
    ["report", paths, `reports ${reports?.join(", ")}`],
  ];
  return all.filter(([, value]) => value !== undefined);
}

/**
 * Adds `--config` and `--no-config` to a command, and has it take from the file of settings these options, as
 * far as no flag gives them. What it has taken is said with `-v`. Bad settings end it as a bad flag does.
 */
export function withConfig(command: Command, taken: readonly string[], terminal: Terminal): Command {
  return command
    .option("--config <file>", `the project's settings (default: ${CONFIG_FILE}, here or above)`)
    .option("--no-config", "read no such file")
    .hook("preAction", async (_, action) => {
      const settled = await settle(action, taken, terminal);
      if (settled.ok) return;
      report(terminal, settled.error);
      throw new CommanderError(1, "adjudge.config", "bad settings");
    });
}

async function settle(
  command: Command,
  taken: readonly string[],
  terminal: Terminal,
): Promise<Result<void, Issue[]>> {
  const { config: wanted, verbosity }: ConfigFlags = command.opts();
  const working = process.cwd();
  const path = wanted ?? findConfig({ working, home: homedir() });
  if (path === false || path === undefined) return ok(undefined);
  const config = await readConfig(path);
  if (!config.ok) return config;
  const folder = dirname(resolve(path));
  const named = new Map(Object.entries(config.value.engines ?? {}));
  command.setOptionValueWithSource("named", { folder, commands: named } satisfies NamedEngines, "config");
  const used = settingsIn(config.value, folder, working).filter(([option]) => {
    const source = command.getOptionValueSource(option);
    return taken.includes(option) && (source === undefined || source === "default");
  });
  for (const [option, value] of used) command.setOptionValueWithSource(option, value, "config");
  const told = used.map(([, , words]) => words).join("; ") || "nothing that this command takes";
  if (verbosity === "verbose") terminal.note(visible(`${relative(working, resolve(path))}: ${told}`, 1000));
  return ok(undefined);
}
