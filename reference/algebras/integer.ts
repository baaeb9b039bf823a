import type { Algebra, Ordered } from "../../spec/shapes/index.ts";
import { rational } from "./rational.ts";

const operations: Ordered<bigint, boolean> = {
  zero: 0n,
  one: 1n,
  add: (x, y) => x + y,
  detach: (x) => x,
  multiply: (x, y) => x * y,
  literal: (x) => BigInt(Math.round(x)),
  negative: (x) => -x,
  less: (x, y) => x < y,
  equal: (x, y) => x === y,
  select: (condition, x, y) => (condition ? x : y),
  floor: (x) => x,
};

/** The integers: an ordered ring, so every graph without division and elementary functions. */
export const integer: Algebra<bigint, boolean> = {
  name: "integer",
  additive: operations,
  levels: {
    additive: operations,
    semiring: operations,
    ring: operations,
    field: undefined,
    real: undefined,
    ordered: operations,
    orderedField: undefined,
    orderedReal: undefined,
  },
  isSame: (x, y) => x === y,
  format: (x) => x.toString(),
  parse: (text) => {
    const x = rational.parse(text);
    return x?.denominator === 1n ? x.numerator : undefined;
  },
};
