import process from "node:process";
import { exitCodes } from "../terminal/exit.ts";
import { inThread } from "../terminal/interrupts.ts";
import { processTerminal } from "../terminal/terminal.ts";
import { main, tellFault } from "./main.ts";

/** The exit code of a process that SIGPIPE ended: `adjudge … | head` must not look like an agreement. */
const LOST_READER = 141;

/**
 * Runs the command line as this process: with its streams and its exit code.
 * Signals keep their default action, because a listener runs between turns of the event loop only, and
 * one case is one turn; engines, in process groups of their own, end with us (`tieToOurLife`). A command that
 * has something to say when it is interrupted runs in a thread, so that this one hears signals.
 */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal(process);
  process.on("uncaughtException", (thrown) => {
    tellFault(terminal, thrown);
    process.exit(exitCodes.internal);
  });
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(LOST_READER);
    terminal.note(`the results cannot be written: ${error.message}`);
    process.exit(exitCodes.badInput);
  });
  // Whoever does not read the notes may still read the results.
  process.stderr.on("error", () => {});
  if (!hasLastWords(argv)) {
    process.exitCode = await main(argv, terminal);
    return;
  }
  process.exitCode = await inThread(thread(), argv, terminal).catch((thrown) => {
    tellFault(terminal, thrown);
    return exitCodes.internal;
  });
}

/**
 * Tells whether a command has last words. One that has others ask only waits, and hears signals itself; one
 * that answers the process which has started it has told all that it knows.
 */
function hasLastWords([command = "", ...rest]: readonly string[]): boolean {
  const isAsking = command === "judge" || command === "programs";
  return isAsking && !rest.some((word) => /^--(jobs(=|$)|stdio$)/.test(word));
}

function thread(): URL {
  const end = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./command_thread.${end}`, import.meta.url);
}
