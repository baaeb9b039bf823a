import { at } from "../../../../spec/shapes/index.ts";
import { type Nest, type Place, part } from "./nest.ts";

/** A copy is one round of each loop's width. */
export type Copy = readonly number[];

/** Lists all copies of a nest's innermost statements, row-major. */
export function copiesOf(nest: Nest): readonly Copy[] {
  return nest.loops.reduce<Copy[]>(
    (copies, { width }) => copies.flatMap((copy) => Array.from({ length: width }, (_, n) => [...copy, n])),
    [[]],
  );
}

/** Moves a place to the one that a copy visits. */
export function shifted(place: Place, copy: Copy): Place {
  if (copy.every((n) => n === 0)) return place;
  const shift = <T extends Place["position"]>({ offset, strides }: T): Place["position"] => ({
    offset: copy.reduce((sum, n, loop) => sum + n * at(strides, loop), offset),
    strides,
  });
  const lookups = place.lookups.map((lookup) => ({ ...lookup, position: shift(lookup.position) }));
  return { ...place, position: shift(place.position), lookups };
}

/**
 * Divides a nest into nests of these widths and of the widths that remain at the ends of loops. Earlier
 * rounds of a loop come before later ones.
 */
export function tile(nest: Nest, widths: readonly number[]): readonly Nest[] {
  return nest.loops.reduce<readonly Nest[]>(
    (nests, { extent }, loop) => {
      const width = Math.min(at(widths, loop), extent);
      const rest = extent % width;
      return nests.flatMap((whole) => [
        part(whole, loop, 0, extent - rest, width),
        ...(rest === 0 ? [] : [part(whole, loop, extent - rest, rest, rest)]),
      ]);
    },
    [nest],
  );
}
