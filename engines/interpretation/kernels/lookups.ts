import type { Lookups } from "../../../spec/operators/index.ts";
import { at, integerAt, present, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import type { KernelTable, Step } from "../kernel.ts";
import { type Arena, contribute, type Machine, outside } from "../machine.ts";
import { positionsOf } from "../positions.ts";
import { blockAt, rowTable } from "../rows.ts";
import { contributeSums } from "./aside.ts";

/** These operators read or write at indices, which come from Δ. */
export const lookups: Pick<KernelTable, keyof Lookups> = {
  /** Table: the offset of the indices; extents before the axis, of the axis, of the indices, after it. */
  take: {
    firstReceiver: 0,
    prepare({ attributes: { axis, indices }, parents, shape, places }) {
      const x = at(parents, 0);
      const first = present(places.get(indices), indices);
      const outer = sizeOf(x.slice(0, axis));
      return Int32Array.of(first, outer, at(x, axis), at(shape, axis), sizeOf(x.slice(axis + 1)));
    },
    forward(machine, step) {
      take(machine, machine.values, step);
    },
    jvp(machine, step) {
      take(machine, machine.tangents, step);
    },
    vjp(machine, step) {
      contributeSums(machine, step, giveBack);
    },
  },
  /**
   * Table: the offset of the indices, the operand's stride along the axis, then for each element of the
   * result its element of the operand with index 0 along the axis.
   */
  take_along_axis: {
    firstReceiver: 0,
    prepare({ attributes: { axis, indices }, parents, shape, places }) {
      const strides = stridesOf(at(parents, 0));
      const positions = positionsOf(shape, strides.with(axis, 0));
      const table = new Int32Array(2 + positions.length);
      table.set([present(places.get(indices), indices), at(strides, axis)]);
      table.set(positions, 2);
      return table;
    },
    forward(machine, step) {
      takeAlong(machine, machine.values, step);
    },
    jvp(machine, step) {
      takeAlong(machine, machine.tangents, step);
    },
    vjp(machine, step) {
      contributeSums(machine, step, giveBackAlong);
    },
  },
  /** Table: see {@link rowTable}. */
  gather: {
    firstReceiver: 0,
    prepare: ({ attributes: { indices }, parents, ...placement }) =>
      rowTable(at(parents, 0), indices, placement),
    forward(machine, step) {
      gather(machine, machine.values, step);
    },
    jvp(machine, step) {
      gather(machine, machine.tangents, step);
    },
    vjp(machine, step) {
      contributeSums(machine, step, scatter);
    },
  },
  /** Table: see {@link rowTable}. */
  scatter_add: {
    firstReceiver: 0,
    prepare: ({ attributes: { indices }, parents, ...placement }) =>
      rowTable(at(parents, 0), indices, placement),
    forward(machine, step) {
      scatterAdd(machine, machine.values, step);
    },
    jvp(machine, step) {
      scatterAdd(machine, machine.tangents, step);
    },
    vjp(machine, { out, size, xBar, yBar, table }) {
      const { indices, cotangents } = machine;
      const rows = integerAt(table, 1);
      const inner = integerAt(table, 2);
      for (let i = 0; i < size; i++) contribute(machine, xBar + i, cotangents[out + i] ?? outside());
      for (let row = 0; row < rows; row++) {
        const from = out + blockAt(indices, table, row);
        for (let i = 0; i < inner; i++) {
          contribute(machine, yBar + row * inner + i, cotangents[from + i] ?? outside());
        }
      }
    },
  },
};

function take({ indices }: Machine, arena: Arena, { out, x, table }: Step): void {
  const first = integerAt(table, 0);
  const outer = integerAt(table, 1);
  const extent = integerAt(table, 2);
  const count = integerAt(table, 3);
  const inner = integerAt(table, 4);
  let to = out;
  for (let o = 0; o < outer; o++) {
    for (let j = 0; j < count; j++) {
      const from = x + (o * extent + (indices[first + j] ?? outside())) * inner;
      for (let i = 0; i < inner; i++) arena[to + i] = arena[from + i] ?? outside();
      to += inner;
    }
  }
}

/** Adds each element of the cotangent to the work space, where its element was taken from. */
function giveBack(machine: Machine, { out, table }: Step): void {
  const { indices, cotangents, work } = machine;
  const first = integerAt(table, 0);
  const outer = integerAt(table, 1);
  const extent = integerAt(table, 2);
  const count = integerAt(table, 3);
  const inner = integerAt(table, 4);
  let from = out;
  for (let o = 0; o < outer; o++) {
    for (let j = 0; j < count; j++) {
      const to = work + (o * extent + (indices[first + j] ?? outside())) * inner;
      for (let i = 0; i < inner; i++) contribute(machine, to + i, cotangents[from + i] ?? outside());
      from += inner;
    }
  }
}

function takeAlong({ indices }: Machine, arena: Arena, { out, size, x, table }: Step): void {
  const first = integerAt(table, 0);
  const stride = integerAt(table, 1);
  for (let i = 0; i < size; i++) {
    arena[out + i] =
      arena[x + (table[i + 2] ?? outside()) + (indices[first + i] ?? outside()) * stride] ?? outside();
  }
}

/** Does what {@link giveBack} does, for {@link takeAlong}. */
function giveBackAlong(machine: Machine, { out, size, table }: Step): void {
  const { indices, cotangents, work } = machine;
  const first = integerAt(table, 0);
  const stride = integerAt(table, 1);
  for (let i = 0; i < size; i++) {
    const to = work + (table[i + 2] ?? outside()) + (indices[first + i] ?? outside()) * stride;
    contribute(machine, to, cotangents[out + i] ?? outside());
  }
}

function gather({ indices }: Machine, arena: Arena, { out, x, table }: Step): void {
  const rows = integerAt(table, 1);
  const inner = integerAt(table, 2);
  for (let row = 0; row < rows; row++) {
    const from = x + blockAt(indices, table, row);
    for (let i = 0; i < inner; i++) arena[out + row * inner + i] = arena[from + i] ?? outside();
  }
}

/** Does what {@link giveBack} does, for {@link gather}. */
function scatter(machine: Machine, { out, table }: Step): void {
  const { indices, cotangents, work } = machine;
  const rows = integerAt(table, 1);
  const inner = integerAt(table, 2);
  for (let row = 0; row < rows; row++) {
    const to = work + blockAt(indices, table, row);
    for (let i = 0; i < inner; i++) {
      contribute(machine, to + i, cotangents[out + row * inner + i] ?? outside());
    }
  }
}

/** Adds the updates onto a copy of the operand, in row-major order. */
function scatterAdd({ indices }: Machine, arena: Arena, { out, size, x, y, table }: Step): void {
  const rows = integerAt(table, 1);
  const inner = integerAt(table, 2);
  for (let i = 0; i < size; i++) arena[out + i] = arena[x + i] ?? outside();
  for (let row = 0; row < rows; row++) {
    const to = out + blockAt(indices, table, row);
    for (let i = 0; i < inner; i++) {
      arena[to + i] = (arena[to + i] ?? outside()) + (arena[y + row * inner + i] ?? outside());
    }
  }
}
