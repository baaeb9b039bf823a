/** What compilers rewrite: patterns that their rules look for, and the nearest that they must leave alone. */
import { arithmetic } from "./arithmetic.ts";
import type { Fusion } from "./hand.ts";
import { layers } from "./layers.ts";
import { moves } from "./moves.ts";
import { products } from "./products.ts";

/** Each group of rewrites has patterns, by name. */
export const fusions: ReadonlyMap<string, ReadonlyMap<string, Fusion>> = new Map([
  ...arithmetic,
  ...products,
  ...layers,
  ...moves,
]);

export type { Fusion, Hand } from "./hand.ts";
