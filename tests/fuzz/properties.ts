/** A tool that quotes others may not print these characters, but for the ends of its lines. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?!\n)\p{Cc}/u;

/** This is longer than anything has to say about a small file. */
const LONGEST = 20_000_000;

/** Finds what is wrong with what was printed. */
export function faultInWords(words: string): string | undefined {
  if (words.length > LONGEST) return `${words.length} characters were said`;
  const odd = unseen.exec(words);
  if (odd === null) return undefined;
  return `it says U+${odd[0].codePointAt(0)?.toString(16)}: ${JSON.stringify(words.slice(Math.max(0, odd.index - 60), odd.index + 20))}`;
}

/** Describes a crash in one line. */
export function told(thrown: unknown): string {
  return thrown instanceof Error
    ? (thrown.stack ?? thrown.message).split("\n").slice(0, 6).join(" | ")
    : String(thrown);
}
