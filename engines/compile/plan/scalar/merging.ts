import { byteAt, integerAt } from "../../../../spec/shapes/index.ts";
import { arityOf, copyCode, scalarCodes } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/** The hash table has so many places: 512 kB, which stay in a cache. */
const PLACES = 2 ** 16;

/**
 * Merges equal nodes: the same operator on the same (merged) operands, the same entry of Δ, or a literal of
 * the same bits; a copy equals its operand. The returned table has the same ids, and reads only the first of
 * equals, which `first` gives for each id. A node is compared only with the last one of its hash, so that the
 * cost stays that of a cache; in graphs of over ten thousand nodes equals far apart may stay two. This is the
 * rewrite `merged_nodes`: the cotangents of equals become one sum. Cost: linear.
 */
export function merged(table: ScalarTable): { readonly table: ScalarTable; readonly first: Int32Array } {
  const { inputs, codes, x, y, z, literals } = table;
  const length = codes.length;
  const bits = new Int32Array(literals.slice().buffer);
  const first = new Int32Array(length);
  const numbering: Numbering = { table, first, bits };
  const places = new Int32Array(PLACES);
  const marks = new Int32Array(PLACES);
  const through = { x: new Int32Array(length), y: new Int32Array(length), z: new Int32Array(z.length) };
  let count = 0;
  for (let id = 0; id < inputs; id++) first[id] = id;
  for (let id = inputs; id < length; id++) {
    const code = byteAt(codes, id);
    const isLiteral = code === scalarCodes.literal;
    const arity = byteAt(arityOf, code);
    const head = integerAt(x, id);
    const a = isLiteral ? integerAt(bits, 2 * head) : arity > 0 ? integerAt(first, head) : head;
    const b = isLiteral ? integerAt(bits, 2 * head + 1) : arity > 1 ? integerAt(first, integerAt(y, id)) : 0;
    const c = arity > 2 ? integerAt(first, integerAt(z, id)) : 0;
    through.x[id] = arity > 0 ? a : head;
    if (arity > 1) through.y[id] = b;
    if (arity > 2) through.z[id] = c;
    const hash = hashOf(code, a, b, c);
    const place = hash & (PLACES - 1);
    const other = integerAt(places, place);
    // An empty place names id 0, which is then compared like any other.
    const equal =
      code === copyCode
        ? a
        : marks[place] === hash && isSame(numbering, other, code, a, b, c)
          ? integerAt(first, other)
          : id;
    first[id] = equal;
    if (equal !== id) count++;
    else {
      marks[place] = hash;
      places[place] = id;
    }
  }
  return { table: count === 0 ? table : { ...table, ...through }, first };
}

/** Nodes are compared by these. */
interface Numbering {
  readonly table: ScalarTable;
  readonly first: Int32Array;
  /** The literals as words. */
  readonly bits: Int32Array;
}

/** Says whether an earlier node has this code and these operands. */
function isSame(numbering: Numbering, other: number, code: number, a: number, b: number, c: number): boolean {
  const { table, first, bits } = numbering;
  if (table.codes[other] !== code) return false;
  const head = integerAt(table.x, other);
  if (code === scalarCodes.literal) return bits[2 * head] === a && bits[2 * head + 1] === b;
  const arity = byteAt(arityOf, code);
  if (arity === 0) return head === a;
  if (first[head] !== a || (arity > 1 && first[integerAt(table.y, other)] !== b)) return false;
  return arity < 3 || first[integerAt(table.z, other)] === c;
}

/** Mixes the parts, so that the low bits of the result depend on all of them. */
function hashOf(code: number, a: number, b: number, c: number): number {
  let h = Math.imul(a ^ Math.imul(code, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f);
  return h ^ (h >>> 16);
}
