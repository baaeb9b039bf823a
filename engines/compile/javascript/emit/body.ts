import { applicationsOf, type Expression, type ScalarFunction } from "../../plan/index.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { numberText } from "./number.ts";

/** Writes bodies as terms of type `T`, made of each other. */
export interface Writer<T> {
  read(position: number): T;
  /** Makes a number that needs no declaration. */
  literal(text: string): T;
  /** Applies a function to terms. */
  apply(name: ScalarFunction, operands: readonly T[]): T;
}

/** Writes an expression, each part once, and returns its term. Literals are rounded to the precision. */
export function writeBody<T>(expression: Expression, arithmetic: Arithmetic, writer: Writer<T>): T {
  const terms = new Map<Expression, T>();
  const termOf = (part: Expression): T => {
    const known = terms.get(part);
    if (known !== undefined) return known;
    const term =
      part.kind === "read"
        ? writer.read(part.read)
        : part.kind === "literal"
          ? writer.literal(numberText(arithmetic === "float64" ? part.value : Math.fround(part.value)))
          : writer.apply(part.function, part.operands.map(termOf));
    terms.set(part, term);
    return term;
  };
  for (const application of applicationsOf(expression)) termOf(application);
  return termOf(expression);
}
