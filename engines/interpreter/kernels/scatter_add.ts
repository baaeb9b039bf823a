import type { Kernel, Step } from "../kernel.ts";
import { type Arena, contribute, type Machine } from "../machine.ts";
import { blockAt, rowTable } from "../rows.ts";

/** Adds the updates onto a copy of the operand, in row-major order: each addition is rounded by its store. */
function scatter({ indices }: Machine, arena: Arena, { out, size, x, y, table }: Step): void {
  const rows = table[1] ?? 0;
  const inner = table[2] ?? 0;
  for (let i = 0; i < size; i++) arena[out + i] = arena[x + i] ?? 0;
  for (let row = 0; row < rows; row++) {
    const to = out + blockAt(indices, table, row);
    for (let i = 0; i < inner; i++) {
      arena[to + i] = (arena[to + i] ?? 0) + (arena[y + row * inner + i] ?? 0);
    }
  }
}

/** Table: see {@link rowTable}. */
export const scatterAdd: Kernel<"scatter_add"> = {
  firstReceiver: 0,
  prepare({ attributes: { indices }, parents: [x = []], ...placement }) {
    return rowTable(x, indices, placement);
  },
  forward(machine, step) {
    scatter(machine, machine.values, step);
  },
  jvp(machine, step) {
    scatter(machine, machine.tangents, step);
  },
  vjp(machine, { out, size, xBar, yBar, table }) {
    const { indices, cotangents } = machine;
    const rows = table[1] ?? 0;
    const inner = table[2] ?? 0;
    for (let i = 0; i < size; i++) contribute(machine, xBar + i, cotangents[out + i] ?? 0);
    for (let row = 0; row < rows; row++) {
      const from = out + blockAt(indices, table, row);
      for (let i = 0; i < inner; i++) {
        contribute(machine, yBar + row * inner + i, cotangents[from + i] ?? 0);
      }
    }
  },
};
