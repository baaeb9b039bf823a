/** Words as a shell separates them, without its expansions. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
}

/** A word for a command line that is copied into a shell: quoted where it must be. */
export function quoteWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // Double quotes are understood by every shell, as long as nothing in them means something.
  return /["$`!\\]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
