import { at, integerAt, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import type { Step } from "../kernel.ts";
import { type Arena, type Machine, outside, rounded } from "../machine.ts";

/** A stack of square matrices, and where the numbers of one of them lie in a scratch space. */
export interface Minors {
  readonly isSingle: boolean;
  readonly table: Int32Array;
  readonly scratch: Float64Array;
  /** The number of matrices. */
  readonly count: number;
  /** Rows and columns of a matrix. */
  readonly order: number;
  /** Columns of the right-hand sides, if there are some. */
  readonly columns: number;
  /**
   * The number of sets of columns, whose bits are columns. By their sets, the minors of the first rows come
   * first, then those of the last rows.
   */
  readonly sets: number;
  readonly determinant: number;
  readonly entries: number;
  readonly cofactors: number;
  /** The tangent of each number lies so far behind it. */
  readonly length: number;
}

const HEADER = 3;

/**
 * Makes the table: the number of matrices, their order (at most 8), the columns of the right-hand sides; for
 * each set of columns its size; and for each set how often its columns stand right of other ones.
 */
export function prepareMinors(matrices: Shape, columns: number): Int32Array {
  const order = at(matrices, matrices.length - 1);
  const sets = 1 << order;
  const table = new Int32Array(HEADER + 2 * sets);
  table.set([sizeOf(matrices.slice(0, -2)), order, columns]);
  for (let set = 1; set < sets; set++) {
    // The first column joins the others, or is one more that all of them stand right of.
    const others = HEADER + (set >> 1);
    const [size, joins] = [integerAt(table, others), set & 1];
    table[HEADER + set] = size + joins;
    table[HEADER + sets + set] = integerAt(table, others + sets) + (joins === 1 ? 0 : size);
  }
  return table;
}

/** Reads a table of {@link prepareMinors}, with the step's scratch space. */
export function minorsOf({ isSingle }: Machine, { table, scratch }: Step): Minors {
  const order = integerAt(table, 1);
  const sets = 1 << order;
  const cofactors = 2 * sets + order * order;
  return {
    isSingle,
    table,
    scratch,
    count: integerAt(table, 0),
    order,
    columns: integerAt(table, 2),
    sets,
    determinant: sets - 1,
    entries: 2 * sets,
    cofactors,
    length: cofactors + order * order,
  };
}

/** Returns the scratch space's length: twice {@link Minors.length}, and one matrix's right-hand sides. */
export function spaceFor(table: Int32Array): number {
  const [order, columns] = [integerAt(table, 1), integerAt(table, 2)];
  return 4 * ((1 << order) + order * order) + order * columns;
}

/** A matrix that begins at `at`. */
interface Corner {
  readonly numbers: Arena;
  readonly at: number;
}

/**
 * Fills the scratch space for a matrix: the minors of the first rows, the last of which is the determinant,
 * and the rest if cofactors are wanted, by Laplace's expansion, which divides nothing; sums run over
 * ascending sets and columns, every operation rounded. Cost: `order · 2^(order − 1)` products, with cofactors
 * three times as many.
 */
export function expand(minors: Minors, matrix: Corner, wanted: "determinant" | "cofactors"): void {
  copyEntries(minors, matrix, 0);
  expandMinors(minors, "first");
  if (wanted === "determinant") return;
  expandMinors(minors, "last");
  expandCofactors(minors);
}

/** Does what {@link expand} does for the tangents, after it, by those of the entries. */
export function expandTangents(minors: Minors, matrix: Corner, wanted: "determinant" | "cofactors"): void {
  copyEntries(minors, matrix, minors.length);
  expandMinorTangents(minors, "first");
  if (wanted === "determinant") return;
  expandMinorTangents(minors, "last");
  expandCofactorTangents(minors);
}

function copyEntries(
  { scratch, order, entries, cofactors }: Minors,
  { numbers, at }: Corner,
  to: number,
): void {
  for (let i = 0; i < order * order; i++) {
    scratch[to + entries + i] = numbers[at + i] ?? outside();
    scratch[to + cofactors + i] = 0;
  }
}

/**
 * Expands the minors of the first or the last rows by their innermost row: its entries in the columns of a
 * set, times the minors without that row and column. Signs alternate from + at the last column, or at the
 * first for last rows. A sum of one term is the term, which is added to −0.
 */
function expandMinors(minors: Minors, rows: "first" | "last"): void {
  const { scratch, table, order, sets, entries, isSingle } = minors;
  const base = rows === "first" ? 0 : sets;
  scratch[base] = 1;
  for (let set = 1; set < sets; set++) {
    const size = table[HEADER + set] ?? outside();
    const row = entries + order * (rows === "first" ? size - 1 : order - size);
    let isNegative = rows === "first" && size % 2 === 0;
    let total = size === 1 ? -0 : 0;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const column = 31 - Math.clz32(bit);
      const minor = scratch[base + (set ^ bit)] ?? outside();
      const term = rounded((scratch[row + column] ?? outside()) * minor, isSingle);
      total = rounded(isNegative ? total - term : total + term, isSingle);
      isNegative = !isNegative;
    }
    scratch[base + set] = total;
  }
}

