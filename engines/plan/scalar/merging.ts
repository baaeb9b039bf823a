import { arityOf, copyCode, scalarCodes } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/**
 * Merges equal nodes: the same operator on the same (merged) operands, the same entry of Δ, or a literal of the same bits; a
 * copy is equal to its operand. The table that
 * comes back has the same ids; its operands are the first of their equals, so that nothing reads the others any more. `first` tells
 * each id's. A rewrite of the name `merged_nodes`: the cotangents of equals become one sum.
 * Cost: linear (a hash table of twice as many places as ids).
 */
export function merged(table: ScalarTable): { readonly table: ScalarTable; readonly first: Int32Array } {
  const { inputs, codes, literals } = table;
  const length = codes.length;
  const x = Int32Array.from(table.x);
  const y = Int32Array.from(table.y);
  const z = Int32Array.from(table.z);
  const hasThird = z.length > 0;
  const bits = new Int32Array(literals.slice().buffer);
  const first = new Int32Array(length);
  const mask = 2 ** (33 - Math.clz32(length)) - 1;
  const places = new Int32Array(mask + 1).fill(-1);
  for (let id = 0; id < inputs; id++) first[id] = id;
  for (let id = inputs; id < length; id++) {
    const code = codes[id] ?? 0;
    let a = x[id] ?? 0;
    if (code === copyCode) {
      first[id] = first[a] ?? 0;
      continue;
    }
    let b = 0;
    let c = 0;
    if (code >= scalarCodes.firstOperator) {
      const arity = arityOf[code] ?? 0;
      a = first[a] ?? 0;
      x[id] = a;
      if (arity > 1) y[id] = b = first[y[id] ?? 0] ?? 0;
      if (arity > 2) z[id] = c = first[z[id] ?? 0] ?? 0;
    } else if (code === scalarCodes.literal) {
      const at = 2 * a;
      a = bits[at] ?? 0;
      b = bits[at + 1] ?? 0;
    }
    let place = hashOf(code, a, b, c) & mask;
    let other = places[place] ?? -1;
    while (other >= 0 && !isSame(other, code, a, b, c)) {
      place = (place + 1) & mask;
      other = places[place] ?? -1;
    }
    if (other < 0) places[place] = id;
    first[id] = other < 0 ? id : other;
  }
  return { table: { ...table, x, y, z }, first };

  function isSame(other: number, code: number, a: number, b: number, c: number): boolean {
    if (codes[other] !== code) return false;
    const head = x[other] ?? 0;
    if (code === scalarCodes.literal) return bits[2 * head] === a && bits[2 * head + 1] === b;
    return head === a && y[other] === b && (!hasThird || z[other] === c);
  }
}

/** Mixes the parts; the low bits of the result depend on all of them. */
function hashOf(code: number, a: number, b: number, c: number): number {
  let h = Math.imul(a ^ Math.imul(code, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f);
  return h ^ (h >>> 16);
}
