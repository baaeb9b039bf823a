import { once } from "node:events";
import process from "node:process";
import type { Writable } from "node:stream";

/** Replies are written to this. */
export interface Writer {
  /** Writes; resolves once the stream can take more. */
  write(text: string): Promise<unknown> | undefined;
  /** Resolves once everything has been handed to the operating system. */
  flush(): Promise<void>;
}

/** Makes a writer to a stream that nobody else writes to. */
export function writerTo(stream: Writable): Writer {
  return writer(stream, stream.write.bind(stream));
}

/**
 * Takes standard output for the replies alone: whatever else is printed from now on, by `console.log` or by a
 * library, goes to standard error. Ends the process quietly when nobody reads the replies any more.
 */
export function claimStandardOutput(): Writer {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on("error", () => process.exit(1));
  return writer(stdout, write);
}

function writer(stream: Writable, write: (text: string, done?: () => void) => boolean): Writer {
  return {
    write: (text) => (write(text) ? undefined : once(stream, "drain")),
    flush: () => new Promise((resolve) => write("", () => resolve())),
  };
}
