import { floatAt, integerAt } from "../../../../spec/shapes/index.ts";
import type { Numbers } from "../executable.ts";
import { rounded } from "./rounded.ts";

/**
 * The plan says how determinant and cofactors of an n × n matrix are computed in a scratch space: by a list
 * of instructions `target += ± left · right`. The scratch space holds 1, the entries, the minors and the
 * cofactors.
 */
interface Plan {
  /** Each instruction has four numbers: target, left, right, and {@link NEGATIVE} plus {@link COPY}. */
  readonly code: readonly number[];
  /** The end of the instructions for the determinant; those for trailing minors and cofactors follow. */
  readonly determinantEnd: number;
  /** These are places in the scratch space. */
  readonly determinant: number;
  readonly cofactors: number;
  readonly length: number;
}

/** The number 1 and the first entry have these places. */
const ONE = 0;
const ENTRIES = 1;

/** With this bit the product is subtracted. */
const NEGATIVE = 1;
/** With this bit there is no product, and `left` is added. */
const COPY = 2;

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Finds a minor's place: by its set of columns, first for minors of the first rows, then the last rows. */
function placeOfMinor(n: number, set: number, isTrailing: boolean): number {
  if (set === 0) return ONE;
  if (bits(set) === 1) return ENTRIES + (isTrailing ? n * (n - 1) : 0) + Math.log2(set);
  return ENTRIES + n * n + (isTrailing ? 2 ** n : 0) + set;
}

/** Expands each minor of two or more rows by its last row, or, of the last rows, by its first. */
function planMinors(code: number[], n: number, isTrailing: boolean): void {
  for (let set = 1; set < 2 ** n; set++) {
    const size = bits(set);
    if (size === 1) continue;
    const row = isTrailing ? n - size : size - 1;
    for (let column = 0; column < n; column++) {
      const bit = 2 ** column;
      if ((set & bit) === 0) continue;
      const passed = isTrailing ? bits(set & (bit - 1)) : bits(set >> (column + 1));
      const rest = placeOfMinor(n, set ^ bit, isTrailing);
      const sign = passed % 2 === 0 ? 0 : NEGATIVE;
      code.push(placeOfMinor(n, set, isTrailing), ENTRIES + row * n + column, rest, sign);
    }
  }
}

function planCofactor(code: number[], n: number, row: number, column: number, target: number): void {
  for (let above = 0; above < 2 ** n; above++) {
    if ((above & (2 ** column)) !== 0 || bits(above) !== row) continue;
    const under = (2 ** n - 1) ^ (2 ** column) ^ above;
    let exchanges = row + column;
    for (let c = 0; c < n; c++) if ((above & (2 ** c)) !== 0) exchanges += bits(under & (2 ** c - 1));
    const sign = exchanges % 2 === 0 ? 0 : NEGATIVE;
    const [left, right] = [placeOfMinor(n, above, false), placeOfMinor(n, under, true)];
    if (above === 0) code.push(target, right, ONE, sign + COPY);
    else code.push(target, left, right, sign + (under === 0 ? COPY : 0));
  }
}

/** Makes the plan for n rows, in the reference's order: ascending sets, ascending columns. */
function planOf(n: number): Plan {
  const code: number[] = [];
  planMinors(code, n, false);
  const determinantEnd = code.length;
  planMinors(code, n, true);
  const cofactors = ENTRIES + n * n + 2 * 2 ** n;
  for (let position = 0; position < n * n; position++) {
    planCofactor(code, n, Math.floor(position / n), position % n, cofactors + position);
  }
  const determinant = placeOfMinor(n, 2 ** n - 1, false);
  return { code, determinantEnd, determinant, cofactors, length: cofactors + n * n };
}

/** The head of a table that {@link prepareMinors} makes; the instructions follow. */
interface Header {
  /** Matrices in the stack. */
  readonly count: number;
  /** Rows of a matrix. */
  readonly n: number;
  /** Columns of the right-hand sides, if there are some. */
  readonly m: number;
  /** These are the fields of {@link Plan}. */
  readonly length: number;
  readonly determinant: number;
  readonly cofactors: number;
  readonly determinantEnd: number;
}

const HEADER = 7;

/** Makes the table for `count` matrices of `n` rows and as many right-hand sides of `m` columns. */
export function prepareMinors(count: number, n: number, m: number): Int32Array {
  const { code, determinantEnd, determinant, cofactors, length } = planOf(n);
  return Int32Array.from([count, n, m, length, determinant, cofactors, HEADER + determinantEnd, ...code]);
}

/** Reads the head of a table. */
export function headerOf(table: Int32Array): Header {
  return {
    count: integerAt(table, 0),
    n: integerAt(table, 1),
    m: integerAt(table, 2),
    length: integerAt(table, 3),
    determinant: integerAt(table, 4),
    cofactors: integerAt(table, 5),
    determinantEnd: integerAt(table, 6),
  };
}

/** The routines of this folder share these. */
export interface Work {
  /** A table of {@link prepareMinors}. */
  readonly table: Int32Array;
  /** Room for twice the header's `length`. */
  readonly scratch: Float64Array;
  /** Is true if every operation is rounded to float32. */
  readonly isSingle: boolean;
}

/**
 * Computes in the scratch space the determinant of the matrix at `x` of `values` and, if wanted, the
 * cofactors. Every operation is rounded on its own.
 */
export function runMinors(
  { table, scratch, isSingle }: Work,
  values: Numbers,
  x: number,
  wanted: "determinant" | "cofactors",
): void {
  const { n, length, determinantEnd } = headerOf(table);
  scratch.fill(0, 0, length);
  scratch[ONE] = 1;
  for (let i = 0; i < n * n; i++) scratch[ENTRIES + i] = floatAt(values, x + i);
  const end = wanted === "determinant" ? determinantEnd : table.length;
  for (let i = HEADER; i < end; i += 4) {
    const target = integerAt(table, i);
    const code = integerAt(table, i + 3);
    const left = floatAt(scratch, integerAt(table, i + 1));
    const term =
      (code & COPY) !== 0 ? left : rounded(left * floatAt(scratch, integerAt(table, i + 2)), isSingle);
    const sum = floatAt(scratch, target) + ((code & NEGATIVE) !== 0 ? -term : term);
    scratch[target] = rounded(sum, isSingle);
  }
}

/** Computes the tangents of what {@link runMinors} just computed, at places `length` further. */
export function runMinorTangents(
  { table, scratch, isSingle }: Work,
  tangents: Numbers,
  x: number,
  wanted: "determinant" | "cofactors",
): void {
  const { n, length, determinantEnd } = headerOf(table);
  scratch.fill(0, length, 2 * length);
  for (let i = 0; i < n * n; i++) scratch[length + ENTRIES + i] = floatAt(tangents, x + i);
  const end = wanted === "determinant" ? determinantEnd : table.length;
  for (let i = HEADER; i < end; i += 4) {
    const target = length + integerAt(table, i);
    const left = integerAt(table, i + 1);
    const right = integerAt(table, i + 2);
    const code = integerAt(table, i + 3);
    const leftDot = floatAt(scratch, length + left);
    let term = leftDot;
    if ((code & COPY) === 0) {
      const fromLeft = rounded(leftDot * floatAt(scratch, right), isSingle);
      const fromRight = rounded(floatAt(scratch, left) * floatAt(scratch, length + right), isSingle);
      term = rounded(fromLeft + fromRight, isSingle);
    }
    const sum = floatAt(scratch, target) + ((code & NEGATIVE) !== 0 ? -term : term);
    scratch[target] = rounded(sum, isSingle);
  }
}
