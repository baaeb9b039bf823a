import process from "node:process";
import { exitCodes } from "./exit.ts";
import { main, tellFault } from "./main.ts";
import { type ProcessTerminal, processTerminal } from "./terminal.ts";

/** The signals that end a run, and what a shell reports of a program that they ended. */
const signalCodes = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/** As if SIGPIPE had ended us: whoever piped us into `head` must not take that for an agreement. */
const LOST_READER = 141;

/** Runs the command line as this process: with its streams, its signals and its exit code. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal(process);
  // Leaving through exit() ends the testees too: they are in process groups of their own, where no signal of ours gets.
  for (const [signal, code] of signalCodes) process.once(signal, () => leave(terminal, code));
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
  process.exitCode = await main(argv, terminal);
}

/** Ends the process once what is known has been told, however that goes. */
function leave(terminal: ProcessTerminal, code: number): never {
  try {
    terminal.interrupted();
  } catch (thrown) {
    tellFault(terminal, thrown);
  }
  process.exit(code);
}
