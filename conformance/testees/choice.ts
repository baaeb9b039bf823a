import { checkAll, fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { Command, Limits } from "../runner/index.ts";
import { bundledEngine, bundledEngines, type Started, startCommand, usualEngines } from "./bundled.ts";
import { splitWords } from "./shell_words.ts";

/** An engine as the command line names it. */
export interface EngineChoice {
  /** The user's text, which replay lines repeat. */
  readonly label: string;
  start(limits: Partial<Limits>): Promise<Started>;
}

/** Engines that a project names: by name a command, which runs in the folder, or a bundled engine. */
export interface NamedEngines {
  readonly folder: string;
  readonly commands: ReadonlyMap<string, string>;
}

/** No project names engines. */
const noNames: NamedEngines = { folder: ".", commands: new Map() };

/** Returns every bundled engine but other ways to run one of them. */
export function everyEngine(): EngineChoice[] {
  return usualEngines.map((engine) => ({ label: engine.name, start: (limits) => engine.start(limits) }));
}

/**
 * Returns the engine that a text names: one of the project's, a bundled one, or a command line of the
 * protocol, split at spaces (quote with `"` or `'`). A single word is a command if it is a path. Fails:
 * `engine/unknown`.
 */
export function chooseEngine(text: string, named: NamedEngines = noNames): Result<EngineChoice, Issue[]> {
  const bundled = bundledEngine(named.commands.get(text) ?? text);
  if (bundled !== undefined) return ok({ label: text, start: (limits) => bundled.start(limits) });
  const command = commandOf(text, named);
  if (!command.ok) return command;
  return ok({ label: text, start: (limits) => startCommand(command.value, limits) });
}

/** Returns the command that a text is, or that the project calls so. Fails: `engine/unknown`. */
export function commandOf(text: string, named: NamedEngines = noNames): Result<Command, Issue[]> {
  const own = named.commands.get(text);
  const [program, ...rest] = splitWords(own ?? text);
  // The project's commands need not look like commands.
  const isWord = own === undefined && rest.length === 0 && !/[/\\]/.test(program ?? "");
  if (program === undefined || isWord) return fail([unknownEngine(text, named)]);
  return ok({ argv: [program, ...rest], ...(own === undefined ? {} : { cwd: named.folder }) });
}

/** Returns the engines that some texts name. Fails: as {@link chooseEngine} does, for each of them. */
export function chooseEngines(
  texts: readonly string[],
  named: NamedEngines = noNames,
): Result<EngineChoice[], Issue[]> {
  return checkAll(texts, (text) => chooseEngine(text, named));
}

function unknownEngine(text: string, { commands }: NamedEngines): Issue {
  const names = [...commands.keys(), ...bundledEngines.map(({ name }) => name)];
  const near = nearestName(text, names);
  return {
    code: "engine/unknown",
    pointer: "",
    message: `there is no bundled engine ${quote(text)}.`,
    hint: `${near === undefined ? "name" : `did you mean ${near}? Name`} one of ${names.join(", ")}, or give a command such as "python3 my_adapter.py" or ./my_adapter`,
  };
}
