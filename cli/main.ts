#!/usr/bin/env node
import process from "node:process";
import { Command, CommanderError } from "commander";
import { InvariantError } from "../spec/index.ts";
import { checkCommand } from "./commands/check.ts";
import { judgeCommand } from "./commands/judge.ts";
import { replayCommand } from "./commands/replay.ts";
import { runCommand } from "./commands/run.ts";
import { smokeCommand } from "./commands/smoke.ts";
import { type ExitCode, exitCodes } from "./exit.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { packageVersion } from "./version.ts";

const examples = `
Examples:
  adjudge judge                                  judge the bundled engines on random graphs
  adjudge judge -e "python3 my_adapter.py"       judge your own
  adjudge smoke -- python3 my_adapter.py         find out why your adapter does not work
  adjudge run graph.json -a rational -i x=1/3    what the gradient is, exactly
  adjudge check graph.json                       what is wrong with a graph file

docs/protocol.md says how to write an adapter.`;

/** The command line. `end` hears the exit code of the command that ran. */
export function commandLine(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const program = new Command("adjudge")
    .description("The AD judge: is my gradient right?")
    .version(packageVersion())
    .addHelpText("after", examples)
    .showHelpAfterError("(adjudge --help tells more)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    });
  for (const add of [judgeCommand, replayCommand, runCommand, checkCommand, smokeCommand])
    add(program, terminal, end);
  return program;
}

/** Runs `adjudge` with the arguments after its name, and returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const outcome: { code: ExitCode } = { code: exitCodes.agrees };
  try {
    await commandLine(terminal, (code) => {
      outcome.code = code;
    }).parseAsync(argv, { from: "user" });
    return outcome.code;
  } catch (thrown) {
    if (thrown instanceof CommanderError)
      return thrown.exitCode === 0 ? exitCodes.agrees : exitCodes.badInput;
    if (!(thrown instanceof InvariantError)) throw thrown;
    terminal.note(`adjudge itself is at fault; please report this.\n${thrown.stack ?? thrown.message}`);
    return exitCodes.internal;
  }
}

/** What the shell reports of a program that a signal ended. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;

if (import.meta.main) {
  // Leaving through exit() ends the testees too.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(signalCodes[signal]));
  // The reader of our output has gone, as in `adjudge judge | head`: there is nobody left to tell.
  process.stdout.on("error", () => process.exit(exitCodes.agrees));
  process.exitCode = await main(process.argv.slice(2), processTerminal());
}
