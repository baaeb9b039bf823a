import { quoteWord } from "../../conformance/testees/index.ts";
import type { Invocation } from "../../spec/wire/index.ts";

/** Returns when and how a run was started, as its report has it. */
export function invocationOf(argv: readonly string[], started: Date, node: string): Invocation {
  const command = ["adjudge", ...argv.map(quoteWord)].join(" ");
  return { command, started: started.toISOString(), node };
}
