import type { Composite } from "./composite.ts";
import { square } from "./elementwise.ts";

/** The composites and the type of each one's row. */
export interface CompositeTable {
  readonly square: typeof square;
}

/** The name of a composite. */
export type CompositeName = keyof CompositeTable;

type AttributesIn<T> = T extends Composite<infer A> ? A : never;

/** Each composite's attributes. */
export type CompositeAttributes = { readonly [K in CompositeName]: AttributesIn<CompositeTable[K]> };

/** A row for every composite. */
export type CompositeRows = { readonly [K in CompositeName]: Composite<CompositeAttributes[K]> };

/** The composites. A new one is one row: its expansion gives it a meaning in every room. */
export const composites: CompositeRows = {
  square,
};

/** Whether `name` is a composite's. */
export function isCompositeName(name: string): name is CompositeName {
  return Object.hasOwn(composites, name);
}

/** Every composite's name, in the table's order. */
export const compositeNames: readonly CompositeName[] = Object.keys(composites).filter(isCompositeName);
