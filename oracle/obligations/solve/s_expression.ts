import { fail, ok, type Result } from "../../../spec/shapes/index.ts";

/** SMT-LIB consists of these: an atom as it is written, with quotes and bars, or a list. */
export type SExpression = string | readonly SExpression[];

/** A token is a parenthesis, quoted symbol, string (quotes doubled) or atom, after comments and spaces. */
const TOKEN = /(?:\s|;[^\n]*(?:\n|$))*([()]|\|[^|\\]*\||"(?:[^"]|"")*"|[^\s()|";]+)/y;
const REST = /(?:\s|;[^\n]*(?:\n|$))*$/y;

/**
 * Reads every expression of `text`, in order. Fails, saying why, if a parenthesis, string or quoted symbol is
 * not closed, or a parenthesis not opened. Source: SMT-LIB 2.6, section 3.1. Cost: linear; no recursion, so
 * depth costs nothing.
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

/** Writes an expression with single spaces and no line breaks. */
export function showSExpression(expression: SExpression): string {
  return typeof expression === "string" ? expression : `(${expression.map(showSExpression).join(" ")})`;
}
