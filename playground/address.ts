/** What an address says behind its `#`: a text, its document, a precision, a mode. */
export type Shared = Readonly<Record<"text" | "document" | "dtype" | "mode", string>>;

/** A text in an address has so many bytes at most: compressed, a few of them could be a gigabyte. */
export const MOST_BYTES = 2 ** 17;

/** Returns the part of an address behind `#`: the text compressed, in letters that an address may have. */
export async function packed({ text, ...others }: Shared): Promise<string> {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text), Infinity);
  const letters = btoa(String.fromCharCode(...(bytes ?? [])));
  const url = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return new URLSearchParams({ text: url, ...others }).toString();
}

/** Returns what the part of an address behind `#` says; what it does not say, or not so, is left out. */
export async function unpacked(hash: string): Promise<Partial<Shared>> {
  const { text = "", ...others } = Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
  const read = await textIn(text);
  return { ...others, ...(read === undefined ? {} : { text: read }) };
}

async function textIn(url: string): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(url)) return undefined;
  try {
    const letters = atob(url.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const read = await through(new DecompressionStream("deflate-raw"), bytes, MOST_BYTES);
    return read && new TextDecoder("utf-8", { fatal: true }).decode(read);
  } catch {
    return undefined;
  }
}

/** Sends bytes through a stream; returns nothing if more come out than were asked for. */
async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const out: number[] = [];
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(out);
    for (const byte of value) out.push(byte);
    if (out.length > most) {
      await reader.cancel();
      return undefined;
    }
  }
}
