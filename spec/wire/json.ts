import { fail, InvariantError, type Issue, ok, type Result } from "../shapes/index.ts";
import { findSyntaxFault } from "./syntax.ts";

/** The longest text that is read: 64 MiB of UTF-8, the longest line of the protocol too. */
export const MAXIMUM_TEXT_BYTES: number = 2 ** 26;

/** The deepest nesting of arrays and objects; nothing of ours nests deeper than 12. */
export const MAXIMUM_DEPTH = 64;

/** The most values in one document, counted by commas and opening brackets: some 170,000 nodes. */
export const MAXIMUM_VALUES: number = 2 ** 20;

/**
 * Reads what a JSON text denotes. Unlike `JSON.parse` it looks before it allocates, so no text costs more
 * than a few hundred megabytes, and it always says where a syntax error is. Fails: `json/too-long`,
 * `json/too-deep`, `json/too-many-values`, `json/encoding`, `json/syntax`. Cost: two passes over the text.
 */
export function parseJson(text: string): Result<unknown, Issue[]> {
  const excess = excessOf(text);
  if (excess !== undefined) return fail([excess]);
  try {
    const value: unknown = JSON.parse(text);
    return ok(value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail([syntaxIssue(text)]);
  }
}

/** Tells whether a text takes more bytes than these in UTF-8. A code unit takes three of them at most. */
function isLongerThan(text: string, most: number): boolean {
  if (3 * text.length <= most) return false;
  return text.length > most || new TextEncoder().encode(text).length > most;
}

/** Finds the limit that a text exceeds, if any. It need not be JSON. */
function excessOf(text: string): Issue | undefined {
  if (isLongerThan(text, MAXIMUM_TEXT_BYTES)) {
    return limitIssue("json/too-long", `the text is over ${MAXIMUM_TEXT_BYTES} bytes.`);
  }
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === ",") values++;
    else if (character === "]" || character === "}") depth--;
    else if (character === "[" || character === "{") {
      values++;
      depth++;
    }
    if (depth > MAXIMUM_DEPTH) {
      return limitIssue("json/too-deep", `arrays and objects are nested over ${MAXIMUM_DEPTH} deep.`);
    }
    if (values > MAXIMUM_VALUES) {
      return limitIssue("json/too-many-values", `there are over ${MAXIMUM_VALUES} values.`);
    }
  }
  return undefined;
}

/** Returns the index of the quote that ends the string that begins at `start`, or past the text's end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at;
}

function limitIssue(code: string, message: string): Issue {
  return {
    code,
    pointer: "",
    message,
    hint: "make the document smaller; the elements of large tensors can stand in base64",
  };
}

/** Tells whether a text begins as UTF-16 read as UTF-8 does: with a broken mark, or an early NUL. */
function looksLikeUtf16(text: string): boolean {
  return text.startsWith("\uFFFD\uFFFD") || text.slice(0, 2).includes("\0");
}

function syntaxIssue(text: string): Issue {
  const isMarked = text.startsWith("\uFEFF");
  if (isMarked || looksLikeUtf16(text)) {
    return {
      code: "json/encoding",
      pointer: "",
      message: isMarked
        ? "the text begins with a byte order mark (U+FEFF), which JSON does not have."
        : "the text is not UTF-8; it looks like UTF-16.",
      hint: "save it as UTF-8 without a byte order mark",
    };
  }
  const fault = findSyntaxFault(text);
  if (fault === undefined) throw new InvariantError("JSON.parse refused what findSyntaxFault accepts");
  const place = `line ${lineOf(text, fault.at)}, column ${fault.at - text.lastIndexOf("\n", fault.at - 1)}`;
  const what = fault.at === text.length ? "the text ends too early" : "this is not JSON";
  return {
    code: "json/syntax",
    pointer: "",
    message: `${what}: ${place}.`,
    hint: `expected there: ${fault.expected}`,
  };
}

/** Returns the number, from 1, of the line that holds `text[at]`. */
function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line++;
  return line;
}
