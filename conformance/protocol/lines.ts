import { Buffer, isUtf8 } from "node:buffer";

/** Why a stream of bytes is not a stream of lines. */
export type LineFault = "a line over the limit" | "a line that is not UTF-8";

/** What a chunk completed: whole lines without their newlines, and what came after them that is no line. */
export interface Lines {
  readonly lines: readonly string[];
  /** Nothing after a fault is to be trusted; the splitter is not to be used again. */
  readonly fault: LineFault | undefined;
}

/** The longest line of the protocol, in either direction, in bytes. */
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

  /** How many bytes came after the last newline: at the end of a stream, an unfinished line. */
  get pendingBytes(): number {
    return this.#pending;
  }

  /** The lines that `chunk` completes. */
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
    // One long line must not cost its memory for ever; `line` keeps what it needs.
    if (this.#buffer.length > 16 * SMALLEST_BUFFER) this.#buffer = Buffer.alloc(0);
    return line;
  }
}
