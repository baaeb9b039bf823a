import {
  integer,
  modular,
  modularOperations,
  type Rational,
  rational,
  rationalFromNumber,
} from "../../reference/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import { exportableOperators, ringOperators, tabledOperators } from "./translate.ts";

/**
 * An algebra whose numbers Lean's kernel computes with. All are written as fractions here, integers and
 * residues with denominator 1.
 */
export interface Scalars {
  /** Traces have this name. */
  readonly name: "integer" | "rational" | "modular" | "tabled";
  /** The carrier in Lean, a commutative ring. */
  readonly type: string;
  /** It has operations for these operators. */
  readonly operators: readonly PrimitiveName[];
  /** Returns the number that a trace writes so; `undefined` for none, and for the element without value. */
  read(text: string): Rational | undefined;
  /** Returns the number that an attribute stands for, as the algebra's own `literal` has it. */
  literal(x: number): Rational | undefined;
  add(x: Rational, y: Rational): Rational;
}

/** The element without value is no number of Lean's. */
function defined(x: Rational | undefined): Rational | undefined {
  return x === undefined || x.denominator === 0n ? undefined : x;
}

function whole(x: bigint | undefined): Rational | undefined {
  return x === undefined ? undefined : { numerator: x, denominator: 1n };
}

/** Returns a residue; −1 is the algebra's element without value. */
function residueOf(x: bigint | undefined): Rational | undefined {
  return x === undefined || x < 0n ? undefined : whole(x);
}

const integers: Scalars = {
  name: "integer",
  type: "Int",
  operators: ringOperators,
  read: (text) => whole(integer.parse(text)),
  literal: (x) => whole(integer.levels.semiring?.literal(x)),
  add: rational.additive.add,
};

/** The rational numbers: what float runs are replayed over, too. */
export const rationals: Scalars = {
  name: "rational",
  type: "Rat",
  operators: exportableOperators,
  read: (text) => defined(rational.parse(text)),
  literal: (x) => defined(rationalFromNumber(x)),
  add: rational.additive.add,
};

/** The same, and elementary functions by a table. */
export const tabledRationals: Scalars = { ...rationals, name: "tabled", operators: tabledOperators };

const residues: Scalars = {
  name: "modular",
  type: "Residue",
  operators: exportableOperators,
  read: (text) => residueOf(modular.parse(text)),
  literal: (x) => residueOf(modularOperations.literal(x)),
  add: (x, y) => ({ numerator: modularOperations.add(x.numerator, y.numerator), denominator: 1n }),
};

/** The carriers that Lean has, by the algebra's name. */
export const scalarsByName: ReadonlyMap<string, Scalars> = new Map(
  [integers, rationals, residues, tabledRationals].map((scalars) => [scalars.name, scalars]),
);

/** Returns a number as a Lean term of the carrier. The kernel reduces a fraction without division. */
export function leanNumber({ numerator, denominator }: Rational): string {
  return denominator === 1n
    ? numerator.toString()
    : `mkRat ${negativeInParentheses(numerator)} ${denominator}`;
}

function negativeInParentheses(x: bigint): string {
  return x < 0n ? `(${x})` : x.toString();
}

/** Returns numbers as a Lean list. */
export function leanNumbers(numbers: readonly Rational[]): string {
  return `[${numbers.map(leanNumber).join(", ")}]`;
}
