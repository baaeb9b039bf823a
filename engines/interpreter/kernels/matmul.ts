import { sizeOf } from "../../../spec/index.ts";
import type { Kernel } from "../kernel.ts";
import { clear, contribute, type Machine, rounded } from "../machine.ts";

/** `xBar[i,k] += Σ_j c[i,j] · y[k,j]` for one entry of the batch, the terms added from +0, `j` ascending. */
function pullLeft(machine: Machine, c: number, y: number, xBar: number, table: Int32Array): void {
  const { isSingle, values, cotangents } = machine;
  const rows = table[1] ?? 0;
  const inner = table[2] ?? 0;
  const columns = table[3] ?? 0;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      let total = 0;
      for (let j = 0; j < columns; j++) {
        const term = (cotangents[c + i * columns + j] ?? 0) * (values[y + k * columns + j] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, xBar + i * inner + k, total);
    }
  }
}

/** `yBar[k,j] += Σ_i x[i,k] · c[i,j]`, likewise. */
export function pullRight(machine: Machine, c: number, x: number, yBar: number, table: Int32Array): void {
  const { isSingle, values, cotangents } = machine;
  const rows = table[1] ?? 0;
  const inner = table[2] ?? 0;
  const columns = table[3] ?? 0;
  for (let k = 0; k < inner; k++) {
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let i = 0; i < rows; i++) {
        const term = (values[x + i * inner + k] ?? 0) * (cotangents[c + i * columns + j] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, yBar + k * columns + j, total);
    }
  }
}

/**
 * Table: entries of the batch, rows, inner extent, columns. The value is summed in place, row by row with
 * `k` outside `j`: the terms of each element still come in ascending `k`, and memory is read in order.
 */
export const matmul: Kernel<"matmul"> = {
  firstReceiver: 0,
  prepare({ parents: [x = [], y = []] }) {
    const [rows = 0, inner = 0] = x.slice(-2);
    return Int32Array.of(sizeOf(x.slice(0, -2)), rows, inner, y[y.length - 1] ?? 0);
  },
  forward({ isSingle, values }, { out, size, x, y, table }) {
    const inner = table[2] ?? 0;
    const columns = table[3] ?? 0;
    const allRows = (table[0] ?? 0) * (table[1] ?? 0);
    clear(values, out, size);
    for (let row = 0; row < allRows; row++) {
      const right = y + Math.floor(row / (table[1] ?? 1)) * inner * columns;
      for (let k = 0; k < inner; k++) {
        const xik = values[x + row * inner + k] ?? 0;
        for (let j = 0; j < columns; j++) {
          const term = rounded(xik * (values[right + k * columns + j] ?? 0), isSingle);
          values[out + row * columns + j] = (values[out + row * columns + j] ?? 0) + term;
        }
      }
    }
  },
  jvp({ isSingle, values, tangents }, { out, size, x, y, table }) {
    const inner = table[2] ?? 0;
    const columns = table[3] ?? 0;
    const allRows = (table[0] ?? 0) * (table[1] ?? 0);
    clear(tangents, out, size);
    for (let row = 0; row < allRows; row++) {
      const right = y + Math.floor(row / (table[1] ?? 1)) * inner * columns;
      for (let k = 0; k < inner; k++) {
        const xik = values[x + row * inner + k] ?? 0;
        const xDot = tangents[x + row * inner + k] ?? 0;
        for (let j = 0; j < columns; j++) {
          const ykj = right + k * columns + j;
          const fromX = rounded(xDot * (values[ykj] ?? 0), isSingle);
          const fromY = rounded(xik * (tangents[ykj] ?? 0), isSingle);
          const term = rounded(fromX + fromY, isSingle);
          tangents[out + row * columns + j] = (tangents[out + row * columns + j] ?? 0) + term;
        }
      }
    }
  },
  vjp(machine, { out, x, y, xBar, yBar, table }) {
    const batch = table[0] ?? 0;
    const rows = table[1] ?? 0;
    const inner = table[2] ?? 0;
    const columns = table[3] ?? 0;
    for (let b = 0; b < batch; b++) {
      const left = b * rows * inner;
      const right = b * inner * columns;
      const c = out + b * rows * columns;
      pullLeft(machine, c, y + right, xBar + left, table);
      pullRight(machine, c, x + left, yBar + right, table);
    }
  },
};