function expandMinorTangents(minors: Minors, rows: "first" | "last"): void {
  const { scratch, table, order, sets, entries, length, isSingle } = minors;
  const base = rows === "first" ? 0 : sets;
  for (let set = 1; set < sets; set++) {
    const size = table[HEADER + set] ?? outside();
    const row = entries + order * (rows === "first" ? size - 1 : order - size);
    let isNegative = rows === "first" && size % 2 === 0;
    let total = size === 1 ? -0 : 0;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const column = 31 - Math.clz32(rest & -rest);
      // The minor of no rows is 1, and its product the other factor: 0 · ∞ would be NaN.
      const dot =
        size === 1
          ? (scratch[length + row + column] ?? outside())
          : productTangent(minors, row + column, base + (set ^ (1 << column)));
      total = rounded(isNegative ? total - dot : total + dot, isSingle);
      isNegative = !isNegative;
    }
    scratch[length + base + set] = total;
  }
}

/**
 * Expands the cofactors: the rows above an entry's take the columns `above`, those below the others but the
 * entry's. Their sign counts the exchanges of `above` with others, and of the entry's column with those
 * before it.
 */
function expandCofactors({ scratch, table, order, sets, cofactors, isSingle }: Minors): void {
  for (let above = 0; above < sets - 1; above++) {
    const row = cofactors + (table[HEADER + above] ?? outside()) * order;
    const others = sets - 1 - above;
    let isNegative = ((table[HEADER + sets + above] ?? outside()) & 1) === 1;
    const left = scratch[above] ?? outside();
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const term = rounded(left * (scratch[sets + (others ^ bit)] ?? outside()), isSingle);
      const place = row + 31 - Math.clz32(bit);
      const total = scratch[place] ?? outside();
      scratch[place] = rounded(isNegative ? total - term : total + term, isSingle);
      isNegative = !isNegative;
    }
  }
}

function expandCofactorTangents(minors: Minors): void {
  const { scratch, table, order, sets, cofactors, length, isSingle } = minors;
  for (let above = 0; above < sets - 1; above++) {
    const row = length + cofactors + (table[HEADER + above] ?? outside()) * order;
    const others = sets - 1 - above;
    let isNegative = ((table[HEADER + sets + above] ?? outside()) & 1) === 1;
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const column = 31 - Math.clz32(rest & -rest);
      const under = others ^ (1 << column);
      let dot = 0;
      if (above !== 0 && under !== 0) dot = productTangent(minors, above, sets + under);
      else if (above !== 0) dot = scratch[length + above] ?? outside();
      else if (under !== 0) dot = scratch[length + sets + under] ?? outside();
      const total = scratch[row + column] ?? outside();
      scratch[row + column] = rounded(isNegative ? total - dot : total + dot, isSingle);
      isNegative = !isNegative;
    }
  }
}

function productTangent({ scratch, length, isSingle }: Minors, left: number, right: number): number {
  const fromLeft = (scratch[length + left] ?? outside()) * (scratch[right] ?? outside());
  const fromRight = (scratch[left] ?? outside()) * (scratch[length + right] ?? outside());
  return rounded(rounded(fromLeft, isSingle) + rounded(fromRight, isSingle), isSingle);
}
