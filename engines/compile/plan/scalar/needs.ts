import { byteAt, integerAt } from "../../../../spec/shapes/index.ts";
import { arityOf, receiversOf } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/** The value of one id and the cotangents of the inputs depend on these. */
export interface Needs {
  /** Each id has 1 here if the value depends on it. */
  readonly isLive: Uint8Array;
  /** Each id has a bit here for each operand to which its cotangent is handed on; 0 where none arrives. */
  readonly receives: Uint8Array;
  /** Each id has 1 here if a cotangent arrives. */
  readonly isReached: Uint8Array;
}

/**
 * Finds what `output` needs. Cotangents are handed on only to ids that depend on an input, and only from ids
 * that `output` depends on through such operands. This is the rewrite `dead_code`. Cost: linear.
 */
export function needsOf(table: ScalarTable, output: number): Needs {
  const { inputs, codes, x, y, z } = table;
  const length = codes.length;
  const receivers = receiversOf();
  const receives = new Uint8Array(length);
  const isActive = new Uint8Array(length).fill(1, 0, inputs);
  for (let id = inputs; id < length; id++) {
    const all = byteAt(receivers, byteAt(codes, id));
    let mask = 0;
    if ((all & 1) !== 0) mask |= byteAt(isActive, integerAt(x, id));
    if ((all & 2) !== 0) mask |= byteAt(isActive, integerAt(y, id)) << 1;
    if ((all & 4) !== 0) mask |= byteAt(isActive, integerAt(z, id)) << 2;
    receives[id] = mask;
    if (mask !== 0) isActive[id] = 1;
  }
  const isLive = new Uint8Array(length);
  const isReached = new Uint8Array(length);
  isLive[output] = 1;
  isReached[output] = 1;
  for (let id = output; id >= inputs; id--) {
    if (isLive[id] === 0) continue;
    const arity = byteAt(arityOf, byteAt(codes, id));
    const mask = isReached[id] === 0 ? 0 : byteAt(receives, id);
    receives[id] = mask;
    if (arity > 0) {
      const operand = integerAt(x, id);
      isLive[operand] = 1;
      if ((mask & 1) !== 0) isReached[operand] = 1;
    }
    if (arity > 1) {
      const operand = integerAt(y, id);
      isLive[operand] = 1;
      if ((mask & 2) !== 0) isReached[operand] = 1;
    }
    if (arity > 2) {
      const operand = integerAt(z, id);
      isLive[operand] = 1;
      if ((mask & 4) !== 0) isReached[operand] = 1;
    }
  }
  return { isLive, receives, isReached };
}

/** Returns the needs of a plan for all ids: all values, and cotangents to every receiving operand. */
export function allNeedsOf(table: ScalarTable): Needs {
  const { codes } = table;
  const receivers = receiversOf();
  const everywhere = new Uint8Array(codes.length).fill(1);
  return {
    isLive: everywhere,
    receives: codes.map((code) => byteAt(receivers, code)),
    isReached: everywhere,
  };
}
