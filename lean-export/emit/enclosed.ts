import { compareRationals, type Rational, rationalFromNumber } from "../../reference/index.ts";
import type { UnaryName } from "../../spec/operators/index.ts";
import type { TableRow } from "./flat.ts";

/** The row of a table is looked at by these: of what Lean has of a file, too. */
export type EnclosedRow = Pick<TableRow, "arguments" | "value"> & { readonly f: string };

/** An argument and the value there are so large at most, where Lean is asked how near the value is. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/**
 * `Adjudge.Elementary.lying` says what it means that a value is near these functions. Arguments are kept
 * where few terms of a series decide, and away from poles and from where a slope is too small to tell from 0.
 */
const ranges: { readonly [F in UnaryName]?: Range } = {
  exp: { from: -40, to: 64, value: Number.MAX_VALUE },
  expm1: { from: -40, to: 64, value: Number.MAX_VALUE },
  log: { from: 2 ** -50, to: 2 ** 50, value: 64 },
  log1p: { from: 2 ** -50 - 1, to: 2 ** 50, value: 64 },
  sqrt: { from: 2 ** -50, to: 2 ** 50, value: Number.MAX_VALUE },
  sin: { from: -300, to: 300, value: 1 },
  cos: { from: -300, to: 300, value: 1 },
  tan: { from: -1.5, to: 1.5, value: 64 },
  tanh: { from: -18, to: 18, value: 1 },
  sinh: { from: -40, to: 40, value: Number.MAX_VALUE },
  cosh: { from: -40, to: 40, value: Number.MAX_VALUE },
  atan: { from: -(2 ** 20), to: 2 ** 20, value: 2 },
  asin: { from: -0.999, to: 0.999, value: 2 },
  acos: { from: -0.999, to: 0.999, value: 4 },
  asinh: { from: -(2 ** 20), to: 2 ** 20, value: 64 },
  acosh: { from: 1 + 2 ** -10, to: 2 ** 20, value: 64 },
  atanh: { from: -0.999, to: 0.999, value: 64 },
};

/** Says whether a file claims that the row is near its function; of the others the table's word is taken. */
export function isEnclosed({ f, arguments: operands, value }: EnclosedRow): boolean {
  const range = rangesByName.get(f);
  const [x, ...more] = operands;
  if (range === undefined || x === undefined || more.length > 0) return false;
  return isBetween(range.from, x, range.to) && isBetween(-range.value, value, range.value);
}

const rangesByName: ReadonlyMap<string, Range> = new Map(Object.entries(ranges));

function isBetween(from: number, x: Rational, to: number): boolean {
  const [low, high] = [rationalFromNumber(from), rationalFromNumber(to)];
  return compareRationals(low, x) !== 1 && compareRationals(x, high) !== 1;
}
