import type { DimensionSystem } from "../../reference/units/index.ts";
import { at } from "../../spec/shapes/index.ts";

/**
 * A cellular sheaf holds the dimensions of a graph. Lower cells are the values, upper ones the nodes and
 * declarations. The stalk over a value has a rational line for each of its blocks, that over a node one for
 * each of its equations; restriction maps a value's dimension to what it adds to each equation. Sections over
 * all values that restrict to zero are the homogeneous solutions: H⁰, the kernel of the coboundary; H¹ is
 * its cokernel. Declarations are elements of the upper stalks, one for each base, and can be met if their
 * class in H¹ is zero. Source: Curry, Sheaves, Cosheaves and Applications (2014), §4 and §7.
 */
export interface Sheaf {
  /** Each value has the rank of its stalk. */
  readonly lower: readonly number[];
  /** Each node, entry or input that asks equations has its value and the rank of its stalk. */
  readonly upper: readonly (readonly [value: number, rank: number])[];
  /** The coboundary has a row for each equation, a column for each block. */
  readonly coboundary: readonly (readonly bigint[])[];
  /** Declarations have a row for each equation, a column for each base. */
  readonly declared: readonly (readonly bigint[])[];
}

/** A sheaf with more lower or upper cells is not told, since ranks take cubic time. */
export const MAXIMUM_SHEAF = 200;

/** These are the ranks of a sheaf's cohomology, and whether the declarations can be met. */
export interface Cohomology {
  readonly h0: number;
  readonly h1: number;
  /** If true, the class of the declarations is zero. */
  readonly isMet: boolean;
}

/** Builds the sheaf of a system that is small enough to read. Cost: its blocks times its equations. */
export function sheafOf(system: DimensionSystem): Sheaf {
  const { aspect, unknowns, equations, grids } = system;
  const bases = aspect.bases.length;
  const rows = equations.map(({ terms }) => {
    const row = new Array<bigint>(unknowns).fill(0n);
    for (const [unknown, times] of terms) row[unknown] = at(row, unknown) + times;
    return row;
  });
  const upper = new Map<number, number>();
  for (const { of } of equations) upper.set(of, (upper.get(of) ?? 0) + 1);
  return {
    lower: grids.map(({ count }) => count),
    upper: [...upper],
    coboundary: rows.map((row) => row.slice(bases)),
    declared: rows.map((row) => row.slice(0, bases)),
  };
}

/** Computes cohomology from exact ranks, sharing nothing with {@link Elimination}. Cost: cubic. */
export function cohomologyOf({ lower, coboundary, declared }: Sheaf): Cohomology {
  const columns = lower.reduce((sum, count) => sum + count, 0);
  const rank = rankOf(coboundary);
  const both = coboundary.map((row, i) => [...row, ...at(declared, i)]);
  return { h0: columns - rank, h1: coboundary.length - rank, isMet: rankOf(both) === rank };
}

/**
 * Computes the rank of an integer matrix by fraction-free elimination. Source: Bareiss, Sylvester's identity
 * and multistep integer-preserving Gaussian elimination (1968).
 */
export function rankOf(matrix: readonly (readonly bigint[])[]): number {
  const rows = matrix.map((row) => [...row]);
  let rank = 0;
  let previous = 1n;
  const width = rows[0]?.length ?? 0;
  for (let column = 0; column < width && rank < rows.length; column++) {
    const place = rows.findIndex((row, i) => i >= rank && row[column] !== 0n);
    if (place < 0) continue;
    const found = at(rows, place);
    // The pivot is made positive, so that in a matrix of zeros and ones most rows stay as they are.
    const top = at(found, column) < 0n ? found.map((element) => -element) : found;
    rows[place] = at(rows, rank);
    rows[rank] = top;
    const pivot = at(top, column);
    for (let i = rank + 1; i < rows.length; i++) {
      const row = at(rows, i);
      const factor = at(row, column);
      if (factor === 0n && pivot === previous) continue;
      rows[i] = row.map((element, j) => (pivot * element - factor * at(top, j)) / previous);
    }
    previous = pivot;
    rank += 1;
  }
  return rank;
}
