import { rationalFromNumber } from "../rational.ts";
import type { ScalarOperator, TruthOperator } from "./terms.ts";

/** A vocabulary says how SMT-LIB writes operators, and which sort scalars have. */
export interface Vocabulary {
  readonly sort: string;
  /** Is true if the script declares the sort. */
  readonly isSortDeclared: boolean;
  /** Writes a literal as a term, and tells whether that is a constant the script declares. */
  literal(value: number): { readonly text: string; readonly isDeclared: boolean };
  /** Names a function symbol or, of {@link Vocabulary.isDeclared}, one that the script declares. */
  apply(operator: ScalarOperator | TruthOperator, operands: readonly string[]): string;
  isDeclared(operator: ScalarOperator | TruthOperator): boolean;
}

/** SMT-LIB's theory of reals has these; the elementary functions are declared. */
const ofReals: Partial<Record<ScalarOperator | TruthOperator, string>> = {
  add: "+",
  multiply: "*",
  negative: "-",
  divide: "/",
  less: "<",
  equal: "=",
};

/** Terms over the reals: `+`, `×`, `−`, `/`, `<`, `=` and floor are the theory's, the rest uninterpreted. */
export const overReals: Vocabulary = {
  sort: "Real",
  isSortDeclared: false,
  literal: (value) =>
    Number.isFinite(value)
      ? { text: realNumeral(value), isDeclared: false }
      : { text: literalName(value), isDeclared: true },
  apply: (operator, operands) =>
    operator === "floor"
      ? `(to_real (to_int ${operands.join(" ")}))`
      : `(${ofReals[operator] ?? operator} ${operands.join(" ")})`,
  isDeclared: (operator) => operator !== "floor" && ofReals[operator] === undefined,
};

/** Terms of which nothing is known: operators are uninterpreted functions over `Val`, literals constants. */
export const uninterpreted: Vocabulary = {
  sort: "Val",
  isSortDeclared: true,
  literal: (value) => ({ text: literalName(value), isDeclared: true }),
  apply: (operator, operands) => `(${operator} ${operands.join(" ")})`,
  isDeclared: () => true,
};

/** Returns the exact value of a finite float64 as a term of sort Real, for example `(- (/ 1.0 2.0))`. */
export function realNumeral(value: number): string {
  const { numerator, denominator } = rationalFromNumber(value);
  const magnitude = `${numerator < 0n ? -numerator : numerator}.0`;
  const quotient = denominator === 1n ? magnitude : `(/ ${magnitude} ${denominator}.0)`;
  return numerator < 0n ? `(- ${quotient})` : quotient;
}

function literalName(value: number): string {
  if (Object.is(value, 0)) return "zero";
  if (value === 1) return "one";
  return `|literal ${Object.is(value, -0) ? "-0" : value}|`;
}
