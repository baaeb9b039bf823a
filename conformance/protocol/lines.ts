import { Buffer, isUtf8 } from "node:buffer";

/** A stream of bytes is refused for one of these. */
export type LineFault = "a line over the limit" | "a line that is not UTF-8";

/** The lines that a chunk completed, without newlines, and a fault if one follows them. */
export interface Lines {
  readonly lines: readonly string[];
  /** This went wrong. A splitter must not be used after a fault. */
  readonly fault: LineFault | undefined;
}

/** A line of the protocol, in either direction, has at most so many bytes. */
export const MAXIMUM_LINE_BYTES: number = 64 * 2 ** 20;

const NEWLINE = 0x0a;
const SMALLEST_BUFFER = 1 << 16;

/**
 * Cuts a stream of bytes into lines, wherever the chunks happen to end: within a line, within a character.
 * Law: the lines do not depend on how the bytes are cut into chunks.
 * Cost: amortised linear in the bytes, however small the chunks; lines within one chunk are not copied.
 * Memory: twice the longest line, which may not exceed `maximumBytes`.
 */
export class LineSplitter {
  readonly #maximumBytes: number;
  /** The bytes after the last newline are its first {@link pendingBytes}. */
  #buffer: Buffer = Buffer.alloc(0);
  #pending = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** Returns how many bytes came after the last newline: at the end of a stream, an unfinished line. */
  get pendingBytes(): number {
    return this.#pending;
  }

  /** Returns the lines that `chunk` completes. */
  push(chunk: Buffer): Lines {
    const lines: string[] = [];
    for (let start = 0; ; ) {
      const newline = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, newline === -1 ? chunk.length : newline);
      if (this.#pending + part.length > this.#maximumBytes) return { lines, fault: "a line over the limit" };
      if (newline === -1) {
        this.#keep(part);
        return { lines, fault: undefined };
      }
      const line = this.#complete(part);
      if (!isUtf8(line)) return { lines, fault: "a line that is not UTF-8" };
      lines.push(line.toString("utf8"));
      start = newline + 1;
    }
  }

  #keep(part: Buffer): void {
    const needed = this.#pending + part.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(SMALLEST_BUFFER, 2 * needed));
      this.#buffer.copy(larger, 0, 0, this.#pending);
      this.#buffer = larger;
    }
    part.copy(this.#buffer, this.#pending);
    this.#pending = needed;
  }

  #complete(part: Buffer): Buffer {
    if (this.#pending === 0) return part;
    this.#keep(part);
    const line = this.#buffer.subarray(0, this.#pending);
    this.#pending = 0;
    // A long line's buffer is dropped here, so that it lives only as long as `line`.
    if (this.#buffer.length > 16 * SMALLEST_BUFFER) this.#buffer = Buffer.alloc(0);
    return line;
  }
}
