import { floatAt } from "../../../../spec/shapes/index.ts";
import type { Numbers } from "../executable.ts";
import { headerOf, type Work } from "./minors.ts";
import { rounded } from "./rounded.ts";

/** A matrix that begins at `at` in an array. */
export interface Corner {
  readonly numbers: Numbers;
  readonly at: number;
}

/** Computes `(Σ_i C[i,k] · b[i,j]) / det`, from +0, `i` ascending, with the scratch space's cofactors. */
function solutionAt({ scratch, table, isSingle }: Work, b: Corner, k: number, j: number): number {
  const { n, m, determinant, cofactors } = headerOf(table);
  let total = 0;
  for (let i = 0; i < n; i++) {
    const term = floatAt(scratch, cofactors + i * n + k) * floatAt(b.numbers, b.at + i * m + j);
    total = rounded(total + rounded(term, isSingle), isSingle);
  }
  return rounded(total / floatAt(scratch, determinant), isSingle);
}

/** Stores at `x` the solution for the right-hand sides at `b`, with the scratch space's cofactors. */
export function storeSolution(work: Work, b: Corner, x: Corner): void {
  const { n, m } = headerOf(work.table);
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < m; j++) x.numbers[x.at + k * m + j] = solutionAt(work, b, k, j);
  }
}

/** Stores `(ṡ − x · det˙) / det`, where `s` is the solution's sum; the scratch space has the tangents too. */
export function storeSolutionTangent(work: Work, b: Corner, bDot: Corner, xDot: Corner): void {
  const { scratch, table, isSingle } = work;
  const { n, m, length, determinant, cofactors } = headerOf(table);
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < m; j++) {
      let total = 0;
      for (let i = 0; i < n; i++) {
        const c = cofactors + i * n + k;
        const entry = i * m + j;
        const fromA = rounded(floatAt(scratch, length + c) * floatAt(b.numbers, b.at + entry), isSingle);
        const fromB = rounded(floatAt(scratch, c) * floatAt(bDot.numbers, bDot.at + entry), isSingle);
        total = rounded(total + rounded(fromA + fromB, isSingle), isSingle);
      }
      const drop = rounded(solutionAt(work, b, k, j) * floatAt(scratch, length + determinant), isSingle);
      const dot = rounded(total - drop, isSingle) / floatAt(scratch, determinant);
      xDot.numbers[xDot.at + k * m + j] = dot;
    }
  }
}

/** Stores the cotangent of the right-hand sides: `bBar[i,j] = (Σ_k C[i,k] · c[k,j]) / det`. */
export function storeSolutionCotangent(work: Work, c: Corner, bBar: Corner): void {
  const { scratch, table, isSingle } = work;
  const { n, m, determinant, cofactors } = headerOf(table);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let total = 0;
      for (let k = 0; k < n; k++) {
        const term = floatAt(scratch, cofactors + i * n + k) * floatAt(c.numbers, c.at + k * m + j);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      bBar.numbers[bBar.at + i * m + j] = rounded(total / floatAt(scratch, determinant), isSingle);
    }
  }
}
