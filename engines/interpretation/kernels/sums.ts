import type { Sums } from "../../../spec/operators/index.ts";
import { at, integerAt, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import type { KernelTable, Step } from "../kernel.ts";
import { type Arena, clear, contribute, type Machine, outside, rounded } from "../machine.ts";
import { positionsOf } from "../positions.ts";

/** These operators sum, from +0, in the reference's order. */
export const sums: Pick<KernelTable, keyof Sums> = {
  /** Table: for each element of the operand, its element of the result. */
  sum: {
    firstReceiver: 0,
    prepare({ attributes: { axes }, parents }) {
      const x = at(parents, 0);
      const kept = stridesOf(x.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
      return positionsOf(
        x,
        kept.map((stride, axis) => (axes.includes(axis) ? 0 : stride)),
      );
    },
    forward({ values }, step) {
      gatherSums(values, step);
    },
    jvp({ tangents }, step) {
      gatherSums(tangents, step);
    },
    vjp(machine, { out, xBar, table }) {
      const { cotangents } = machine;
      for (let i = 0; i < table.length; i++) {
        contribute(machine, xBar + i, cotangents[out + (table[i] ?? outside())] ?? outside());
      }
    },
  },
  /** Table: the extent of the axis, and the elements from one index along it to the next. */
  cumulative_sum: {
    firstReceiver: 0,
    prepare: ({ attributes: { axis }, shape }) =>
      Int32Array.of(at(shape, axis), sizeOf(shape.slice(axis + 1))),
    forward({ values }, step) {
      accumulate(values, step);
    },
    jvp({ tangents }, step) {
      accumulate(tangents, step);
    },
    /** The sums from the end are made in the work space. */
    vjp(machine, { out, size, xBar, table }) {
      const { cotangents, work } = machine;
      const extent = integerAt(table, 0);
      const inner = integerAt(table, 1);
      for (let i = size - 1; i >= 0; i--) {
        const isLast = Math.floor(i / inner) % extent === extent - 1;
        const above = isLast ? 0 : (cotangents[work + i + inner] ?? outside());
        cotangents[work + i] = above + (cotangents[out + i] ?? outside());
      }
      for (let i = 0; i < size; i++) contribute(machine, xBar + i, cotangents[work + i] ?? outside());
    },
  },
  /**
   * Table: entries of the batch, rows, inner extent, columns. The value is summed in place, row by row with
   * `k` outside `j`: the terms of each element still come in ascending `k`, and memory is read in order.
   */
  matmul: {
    firstReceiver: 0,
    prepare({ parents }) {
      const [x, y] = [at(parents, 0), at(parents, 1)];
      const batch = sizeOf(x.slice(0, -2));
      return Int32Array.of(batch, at(x, x.length - 2), at(x, x.length - 1), at(y, y.length - 1));
    },
    forward({ isSingle, values }, { out, size, x, y, table }) {
      const rows = integerAt(table, 1);
      const inner = integerAt(table, 2);
      const columns = integerAt(table, 3);
      const allRows = integerAt(table, 0) * rows;
      clear(values, out, size);
      for (let row = 0; row < allRows; row++) {
        const right = y + Math.floor(row / rows) * inner * columns;
        for (let k = 0; k < inner; k++) {
          const xik = values[x + row * inner + k] ?? outside();
          for (let j = 0; j < columns; j++) {
            const term = rounded(xik * (values[right + k * columns + j] ?? outside()), isSingle);
            values[out + row * columns + j] = (values[out + row * columns + j] ?? outside()) + term;
          }
        }
      }
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y, table }) {
      const rows = integerAt(table, 1);
      const inner = integerAt(table, 2);
      const columns = integerAt(table, 3);
      const allRows = integerAt(table, 0) * rows;
      clear(tangents, out, size);
      for (let row = 0; row < allRows; row++) {
        const right = y + Math.floor(row / rows) * inner * columns;
        for (let k = 0; k < inner; k++) {
          const xik = values[x + row * inner + k] ?? outside();
          const xDot = tangents[x + row * inner + k] ?? outside();
          for (let j = 0; j < columns; j++) {
            const ykj = right + k * columns + j;
            const fromX = rounded(xDot * (values[ykj] ?? outside()), isSingle);
            const fromY = rounded(xik * (tangents[ykj] ?? outside()), isSingle);
            tangents[out + row * columns + j] =
              (tangents[out + row * columns + j] ?? outside()) + rounded(fromX + fromY, isSingle);
          }
        }
      }
    },
    vjp(machine, { out, x, y, xBar, yBar, table }) {
      const batch = integerAt(table, 0);
      const rows = integerAt(table, 1);
      const inner = integerAt(table, 2);
      const columns = integerAt(table, 3);
      for (let b = 0; b < batch; b++) {
        const left = b * rows * inner;
        const right = b * inner * columns;
        const c = out + b * rows * columns;
        pullLeft(machine, c, y + right, xBar + left, table);
        pullRight(machine, c, x + left, yBar + right, table);
      }
    },
  },
};

/** Adds each element of the operand to its place in the result, in row-major order. */
function gatherSums(arena: Arena, { out, size, x, table }: Step): void {
  clear(arena, out, size);
  for (let i = 0; i < table.length; i++) {
    arena[out + (table[i] ?? outside())] =
      (arena[out + (table[i] ?? outside())] ?? outside()) + (arena[x + i] ?? outside());
  }
}

/** Makes running sums along the axis. */
function accumulate(arena: Arena, { out, size, x, table }: Step): void {
  const extent = integerAt(table, 0);
  const inner = integerAt(table, 1);
  for (let i = 0; i < size; i++) {
    const isFirst = Math.floor(i / inner) % extent === 0;
    arena[out + i] = (isFirst ? 0 : (arena[out + i - inner] ?? outside())) + (arena[x + i] ?? outside());
  }
}

/** Adds `xBar[i,k] += Σ_j c[i,j] · y[k,j]` for one entry of the batch; terms from +0, `j` ascending. */
function pullLeft(machine: Machine, c: number, y: number, xBar: number, table: Int32Array): void {
  const { isSingle, values, cotangents } = machine;
  const rows = integerAt(table, 1);
  const inner = integerAt(table, 2);
  const columns = integerAt(table, 3);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      let total = 0;
      for (let j = 0; j < columns; j++) {
        const term =
          (cotangents[c + i * columns + j] ?? outside()) * (values[y + k * columns + j] ?? outside());
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, xBar + i * inner + k, total);
    }
  }
}

/** Adds `yBar[k,j] += Σ_i x[i,k] · c[i,j]` for one entry of the batch; terms from +0, `i` ascending. */
export function pullRight(machine: Machine, c: number, x: number, yBar: number, table: Int32Array): void {
  const { isSingle, values, cotangents } = machine;
  const rows = integerAt(table, 1);
  const inner = integerAt(table, 2);
  const columns = integerAt(table, 3);
  for (let k = 0; k < inner; k++) {
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let i = 0; i < rows; i++) {
        const term =
          (values[x + i * inner + k] ?? outside()) * (cotangents[c + i * columns + j] ?? outside());
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, yBar + k * columns + j, total);
    }
  }
}
