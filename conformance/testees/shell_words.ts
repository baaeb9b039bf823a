/** Splits words as a shell does, without its expansions. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
}

/** Quotes a word, where it must be, for a command that is copied into a shell. */
export function quoteWord(text: string): string {
  // A number sign begins a comment at the start of a word alone.
  if (/^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(text)) return text;
  // Every shell reads double quotes alike, unless special characters stand in them.
  return /["$`!\\]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
