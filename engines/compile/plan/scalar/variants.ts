import { byteAt, integerAt } from "../../../../spec/shapes/index.ts";
import type { Needs } from "./needs.ts";
import { type ScalarName, scalarCodes, scalarNames } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/** A kind of node, for which one loop is made. */
export interface Variant {
  /** The operator; `undefined` for a leaf. */
  readonly name: ScalarName | undefined;
  /** A bit for each operand that receives. */
  readonly receives: number;
  /** Is true if two receiving operands are one node, whose contributions are summed first. */
  readonly isFolded: boolean;
}

/** The variants of a table's nodes, and each id's index among them. Leaves come first, inputs before all. */
export interface Variants {
  readonly list: readonly Variant[];
  readonly of: Uint8Array;
}

/** Sorts nodes into variants; there are fewer than 256, 34 operators with at most 5 each. Cost: linear. */
export function variantsOf(table: ScalarTable, needs: Needs): Variants {
  const { codes, x, y, z } = table;
  const length = codes.length;
  const keys = new Int32Array(length);
  const isThere = new Uint8Array((scalarCodes.firstOperator + scalarNames.length) << 4);
  for (let id = 0; id < length; id++) {
    const mask = byteAt(needs.receives, id);
    // No operator's first and third operand both receive.
    const isFolded = ((mask & 3) === 3 && x[id] === y[id]) || ((mask & 6) === 6 && y[id] === z[id]);
    const key = (byteAt(codes, id) << 4) | (isFolded ? 8 : 0) | mask;
    keys[id] = key;
    isThere[key] = 1;
  }
  const list: Variant[] = [];
  const numbers = new Uint8Array(isThere.length);
  for (let key = 0; key < isThere.length; key++) {
    if (isThere[key] === 0) continue;
    numbers[key] = list.length;
    list.push({
      name: scalarNames[(key >> 4) - scalarCodes.firstOperator],
      receives: key & 7,
      isFolded: (key & 8) !== 0,
    });
  }
  const of = new Uint8Array(length);
  for (let id = 0; id < length; id++) of[id] = byteAt(numbers, integerAt(keys, id));
  return { list, of };
}
