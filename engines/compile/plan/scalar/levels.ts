import { byteAt, integerAt } from "../../../../spec/shapes/index.ts";
import { arityOf } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/** The distance of each id from the leaves. */
export interface Levels {
  /** Each id has a level: 0 for a leaf, else one more than the largest of its operands. */
  readonly of: Int32Array;
  /** One more than the largest of all. */
  readonly count: number;
}

/** Computes the levels of a table: nodes of one level do not depend on each other. Cost: linear. */
export function levelsOf(table: ScalarTable): Levels {
  const { inputs, codes, x, y, z } = table;
  const length = codes.length;
  const of = new Int32Array(length);
  let top = 0;
  for (let id = inputs; id < length; id++) {
    const arity = byteAt(arityOf, byteAt(codes, id));
    if (arity === 0) continue;
    // Where there is no second operand y is 0, the id of a leaf.
    let most = Math.max(integerAt(of, integerAt(x, id)), integerAt(of, integerAt(y, id)));
    if (arity > 2) most = Math.max(most, integerAt(of, integerAt(z, id)));
    of[id] = most + 1;
    if (most + 1 > top) top = most + 1;
  }
  return { of, count: top + 1 };
}
