import { sizeOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { contribute, type Machine, rounded } from "../machine.ts";
import { headerOf, prepareMinors, runMinors, runMinorTangents } from "./minors.ts";

/** `x[k,j] = (Σ_i C[i,k] · b[i,j]) / det`, the terms added from +0, `i` ascending, for one matrix. */
function solveOne({ isSingle, values }: Machine, { scratch, table }: Step, b: number, x: number): void {
  const { n, m, determinant, cofactors } = headerOf(table);
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < m; j++) {
      let total = 0;
      for (let i = 0; i < n; i++) {
        const term = (scratch[cofactors + i * n + k] ?? 0) * (values[b + i * m + j] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      values[x + k * m + j] = total / (scratch[determinant] ?? 0);
    }
  }
}

/** The tangent of that: `(ṡ − x · det˙) / det`, where `s` is the sum. */
function solveTangents(
  { isSingle, values, tangents }: Machine,
  { scratch, table }: Step,
  b: number,
  x: number,
): void {
  const { n, m, length, determinant, cofactors } = headerOf(table);
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < m; j++) {
      let total = 0;
      for (let i = 0; i < n; i++) {
        const c = cofactors + i * n + k;
        const fromA = rounded((scratch[length + c] ?? 0) * (values[b + i * m + j] ?? 0), isSingle);
        const fromB = rounded((scratch[c] ?? 0) * (tangents[b + i * m + j] ?? 0), isSingle);
        total = rounded(total + rounded(fromA + fromB, isSingle), isSingle);
      }
      const xkj = values[x + k * m + j] ?? 0;
      const drop = rounded(xkj * (scratch[length + determinant] ?? 0), isSingle);
      tangents[x + k * m + j] = rounded(total - drop, isSingle) / (scratch[determinant] ?? 0);
    }
  }
}

/** `bBar[i,j] = (Σ_k C[i,k] · c[k,j]) / det`, into the scratch space from `to` on. */
function solveTransposed(
  { isSingle, cotangents }: Machine,
  { scratch, table }: Step,
  c: number,
  to: number,
): void {
  const { n, m, determinant, cofactors } = headerOf(table);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let total = 0;
      for (let k = 0; k < n; k++) {
        const term = (scratch[cofactors + i * n + k] ?? 0) * (cotangents[c + k * m + j] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      scratch[to + i * m + j] = rounded(total / (scratch[determinant] ?? 0), isSingle);
    }
  }
}

/** `aBar[i,k] −= Σ_j bBar[i,j] · x[k,j]`, then `bBar` itself is handed on. */
function contributeBoth(
  machine: Machine,
  { scratch, table }: Step,
  from: number,
  x: number,
  aBar: number,
  bBar: number,
): void {
  const { isSingle, values } = machine;
  const { n, m } = headerOf(table);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      let total = 0;
      for (let j = 0; j < m; j++) {
        const term = (scratch[from + i * m + j] ?? 0) * (values[x + k * m + j] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, aBar + i * n + k, -total);
    }
  }
  for (let i = 0; i < n * m; i++) contribute(machine, bBar + i, scratch[from + i] ?? 0);
}

/** Table: of `minors.ts`. Scratch space: that of `minors.ts`, and behind it one cotangent of the right-hand sides. */
export const solve: Kernel<"solve"> = {
  firstReceiver: 0,
  prepare({ parents: [a = [], b = []] }) {
    return prepareMinors(sizeOf(a.slice(0, -2)), a.at(-1) ?? 0, b.at(-1) ?? 0);
  },
  scratchLength(table) {
    const { n, m, length } = headerOf(table);
    return 2 * length + n * m;
  },
  forward(machine, step) {
    const { count, n, m } = headerOf(step.table);
    for (let index = 0; index < count; index++) {
      runMinors(machine, step, step.x + index * n * n, "cofactors");
      solveOne(machine, step, step.y + index * n * m, step.out + index * n * m);
    }
  },
  jvp(machine, step) {
    const { count, n, m } = headerOf(step.table);
    for (let index = 0; index < count; index++) {
      runMinors(machine, step, step.x + index * n * n, "cofactors");
      runMinorTangents(machine, step, step.x + index * n * n, "cofactors");
      solveTangents(machine, step, step.y + index * n * m, step.out + index * n * m);
    }
  },
  vjp(machine, step) {
    const { count, n, m, length } = headerOf(step.table);
    for (let index = 0; index < count; index++) {
      const [matrix, sides] = [index * n * n, index * n * m];
      runMinors(machine, step, step.x + matrix, "cofactors");
      solveTransposed(machine, step, step.out + sides, 2 * length);
      contributeBoth(machine, step, 2 * length, step.out + sides, step.xBar + matrix, step.yBar + sides);
    }
  },
};
