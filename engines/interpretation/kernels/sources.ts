import type { Sources } from "../../../spec/operators/index.ts";
import { at, integerAt, present, stridesOf } from "../../../spec/shapes/index.ts";
import { type KernelTable, still } from "../kernel.ts";
import { outside } from "../machine.ts";
import { randomBits } from "./threefry.ts";

/** The operators without operands. */
export const sources: Pick<KernelTable, keyof Sources> = {
  /** Table: the offset of the entry of Δ. */
  constant: {
    ...still,
    firstReceiver: 0,
    prepare: ({ attributes: { name }, places }) => Int32Array.of(present(places.get(name), name)),
    forward({ values }, { out, size, table }) {
      const entry = integerAt(table, 0);
      for (let i = 0; i < size; i++) values[out + i] = values[entry + i] ?? outside();
    },
  },
  full: {
    ...still,
    firstReceiver: 0,
    prepare: () => new Int32Array(0),
    literal: ({ value }) => value,
    forward({ values }, { out, size, literal }) {
      values.fill(literal, out, out + size);
    },
  },
  /** Table: the elements from one index along the axis to the next, and the extent of the axis. */
  iota: {
    ...still,
    firstReceiver: 0,
    prepare: ({ attributes: { shape, axis } }) => Int32Array.of(at(stridesOf(shape), axis), at(shape, axis)),
    forward({ values }, { out, size, table }) {
      const stride = integerAt(table, 0);
      const extent = integerAt(table, 1);
      for (let i = 0; i < size; i++) values[out + i] = Math.floor(i / stride) % extent;
    },
  },
  /** Table: the offset of the key. */
  bernoulli_mask: {
    ...still,
    firstReceiver: 0,
    prepare: ({ attributes: { key }, places }) => Int32Array.of(present(places.get(key), key)),
    literal: ({ rate }) => rate,
    forward({ values, indices }, { out, size, table, literal: rate }) {
      const first = integerAt(table, 0);
      const k0 = integerAt(indices, first);
      const k1 = integerAt(indices, first + 1);
      for (let i = 0; i < size; i++) values[out + i] = randomBits(k0, k1, 0, i) / 2 ** 32 >= rate ? 1 : 0;
    },
  },
};
