import { createReadStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";

const block = 512;

/**
 * Unpacks the files of a `.tar.gz` that `wants` asks for below `folder`. Law: writes nothing outside it.
 * Reads what POSIX calls ustar: names up to 255 bytes; extended headers are skipped. Throws where the archive
 * is cut short or cannot be read. Cost: one file of it in memory at a time.
 */
export async function unpack(
  archive: string,
  folder: string,
  wants: (name: string) => boolean,
): Promise<void> {
  const source = createReadStream(archive).pipe(createGunzip());
  const bytes = new Bytes(source);
  for (;;) {
    const header = await bytes.take(block);
    const entry = readHeader(header);
    if (entry === undefined) break;
    const content = await bytes.take(Math.ceil(entry.size / block) * block);
    if (!entry.isFile || !isInside(entry.name) || !wants(entry.name)) continue;
    const path = join(folder, entry.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content.subarray(0, entry.size));
  }
  source.destroy();
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly isFile: boolean;
}

/** Returns the entry that a header announces; `undefined` for the block of zeros at the end. */
function readHeader(header: Buffer): Entry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const text = (from: number, length: number): string =>
    header.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  const prefix = text(345, 155);
  const name = `${prefix === "" ? "" : `${prefix}/`}${text(0, 100)}`.replace(/^\.\//, "");
  const kind = text(156, 1);
  return { name, size: Number.parseInt(text(124, 12).trim(), 8) || 0, isFile: kind === "0" || kind === "" };
}

function isInside(name: string): boolean {
  return name !== "" && !name.startsWith("/") && !name.includes("\\") && !name.split("/").includes("..");
}

/** A stream, read in pieces of the length that is asked for. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const pieces = [this.#held];
    let have = this.#held.length;
    while (have < length) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new Error("the archive ends too early");
      pieces.push(next.value);
      have += next.value.length;
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces);
    this.#held = all.subarray(length);
    return all.subarray(0, length);
  }
}
