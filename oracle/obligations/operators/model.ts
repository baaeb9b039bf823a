import { evaluateTerms, readExpressions, readNumeral } from "../../../reference/algebras/symbolic/index.ts";
import {
  formatRational,
  type MaybeTruth,
  type Rational,
  rational,
  undefinedRational,
} from "../../../reference/index.ts";
import { elementary } from "../../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  InvariantError,
  type OrderedReal,
  present,
} from "../../../spec/shapes/index.ts";
import type { Model } from "../obligation.ts";
import type { ValueSymbol } from "./purify.ts";

/** Reads a rational as solvers print it, `3.0` or `(- (/ 1.0 2.0))`; else `undefined`, for roots too. */
export function readRational(text: string): Rational | undefined {
  const [expression, ...more] = readExpressions(text) ?? [];
  return expression === undefined || more.length > 0 ? undefined : readNumeral(expression);
}

/** This is what a model says: numbers of variables, and values of the functions that symbols stand for. */
export interface ReadModel {
  readonly numbers: ReadonlyMap<string, Rational>;
  readonly table: FunctionTable;
}

/**
 * Reads a model's numbers and functions. Throws {@link InvariantError} if a number is not rational, or a
 * function has two values at one place.
 */
export function readModel(model: Model, symbols: readonly ValueSymbol[]): ReadModel {
  const numbers = new Map(
    [...model].map(([name, text]): [string, Rational] => {
      const value = readRational(text);
      if (value === undefined) throw new InvariantError(`the model says ${name} = ${text}`);
      return [name, value];
    }),
  );
  const table = new Map<string, Rational>();
  for (const { name, operator, operands } of symbols) {
    const value = present(numbers.get(name), `the value of ${name}`);
    const key = valueKey(
      operator,
      evaluateTerms(rational, operands, { scalar: (unknown) => present(numbers.get(unknown), unknown) }),
    );
    const known = table.get(key);
    if (known !== undefined && !rational.isSame(known, value)) {
      throw new InvariantError(`the model gives two values to ${key}`);
    }
    table.set(key, value);
  }
  return { numbers, table };
}

/** A model gives functions values, by {@link valueKey}. */
export type FunctionTable = ReadonlyMap<string, Rational>;

/** Names a function at operands. */
function valueKey(operator: string, operands: readonly Rational[]): string {
  return [operator, ...operands.map(formatRational)].join(" ");
}

/**
 * Makes an algebra of the rationals with the elementary functions of a table, which have no value anywhere
 * else. Division uses the table's `reciprocal` where it has one, so that a model that breaks `r y = 1` can
 * run too.
 */
export function tabulated(table: FunctionTable): Algebra<Rational, MaybeTruth> {
  const unary =
    (operator: string) =>
    (x: Rational): Rational =>
      table.get(valueKey(operator, [x])) ?? undefinedRational;
  const binary =
    (operator: string) =>
    (x: Rational, y: Rational): Rational =>
      table.get(valueKey(operator, [x, y])) ?? undefinedRational;
  const field = present(rational.levels.orderedField, "an ordered field");
  const all: OrderedReal<Rational, MaybeTruth> = {
    ...field,
    divide: (x, y) => {
      const inverse = table.get(valueKey("reciprocal", [y]));
      return inverse === undefined ? field.divide(x, y) : field.multiply(x, inverse);
    },
    ...elementary(unary, binary),
  };
  return {
    ...rational,
    name: "tabulated",
    levels: everyLevel(all),
  };
}
