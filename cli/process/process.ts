import process from "node:process";
import { exitCodes } from "../terminal/exit.ts";
import { tellOnInterrupt } from "../terminal/interrupts.ts";
import { processTerminal } from "../terminal/terminal.ts";
import { main, tellFault } from "./main.ts";

/** The exit code of a process that SIGPIPE ended: `adjudge … | head` must not look like an agreement. */
const LOST_READER = 141;

/**
 * Runs the command line as this process: with its streams and its exit code.
 * Signals keep their default action, because a listener runs between turns of the event loop only, and
 * one case is one turn; engines, in process groups of their own, end with us (`tieToOurLife`). While a
 * command has something to say when it is interrupted, a thread hears SIGINT (`tellOnInterrupt`).
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
  process.exitCode = await main(argv, { ...terminal, atInterrupt: tellOnInterrupt });
}
