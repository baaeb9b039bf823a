import { arityOf, copyCode, scalarCodes } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/** Places of the hash table: 512 kB, so that it stays in a cache. */
const PLACES = 2 ** 16;

/**
 * Merges equal nodes: the same operator on the same (merged) operands, the same entry of Δ, or a literal of the same bits; a copy is equal to its
 * operand. The table that comes back has the same ids; its operands are the first of their equals, so that nothing reads the others any
 * more. `first` tells each id's. A node is compared with the last one of its hash alone: in graphs of more than some ten thousand
 * nodes, equals far apart may stay two, and the cost stays that of a cache.
 * A rewrite of the name `merged_nodes`: the cotangents of equals become one sum. Cost: linear.
 */
export function merged(table: ScalarTable): { readonly table: ScalarTable; readonly first: Int32Array } {
  const { inputs, codes, literals } = table;
  const length = codes.length;
  const x = Int32Array.from(table.x);
  const y = Int32Array.from(table.y);
  const z = Int32Array.from(table.z);
  const bits = new Int32Array(literals.slice().buffer);
  const first = new Int32Array(length);
  const places = new Int32Array(PLACES);
  const marks = new Int32Array(PLACES);
  for (let id = 0; id < inputs; id++) first[id] = id;
  for (let id = inputs; id < length; id++) {
    const code = codes[id] ?? 0;
    const a = code >= scalarCodes.firstOperator ? (first[x[id] ?? 0] ?? 0) : (x[id] ?? 0);
    if (code === copyCode) {
      first[id] = a;
      continue;
    }
    const arity = arityOf[code] ?? 0;
    x[id] = a;
    const b = arity > 1 ? (first[y[id] ?? 0] ?? 0) : 0;
    if (arity > 1) y[id] = b;
    const c = arity > 2 ? (first[z[id] ?? 0] ?? 0) : 0;
    if (arity > 2) z[id] = c;
    const isLiteral = code === scalarCodes.literal;
    const hash = isLiteral ? hashOf(code, bits[2 * a] ?? 0, bits[2 * a + 1] ?? 0, 0) : hashOf(code, a, b, c);
    const place = hash & (PLACES - 1);
    const other = places[place] ?? 0;
    // Place 0 of a table of zeros is no node: an input has another code than any node.
    if (marks[place] === hash && isSame(other, id)) first[id] = first[other] ?? 0;
    else {
      marks[place] = hash;
      places[place] = id;
      first[id] = id;
    }
  }
  return { table: { ...table, x, y, z }, first };

  function isSame(other: number, id: number): boolean {
    if (codes[other] !== codes[id]) return false;
    if (codes[id] === scalarCodes.literal) {
      const [p, q] = [2 * (x[other] ?? 0), 2 * (x[id] ?? 0)];
      return bits[p] === bits[q] && bits[p + 1] === bits[q + 1];
    }
    return x[other] === x[id] && y[other] === y[id] && z[other] === z[id];
  }
}

/** Mixes the parts; the low bits of the result depend on all of them. */
function hashOf(code: number, a: number, b: number, c: number): number {
  let h = Math.imul(a ^ Math.imul(code, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f);
  return h ^ (h >>> 16);
}
