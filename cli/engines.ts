import {
  bundledEngine,
  bundledEngines,
  type Limits,
  type Started,
  startCommand,
} from "../conformance/index.ts";
import { fail, type Issue, ok, type Result } from "../spec/index.ts";

/** An engine as the command line names it. */
export interface EngineChoice {
  /** What the user wrote; also what a replay line repeats. */
  readonly label: string;
  start(limits: Partial<Limits>): Promise<Started>;
}

/** Every bundled engine. */
export function everyEngine(): EngineChoice[] {
  return bundledEngines.map((engine) => ({ label: engine.name, start: (limits) => engine.start(limits) }));
}

/**
 * The engine a text names: a bundled one, or a command line that speaks the protocol, split at spaces (quote with
 * `"` or `'`). Fails: `engine/unknown`.
 */
export function chooseEngine(text: string): Result<EngineChoice, Issue[]> {
  const bundled = bundledEngine(text);
  if (bundled !== undefined) return ok({ label: text, start: (limits) => bundled.start(limits) });
  const [program, ...rest] = splitWords(text);
  if (program === undefined || rest.length === 0) {
    return fail([
      {
        code: "engine/unknown",
        pointer: "",
        message: `there is no bundled engine ${JSON.stringify(text)}.`,
        hint: `name one of ${bundledEngines.map(({ name }) => name).join(", ")}, or give a command such as "python3 my_adapter.py"`,
      },
    ]);
  }
  return ok({ label: text, start: (limits) => startCommand({ argv: [program, ...rest] }, limits) });
}

/** Words as a shell separates them, without its expansions. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
