import { present } from "../../../../spec/shapes/index.ts";

/** Text of a C file that defines something, and the names of the texts that come before it. */
interface Chunk {
  readonly needs: readonly string[];
  readonly text: string;
}

/** Chunks by name. */
export type Chunks = Readonly<Record<string, Chunk>>;

/** Returns the texts of the named chunks, each once and after those that it needs. */
export function textOf(chunks: Chunks, names: Iterable<string>): string {
  const texts = new Map<string, string>();
  const take = (name: string): void => {
    if (texts.has(name)) return;
    const { needs, text } = present(chunks[name], name);
    for (const need of needs) take(need);
    texts.set(name, text.trim());
  };
  for (const name of names) take(name);
  return [...texts.values()].join("\n\n");
}
