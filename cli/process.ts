import process from "node:process";
import { exitCodes } from "./exit.ts";
import { tellOnInterrupt } from "./interrupts.ts";
import { main, tellFault } from "./main.ts";
import { processTerminal } from "./terminal.ts";

/** As if SIGPIPE had ended us: whoever piped us into `head` must not take that for an agreement. */
const LOST_READER = 141;

/**
 * Runs the command line as this process: with its streams and its exit code. Signals keep their default action: a listener would be heard
 * between turns of the event loop only, and the evaluation of one case is one turn. The engines, in process groups of
 * their own, end with us all the same (`tieToOurLife`). Only while a command has something to say when it is
 * interrupted, SIGINT is heard, by a thread of its own (`tellOnInterrupt`); then it ends the process as it would have.
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
  // Who does not read the notes may still read the results.
  process.stderr.on("error", () => {});
  process.exitCode = await main(argv, { ...terminal, atInterrupt: tellOnInterrupt });
}
