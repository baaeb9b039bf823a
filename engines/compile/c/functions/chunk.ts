/** Text of a C file that defines something, after the texts that it needs. */
interface Chunk {
  readonly needs: readonly string[];
  readonly text: string;
}

/** Chunks by name, each after those that it needs. */
export type Chunks = Readonly<Record<string, Chunk>>;

/** Returns the texts of the named chunks, and of all that these need, in the order of the table. */
export function textOf(chunks: Chunks, names: Iterable<string>): string {
  const wanted = new Set(names);
  const ordered = Object.entries(chunks);
  for (const [name, { needs }] of ordered.toReversed()) {
    if (wanted.has(name)) for (const need of needs) wanted.add(need);
  }
  return ordered.flatMap(([name, { text }]) => (wanted.has(name) ? [text.trim()] : [])).join("\n\n");
}
