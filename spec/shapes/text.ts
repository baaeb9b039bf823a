/**
 * These characters are not seen, or make other text be seen elsewhere: control characters, marks of format
 * and direction (Unicode Standard Annex 9, §2), separators of lines, halves of characters, and what is no
 * character, which XML refuses.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** Most names have these characters alone, all of which are seen. */
const seen = /^[\x20-\x7e]*$/;

/** The longest foreign text that is shown. */
const LONGEST = 2000;

/**
 * Returns foreign text as it may be shown: on one line, with ⏎ for a break, unseen characters as `\u{1b}`,
 * and at most `longest` characters. Law: it is its own `visible`, if it is not longer.
 */
export function visible(text: string, longest: number = LONGEST): string {
  if (text.length <= longest && seen.test(text)) return text;
  const shown = text
    .slice(0, longest)
    .replace(/\r\n|\n/g, " ⏎ ")
    .replaceAll("\t", " ")
    .replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length <= longest ? shown : `${shown}…`;
}

/** `text` in quotes for a message: at most 40 characters of it. */
export function quote(text: string): string {
  return text.length <= 40 ? visible(JSON.stringify(text)) : `${visible(JSON.stringify(text.slice(0, 40)))}…`;
}

/**
 * Returns a document as JSON, indented, of which nothing obeys or misleads: what is not seen stands in its
 * strings as `\u009b`. Law: it reads back as what `JSON.stringify` of it does.
 */
export function visibleJson(document: unknown, indentation: number = 2): string {
  const text = JSON.stringify(document, undefined, indentation);
  return text.replace(unseen, (character) => (character === "\n" ? character : escaped(character)));
}

/** Returns code units as JSON escapes them: characters beyond the first plane are two. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Counts in words: `1 case`, `2 cases`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
