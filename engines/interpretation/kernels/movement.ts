import { type Movement, sliceAxis } from "../../../spec/operators/index.ts";
import { at, integerAt, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { elementwise, type KernelTable, type Rules, type Step } from "../kernel.ts";
import { type Arena, clear, contribute, type Machine, outside } from "../machine.ts";
import { positionsOf } from "../positions.ts";
import { contributeSums } from "./aside.ts";

function pick(arena: Arena, { out, size, x, table }: Step): void {
  for (let i = 0; i < size; i++) arena[out + i] = arena[x + (table[i] ?? outside())] ?? outside();
}

/** These kernels' tables have, for each element of the result, its element of the operand. */
const picking: { readonly firstReceiver: number } & Pick<Rules, "forward" | "jvp"> = {
  firstReceiver: 0,
  forward({ values }, step) {
    pick(values, step);
  },
  jvp({ tangents }, step) {
    pick(tangents, step);
  },
};

/** Does what {@link contributeSums} does for picked elements, inlined because scalars do little else. */
function unpick(machine: Machine, { out, size, xSize, xBar, table }: Step): void {
  const { cotangents, work } = machine;
  clear(cotangents, work, xSize);
  for (let i = 0; i < size; i++) {
    contribute(machine, work + (table[i] ?? outside()), cotangents[out + i] ?? outside());
  }
  for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? outside());
}

function join(arena: Arena, { out, operands, table }: Step): void {
  const outer = integerAt(table, 0);
  const whole = integerAt(table, 1);
  let start = out;
  for (let n = 0; n < operands.length; n++) {
    const x = at(operands, n);
    const part = integerAt(table, n + 2);
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < part; i++) arena[start + o * whole + i] = arena[x + o * part + i] ?? outside();
    }
    start += part;
  }
}

function spread(arena: Arena, { out, size, x, table }: Step): void {
  clear(arena, out, size);
  for (let i = 0; i < table.length; i++) arena[out + (table[i] ?? outside())] = arena[x + i] ?? outside();
}

/** These operators move, repeat or leave out elements, and compute nothing. */
export const movement: Pick<KernelTable, keyof Movement> = {
  broadcast_to: {
    ...picking,
    prepare({ parents, shape }) {
      const x = at(parents, 0);
      const strides = stridesOf(x);
      const lead = shape.length - x.length;
      // A new axis, and one that was of extent 1, repeats its elements.
      const moves = shape.map((_, axis) =>
        axis < lead || x[axis - lead] === 1 ? 0 : at(strides, axis - lead),
      );
      return positionsOf(shape, moves);
    },
    vjp: unpick,
  },
  reshape: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = values[x + i] ?? outside();
    },
    jvp({ tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) tangents[out + i] = tangents[x + i] ?? outside();
    },
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++) contribute(machine, xBar + i, machine.cotangents[out + i] ?? outside());
    },
  },
  permute_dims: {
    ...picking,
    prepare({ attributes: { axes }, parents, shape }) {
      const strides = stridesOf(at(parents, 0));
      return positionsOf(
        shape,
        axes.map((axis) => at(strides, axis)),
      );
    },
    vjp(machine, { out, size, xBar, table }) {
      const { cotangents } = machine;
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + (table[i] ?? outside()), cotangents[out + i] ?? outside());
      }
    },
  },
  /** Table: how often the operands alternate, elements of the result per turn, then those of each operand. */
  concat: {
    firstReceiver: 0,
    prepare({ attributes: { axis }, parents, shape }) {
      const outer = sizeOf(shape.slice(0, axis));
      const parts = parents.map((parent) => sizeOf(parent.slice(axis)));
      return Int32Array.from([outer, sizeOf(shape.slice(axis)), ...parts]);
    },
    forward({ values }, step) {
      join(values, step);
    },
    jvp({ tangents }, step) {
      join(tangents, step);
    },
    vjp(machine, { out, bars, table }) {
      const { cotangents } = machine;
      const outer = integerAt(table, 0);
      const whole = integerAt(table, 1);
      let start = out;
      for (let n = 0; n < bars.length; n++) {
        const xBar = at(bars, n);
        const part = integerAt(table, n + 2);
        for (let o = 0; o < outer; o++) {
          for (let i = 0; i < part; i++) {
            contribute(machine, xBar + o * part + i, cotangents[start + o * whole + i] ?? outside());
          }
        }
        start += part;
      }
    },
  },
  slice: {
    ...picking,
    prepare({ attributes: { starts, stops, steps }, parents, shape }) {
      const x = at(parents, 0);
      const strides = stridesOf(x);
      const first = x
        .map((extent, axis) => sliceAxis(extent, at(starts, axis), at(stops, axis), at(steps, axis)).first)
        .reduce((sum, index, axis) => sum + index * at(strides, axis), 0);
      const moves = strides.map((stride, axis) => stride * at(steps, axis));
      return positionsOf(shape, moves, first);
    },
    vjp: unpick,
  },
  /** Table: for each element of the operand, its element of the result. */
  pad: {
    firstReceiver: 0,
    prepare({ attributes: { low, interior }, parents, shape }) {
      const strides = stridesOf(shape);
      const first = low.reduce((sum, before, axis) => sum + before * at(strides, axis), 0);
      const moves = strides.map((stride, axis) => stride * (1 + at(interior, axis)));
      return positionsOf(at(parents, 0), moves, first);
    },
    forward({ values }, step) {
      spread(values, step);
    },
    jvp({ tangents }, step) {
      spread(tangents, step);
    },
    vjp(machine, { out, xBar, table }) {
      const { cotangents } = machine;
      for (let i = 0; i < table.length; i++) {
        contribute(machine, xBar + i, cotangents[out + (table[i] ?? outside())] ?? outside());
      }
    },
  },
};
