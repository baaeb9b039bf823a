import { present, type Ring, type Shape } from "../../spec/shapes/index.ts";
import { at, type Tensor } from "../tensor.ts";

/** The determinant of a matrix and its derivatives by the entries, row by row: the cofactors. */
export interface Cofactors<S> {
  readonly determinant: S;
  readonly cofactors: readonly S[];
}

/** A set of columns, one bit for each. */
type Columns = number;

function sizeOfSet(set: Columns): number {
  let size = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) size += 1;
  return size;
}

const has = (set: Columns, column: number): boolean => (set & (1 << column)) !== 0;
const below = (column: number): Columns => (1 << column) - 1;

/** Returns the inversions: how often a member of `left` stands to the right of one of `right`. */
function inversions(left: Columns, right: Columns): number {
  let count = 0;
  for (let column = 0; left >> column !== 0; column++) {
    if (has(left, column)) count += sizeOfSet(right & below(column));
  }
  return count;
}

/** A square matrix: its order and its entries. */
interface Matrix<S> {
  readonly order: number;
  entry(row: number, column: number): S;
}

function signed<S>(a: Ring<S>, x: S, exchanges: number): S {
  return exchanges % 2 === 0 ? x : a.negative(x);
}

/**
 * Computes, for each non-empty set of k columns, the minor of these columns and the first k rows (`leading`),
 * or the last k (`trailing`): an expansion along the row that the minor with one column less has not.
 */
function minorsOf<S>(a: Ring<S>, { order, entry }: Matrix<S>, rows: "leading" | "trailing"): S[] {
  const minors: S[] = [a.one];
  for (let set = 1; set < 1 << order; set++) {
    const size = sizeOfSet(set);
    const row = rows === "leading" ? size - 1 : order - size;
    const before = (column: number): Columns =>
      rows === "leading" ? set & ~below(column + 1) : set & below(column);
    let minor: S | undefined;
    for (let column = 0; column < order; column++) {
      if (!has(set, column)) continue;
      const x = entry(row, column);
      const rest = minors[set & ~(1 << column)] ?? a.one;
      const term = signed(a, size === 1 ? x : a.multiply(x, rest), sizeOfSet(before(column)));
      minor = size === 1 ? term : a.add(minor ?? a.zero, term);
    }
    minors.push(minor ?? a.one);
  }
  return minors;
}

/** Returns ∂det/∂(row, column): minors above the row times minors below, over all splits of the columns. */
function cofactor<S>(
  a: Ring<S>,
  order: number,
  leading: readonly S[],
  trailing: readonly S[],
  row: number,
  column: number,
): S {
  const columns = ((1 << order) - 1) & ~(1 << column);
  let total = a.zero;
  for (let above = 0; above < 1 << order; above++) {
    if ((above & ~columns) !== 0 || sizeOfSet(above) !== row) continue;
    const under = columns & ~above;
    const [x, y] = [leading[above] ?? a.one, trailing[under] ?? a.one];
    const product = above === 0 ? y : under === 0 ? x : a.multiply(x, y);
    total = a.add(total, signed(a, product, row + column + inversions(above, under)));
  }
  return total;
}

/**
 * The determinants and cofactors of a stack of matrices `[...,n,n]`, by Laplace's expansion over sets of
 * columns. It needs no division and no pivot, so it holds over every ring, at singular matrices too, and is
 * smooth. Sums run over ascending sets and columns, from zero. Cost: about 3 n 2ⁿ⁻¹ products for each matrix.
 */
export function cofactorsOf<S>(a: Ring<S>, x: Tensor<S>): readonly Cofactors<S>[] {
  const order = present(x.shape.at(-1), "columns");
  return Array.from({ length: stackSize(x.shape.slice(0, -2)) }, (_, index) => {
    const matrix: Matrix<S> = {
      order,
      entry: (row, column) => at(x, (index * order + row) * order + column),
    };
    const leading = minorsOf(a, matrix, "leading");
    const trailing = minorsOf(a, matrix, "trailing");
    const cofactors = Array.from({ length: order * order }, (_, position) =>
      cofactor(a, order, leading, trailing, Math.floor(position / order), position % order),
    );
    return { determinant: leading.at(-1) ?? a.one, cofactors };
  });
}

function stackSize(batch: Shape): number {
  return batch.reduce((product, extent) => product * extent, 1);
}
