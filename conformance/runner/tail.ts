import { Buffer } from "node:buffer";

/** The last bytes of a stream of any length. Memory: twice what it keeps, and one chunk. */
export class Tail {
  readonly #maximumBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 2 * this.#maximumBytes) this.#cut();
  }

  /** Returns the kept text; a character cut in two at its start is dropped. */
  toString(): string {
    this.#cut();
    return Buffer.concat(this.#chunks)
      .toString("utf8")
      .replace(/^\uFFFD+/u, "")
      .trim();
  }

  #cut(): void {
    const whole = Buffer.concat(this.#chunks);
    const kept = Buffer.from(whole.subarray(Math.max(0, whole.length - this.#maximumBytes)));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }
}
