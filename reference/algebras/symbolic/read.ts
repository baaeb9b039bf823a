import { type Rational, rationalFromNumber, rationalOf } from "../rational.ts";

/** An S-expression: a symbol, or a list. */
export type Expression = string | readonly Expression[];

/** Returns a text's S-expressions; `undefined` if parentheses do not match. Quoted symbols keep bars. */
export function readExpressions(text: string): readonly Expression[] | undefined {
  const open: Expression[][] = [[]];
  for (const [token] of text.matchAll(/[()]|\|[^|]*\||[^\s()|]+/g)) {
    if (token === "(") {
      open.push([]);
    } else if (token === ")") {
      const closed = open.pop();
      const outer = open.at(-1);
      if (closed === undefined || outer === undefined) return undefined;
      outer.push(closed);
    } else {
      open.at(-1)?.push(token);
    }
  }
  return open.length === 1 ? open[0] : undefined;
}

/** Returns the value of a numeral of SMT-LIB: `1.0`, `(- 1.0)`, `(/ 1.0 3.0)`; `undefined` if it is none. */
export function readNumeral(expression: Expression): Rational | undefined {
  if (typeof expression === "string") {
    const [, whole, part = ""] = /^([0-9]+)(?:\.([0-9]*))?$/.exec(expression) ?? [];
    return whole === undefined ? undefined : rationalOf(BigInt(whole + part), 10n ** BigInt(part.length));
  }
  const [operator, first = "", second = ""] = expression;
  const x = readNumeral(first);
  if (x === undefined) return undefined;
  if (operator === "-" && expression.length === 2) return rationalOf(-x.numerator, x.denominator);
  const y = readNumeral(second);
  if (operator !== "/" || expression.length !== 3 || y === undefined || y.numerator === 0n) return undefined;
  return rationalOf(x.numerator * y.denominator, x.denominator * y.numerator);
}

/** Returns the float64 that is exactly the fraction; `undefined` if none is. */
export function exactNumber({ numerator, denominator }: Rational): number | undefined {
  const halvings = denominator.toString(2).length - 1;
  // In two steps, since 2^1074 is beyond the floats though 2^-1074 is one.
  const value = Number(numerator) * 2 ** -Math.min(halvings, 1000) * 2 ** -Math.max(halvings - 1000, 0);
  const back = rationalFromNumber(value);
  return back.numerator === numerator && back.denominator === denominator ? value : undefined;
}
