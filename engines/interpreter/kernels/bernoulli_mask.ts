import { present } from "../../../spec/index.ts";
import { threefryBits } from "../../plan/routines/threefry.ts";
import type { Kernel } from "../kernel.ts";
import { clear } from "../machine.ts";

/** Table: the offset of the key. */
export const bernoulliMask: Kernel<"bernoulli_mask"> = {
  firstReceiver: 0,
  prepare({ attributes: { key }, places }) {
    return Int32Array.of(present(places.get(key), key));
  },
  literal: ({ rate }) => rate,
  forward({ values, indices }, { out, size, table, literal: rate }) {
    const key = table[0] ?? 0;
    const k0 = indices[key] ?? 0;
    const k1 = indices[key + 1] ?? 0;
    for (let i = 0; i < size; i++) {
      values[out + i] = threefryBits(k0, k1, 0, i) / 2 ** 32 >= rate ? 1 : 0;
    }
  },
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
