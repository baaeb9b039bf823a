import { fail, ok, type Result } from "../shapes/index.ts";

/** It says where a text stops being JSON, and what could have stood there. */
export interface SyntaxFault {
  /** An index into the text, in UTF-16 code units; its length if the text ends too early. */
  readonly at: number;
  readonly expected: string;
}

type Expected = "value" | "entry" | "entry or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "end";

const descriptions: { readonly [E in Expected]: string } = {
  value: "a value",
  entry: "a value",
  "entry or ]": 'a value or "]"',
  key: "a property name in double quotes",
  "key or }": 'a property name in double quotes or "}"',
  ":": 'a ":"',
  ", or ]": 'a "," or "]"',
  ", or }": 'a "," or "}"',
  end: "nothing more",
};

const space = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Returns the first token of `text` that JSON (RFC 8259) does not have there, or `undefined` if the text is
 * JSON. `JSON.parse` decides the same but does not always say where, and says it in words of its engine.
 * Cost: one pass; the only memory is one character for each open bracket.
 */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = endOf(space, text, 0);
  while (at < text.length || expected !== "end") {
    const step = stepFrom(text, at, expected, open);
    if (!step.ok) return step.error;
    at = endOf(space, text, step.value.at);
    expected = step.value.expected;
  }
  return undefined;
}

type Step = Result<{ readonly at: number; readonly expected: Expected }, SyntaxFault>;

/** Reads one token at `at`, keeping `open`, the brackets that are open, up to date. */
function stepFrom(text: string, at: number, expected: Expected, open: string[]): Step {
  const character = text.charAt(at);
  if (character !== "" && closes(character, expected)) {
    open.pop();
    return ok({ at: at + 1, expected: afterValue(open) });
  }
  if (character === "," && expected.startsWith(",")) {
    return ok({ at: at + 1, expected: expected === ", or ]" ? "entry" : "key" });
  }
  if (character === ":" && expected === ":") return ok({ at: at + 1, expected: "entry" });
  if (character === '"' && expected.startsWith("key")) return stepOver(readString(text, at), ":");
  if (expected === "value" || expected.startsWith("entry")) {
    if (character === '"') return stepOver(readString(text, at), afterValue(open));
    if (character === "[" || character === "{") {
      open.push(character);
      return ok({ at: at + 1, expected: character === "[" ? "entry or ]" : "key or }" });
    }
    const end = endOf(scalar, text, at);
    if (end > at) return ok({ at: end, expected: afterValue(open) });
  }
  return fail({ at, expected: descriptions[expected] });
}

function closes(character: string, expected: Expected): boolean {
  return (character === "]" || character === "}") && expected.endsWith(` or ${character}`);
}

function afterValue(open: readonly string[]): Expected {
  const innermost = open.at(-1);
  if (innermost === undefined) return "end";
  return innermost === "[" ? ", or ]" : ", or }";
}

function stepOver(token: Result<number, SyntaxFault>, expected: Expected): Step {
  return token.ok ? ok({ at: token.value, expected }) : token;
}

/** Returns the index after the string that begins at `start`. */
function readString(text: string, start: number): Result<number, SyntaxFault> {
  let at = start + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return ok(at + 1);
    if (character < " ")
      return fail({ at, expected: "an escape such as \\n instead of a control character" });
    const end = character === "\\" ? endOf(escapes, text, at) : at + 1;
    if (end === at)
      return fail({ at, expected: 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000' });
    at = end;
  }
  return fail({ at, expected: "the double quote that ends the string" });
}

/** Finds where the sticky `pattern` ends if it stands at `at`; `at` itself if it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
