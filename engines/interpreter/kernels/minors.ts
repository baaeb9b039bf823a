import { at, floatAt, integerAt, type Shape, sizeOf } from "../../../spec/index.ts";
import type { Step } from "../kernel.ts";
import { type Arena, type Machine, rounded } from "../machine.ts";

/** A stack of square matrices, and where the numbers of one of them stand in the scratch space. */
interface Stack {
  /** Matrices. */
  readonly count: number;
  /** Rows and columns of a matrix. */
  readonly order: number;
  /** Columns of the right-hand sides, if there are some. */
  readonly columns: number;
  /** Sets of columns, a bit for each column. First stand the minors of the first rows, then those of the last, by their sets. */
  readonly sets: number;
  readonly determinant: number;
  readonly entries: number;
  readonly cofactors: number;
  /** The tangent of each number stands so far behind it. */
  readonly length: number;
}

/** Where the functions of this file work. */
export interface Minors extends Stack {
  readonly isSingle: boolean;
  readonly table: Int32Array;
  readonly scratch: Float64Array;
}

/** Place of the minor of no rows, which is 1. */
const ONE = 0;

const HEADER = 3;

/**
 * Table: matrices, their order, the columns of the right-hand sides; for each set of columns its size; and for each set how often
 * a column of it stands to the right of one that is not in it.
 */
export function prepareMinors(matrices: Shape, columns: number): Int32Array {
  const order = at(matrices, matrices.length - 1);
  const sets = 2 ** order;
  const table = new Int32Array(HEADER + 2 * sets);
  table.set([sizeOf(matrices.slice(0, -2)), order, columns]);
  for (let set = 1; set < sets; set++) {
    // The columns but the first: it joins them, or is one more that all of them stand to the right of.
    const others = HEADER + (set >> 1);
    const [size, joins] = [integerAt(table, others), set & 1];
    table[HEADER + set] = size + joins;
    table[HEADER + sets + set] = integerAt(table, others + sets) + (joins === 1 ? 0 : size);
  }
  return table;
}

/** What a table of {@link prepareMinors} says. */
export function stackOf(table: Int32Array): Stack {
  const [count, order, columns] = [integerAt(table, 0), integerAt(table, 1), integerAt(table, 2)];
  const sets = 2 ** order;
  const entries = 2 * sets;
  const cofactors = entries + order ** 2;
  const length = cofactors + order ** 2;
  return { count, order, columns, sets, determinant: sets - 1, entries, cofactors, length };
}

/** The same, with the step's scratch space. */
export function minorsOf({ isSingle }: Machine, { table, scratch }: Step): Minors {
  return { ...stackOf(table), isSingle, table, scratch };
}

/**
 * Fills the scratch space for the matrix at `x`: the minors of the first rows, among them the determinant, and, if `cofactors` are
 * wanted, all else; with their tangents, if those of the entries are given. Laplace's expansion, sums over ascending sets and
 * columns, every operation rounded on its own. Cost: as many products as `order · 2^order`, one and a half times.
 */
export function expand(
  minors: Minors,
  x: number,
  wanted: "determinant" | "cofactors",
  values: Arena,
  tangents?: Arena,
): void {
  const { scratch, table, order, sets, entries, cofactors, length } = minors;
  const isDual = tangents !== undefined;
  for (let i = 0; i < order ** 2; i++) {
    scratch[entries + i] = floatAt(values, x + i);
    scratch[cofactors + i] = 0;
    if (isDual) scratch[length + entries + i] = floatAt(tangents, x + i);
    if (isDual) scratch[length + cofactors + i] = 0;
  }
  scratch[ONE] = 1;
  for (let set = 1; set < sets; set++) {
    const size = integerAt(table, HEADER + set);
    expandMinor(minors, 0, set, size - 1, size % 2 === 0, isDual);
    if (wanted === "cofactors") expandMinor(minors, sets, set, order - size, false, isDual);
  }
  if (wanted === "cofactors") expandCofactors(minors, isDual);
}

/** A minor by a row of which it has the columns in `set` and the minors of the other rows have one less; signs alternate. */
function expandMinor(
  minors: Minors,
  base: number,
  set: number,
  row: number,
  beginsNegative: boolean,
  isDual: boolean,
): void {
  const { scratch, order, entries, length } = minors;
  // A sum of one term is the term: to −0 it adds up as it is.
  const zero = (set & (set - 1)) === 0 ? -0 : 0;
  scratch[base + set] = zero;
  if (isDual) scratch[length + base + set] = zero;
  let isNegative = beginsNegative;
  for (let rest = set; rest !== 0; rest &= rest - 1) {
    const column = lowestOf(rest);
    const others = set ^ (1 << column);
    addTerm(minors, base + set, entries + row * order + column, placeOf(base, others), isNegative, isDual);
    isNegative = !isNegative;
  }
}

/**
 * The cofactors: rows above the entry's give their columns `above` to a minor, rows below it the rest but the entry's column. The
 * permutation of columns that this is has the exchanges of `above` with all the others, and of the entry's with those before it.
 */
function expandCofactors(minors: Minors, isDual: boolean): void {
  const { table, order, sets, cofactors } = minors;
  for (let above = 0; above < sets - 1; above++) {
    const row = integerAt(table, HEADER + above);
    let isNegative = integerAt(table, HEADER + sets + above) % 2 === 1;
    const others = sets - 1 - above;
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const column = lowestOf(rest);
      const under = placeOf(sets, others ^ (1 << column));
      addTerm(minors, cofactors + row * order + column, above, under, isNegative, isDual);
      isNegative = !isNegative;
    }
  }
}

/** Adds `± left · right` onto `target`, which all are places; and so for the tangents. */
function addTerm(
  { scratch, length, isSingle }: Minors,
  target: number,
  left: number,
  right: number,
  isNegative: boolean,
  isDual: boolean,
): void {
  const [x, y] = [floatAt(scratch, left), floatAt(scratch, right)];
  const term = rounded(x * y, isSingle);
  scratch[target] = rounded(floatAt(scratch, target) + (isNegative ? -term : term), isSingle);
  if (!isDual) return;
  // A product with 1 is no product: 0 · ∞ would be NaN.
  let dot: number;
  if (right === ONE) dot = left === ONE ? 0 : floatAt(scratch, length + left);
  else if (left === ONE) dot = floatAt(scratch, length + right);
  else {
    const fromLeft = rounded(floatAt(scratch, length + left) * y, isSingle);
    const fromRight = rounded(x * floatAt(scratch, length + right), isSingle);
    dot = rounded(fromLeft + fromRight, isSingle);
  }
  const place = length + target;
  scratch[place] = rounded(floatAt(scratch, place) + (isNegative ? -dot : dot), isSingle);
}

/** Where a minor stands; that of no rows is one for both sides. */
function placeOf(base: number, set: number): number {
  return set === 0 ? ONE : base + set;
}

/** The first column of a set. */
function lowestOf(set: number): number {
  return 31 - Math.clz32(set & -set);
}
