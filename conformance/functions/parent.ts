import type { Readable, Writable } from "node:stream";
import { LineSplitter } from "../protocol/index.ts";
import type { Ending, Start } from "../runner/index.ts";

/** The streams between this process and the one that has started it. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Returns how to talk to the process that has started this one, which is the testee: requests go out on the
 * one stream, replies come in on the other. It cannot be killed from here: a testee that breaks the protocol
 * is not listened to any more, and sees its streams end.
 */
export function startParent({ input, output }: Streams): Start {
  return (_, limits, events) => {
    const splitter = new LineSplitter(limits.lineBytes);
    let isDeaf = false;
    let end: (ending: Ending) => void = () => {};
    const ended = new Promise<Ending>((resolve) => {
      end = resolve;
    });
    const over = (how: string, code: number | undefined): void => {
      isDeaf = true;
      // A stream that may still bring something keeps the process alive.
      input.destroy();
      end({ how, code, unfinishedBytes: splitter.pendingBytes, lastWords: "" });
    };
    input.on("data", (chunk: Buffer) => {
      const { lines, fault } = splitter.push(chunk);
      for (const line of lines) if (!isDeaf) events.line(line);
      if (fault !== undefined && !isDeaf) events.fault(`sent ${fault}`);
    });
    input.on("end", () => over("closed our standard input", 0));
    // Who does not read any more has gone, which the other stream tells too.
    output.on("error", () => over("does not read what we write", undefined));
    return {
      ended,
      send: (line) => output.write(`${line}\n`),
      close: () => over("was told that there is no more", 0),
      kill: () => over("was not listened to any more", undefined),
    };
  };
}
