import type { Random } from "fast-check";
import { floats } from "../../reference/package.ts";
import { type Algebra, elementary, everyLevel, type OrderedReal, present } from "../../spec/index.ts";

/** A number of float32, and the product that it was rounded from, if it was. */
export interface Fusible {
  readonly rounded: number;
  readonly product: number;
}

const reals = present(floats.float32.levels.orderedReal, "the functions of float32");

/** Returns a number that was not rounded from a product. */
export function plain(x: number): Fusible {
  return { rounded: x, product: x };
}

/** Returns float32 whose sums read a product before its rounding or after it, each time by chance. */
export function fusing(random: Random): Algebra<Fusible, boolean> {
  const read = ({ rounded, product }: Fusible): number => (random.nextInt() % 2 === 0 ? rounded : product);
  const all: OrderedReal<Fusible, boolean> = {
    zero: plain(0),
    one: plain(1),
    // One of the two alone can be fused.
    add: (x, y) => plain(Math.fround(random.nextInt() % 2 === 0 ? read(x) + y.rounded : x.rounded + read(y))),
    detach: (x) => x,
    multiply: (x, y) => {
      // Exact in float64, but for underflow.
      const product = x.rounded * y.rounded;
      const rounded = Math.fround(product);
      return Number.isFinite(rounded) && Math.abs(rounded) > 2 ** -100
        ? { rounded, product }
        : plain(rounded);
    },
    literal: (x) => plain(Math.fround(x)),
    negative: ({ rounded, product }) => ({ rounded: -rounded, product: -product }),
    divide: (x, y) => plain(reals.divide(x.rounded, y.rounded)),
    ...elementary<Fusible>(
      (name) => (x) => plain(reals[name](x.rounded)),
      (name) => (x, y) => plain(reals[name](x.rounded, y.rounded)),
    ),
    less: (x, y) => x.rounded < y.rounded,
    equal: (x, y) => x.rounded === y.rounded,
    select: (condition, x, y) => (condition ? x : y),
    floor: (x) => plain(Math.floor(x.rounded)),
  };
  return {
    name: "fusing",
    additive: all,
    levels: everyLevel(all),
    isSame: Object.is,
    format: ({ rounded }) => String(rounded),
    parse: (text) => plain(Number(text)),
  };
}
