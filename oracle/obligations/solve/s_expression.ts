import { fail, ok, type Result } from "../../../spec/shapes/index.ts";

/** What SMT-LIB is written in: an atom as it is written, quotes and bars included, or a list. */
export type SExpression = string | readonly SExpression[];

/** An opening or closing parenthesis, a quoted symbol, a string (whose quotes are doubled), or any other atom; comments and spaces first. */
const TOKEN = /(?:\s|;[^\n]*(?:\n|$))*([()]|\|[^|\\]*\||"(?:[^"]|"")*"|[^\s()|";]+)/y;
const REST = /(?:\s|;[^\n]*(?:\n|$))*$/y;

/**
 * Every expression of `text`, in order. Fails with what is wrong if a parenthesis, a string or a quoted symbol is not closed, or one is closed that was not opened.
 * Source: SMT-LIB 2.6, section 3.1. Cost: linear; no recursion, so depth costs nothing.
 */
export function readSExpressions(text: string): Result<readonly SExpression[], string> {
  const top: SExpression[] = [];
  const open: SExpression[][] = [];
  let position = 0;
  for (;;) {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) break;
    position = TOKEN.lastIndex;
    const list = open.at(-1) ?? top;
    if (token === "(") open.push([]);
    else if (token !== ")") list.push(token);
    else {
      const closed = open.pop();
      if (closed === undefined) return fail("a parenthesis is closed that was not opened");
      (open.at(-1) ?? top).push(closed);
    }
  }
  REST.lastIndex = position;
  if (!REST.test(text)) return fail(`not SMT-LIB: ${JSON.stringify(text.slice(position, position + 40))}`);
  return open.length === 0 ? ok(top) : fail("a parenthesis is not closed");
}

/** An expression as text: single spaces, no line breaks. */
export function showSExpression(expression: SExpression): string {
  return typeof expression === "string" ? expression : `(${expression.map(showSExpression).join(" ")})`;
}
