import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute, type Machine } from "../machine.ts";
import { blockAt, rowTable } from "../rows.ts";

function pick({ indices }: Machine, arena: Arena, { out, x, table }: Step): void {
  const rows = table[1] ?? 0;
  const inner = table[2] ?? 0;
  for (let row = 0; row < rows; row++) {
    const from = x + blockAt(indices, table, row);
    for (let i = 0; i < inner; i++) arena[out + row * inner + i] = arena[from + i] ?? 0;
  }
}

/** Table: see {@link rowTable}. */
export const gather: Kernel<"gather"> = {
  firstReceiver: 0,
  prepare({ attributes: { indices }, parents: [x = []], ...placement }) {
    return rowTable(x, indices, placement);
  },
  forward(machine, step) {
    pick(machine, machine.values, step);
  },
  jvp(machine, step) {
    pick(machine, machine.tangents, step);
  },
  vjp(machine, { out, xSize, xBar, table }) {
    const { indices, cotangents, work } = machine;
    const rows = table[1] ?? 0;
    const inner = table[2] ?? 0;
    clear(cotangents, work, xSize);
    for (let row = 0; row < rows; row++) {
      const to = work + blockAt(indices, table, row);
      for (let i = 0; i < inner; i++) contribute(machine, to + i, cotangents[out + row * inner + i] ?? 0);
    }
    for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
  },
};
