import { checkAll, fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { Limits } from "../runner/index.ts";
import { bundledEngine, bundledEngines, type Started, startCommand, usualEngines } from "./bundled.ts";
import { splitWords } from "./shell_words.ts";

/** An engine as the command line names it. */
export interface EngineChoice {
  /** The user's text, which replay lines repeat. */
  readonly label: string;
  start(limits: Partial<Limits>): Promise<Started>;
}

/** Returns every bundled engine but other ways to run one of them. */
export function everyEngine(): EngineChoice[] {
  return usualEngines.map((engine) => ({ label: engine.name, start: (limits) => engine.start(limits) }));
}

/**
 * Returns the engine that a text names: a bundled one, or a command line of the protocol, split at spaces
 * (quote with `"` or `'`). A single word is a command if it is a path. Fails: `engine/unknown`.
 */
export function chooseEngine(text: string): Result<EngineChoice, Issue[]> {
  const bundled = bundledEngine(text);
  if (bundled !== undefined) return ok({ label: text, start: (limits) => bundled.start(limits) });
  const [program, ...rest] = splitWords(text);
  if (program === undefined || (rest.length === 0 && !/[/\\]/.test(program)))
    return fail([unknownEngine(text)]);
  return ok({ label: text, start: (limits) => startCommand({ argv: [program, ...rest] }, limits) });
}

/** Returns the engines that some texts name. Fails: as {@link chooseEngine} does, for each of them. */
export function chooseEngines(texts: readonly string[]): Result<EngineChoice[], Issue[]> {
  return checkAll(texts, chooseEngine);
}

function unknownEngine(text: string): Issue {
  const names = bundledEngines.map(({ name }) => name);
  const near = nearestName(text, names);
  return {
    code: "engine/unknown",
    pointer: "",
    message: `there is no bundled engine ${quote(text)}.`,
    hint: `${near === undefined ? "name" : `did you mean ${near}? Name`} one of ${names.join(", ")}, or give a command such as "python3 my_adapter.py" or ./my_adapter`,
  };
}
