import { InvariantError, present } from "../../../../spec/shapes/index.ts";
import { readBoth, readingsOf } from "../../readings.ts";
import { accessOf, type Expected, type Found, type MapCase } from "./case.ts";

/** An access whose numbers are terms. */
export interface ReadAccess {
  readonly offset: string;
  readonly strides: readonly string[];
  readonly lookups: readonly {
    readonly offset: string;
    readonly strides: readonly string[];
    scale: string;
  }[];
}

/** Lowers a part at both readings of the unknowns, and reads the access back. */
export function readAccess({ symbols, degree, lower }: MapCase, expected: Expected): ReadAccess {
  const readings = readingsOf(symbols, degree);
  const [one, other] = [0, 1].map((n) =>
    accessOf(lower(expected.part, present(readings[n], "a reading").values), expected),
  );
  if (one === undefined || other === undefined) throw new InvariantError("an access is lowered twice");
  const both = (of: (found: Found) => number | undefined): string =>
    readBoth(readings, [present(of(one), "a number"), present(of(other), "a number")]);
  const each = (of: (found: Found) => readonly number[]): readonly string[] =>
    of(one).map((_, n) => both((found) => of(found)[n]));
  const same = (found: readonly string[], owed: readonly string[], what: string): void => {
    if (found.join() !== owed.join()) throw new InvariantError(`${what} ${found.join()}, not ${owed.join()}`);
  };
  same(
    each(({ loops }) => loops),
    expected.loops,
    "loops over",
  );
  same(
    each(({ tensor }) => tensor),
    expected.tensor,
    "a tensor of",
  );
  return {
    offset: both(({ access }) => access.offset),
    strides: each(({ access }) => access.strides),
    lookups: one.access.indirections.map((_, n) => ({
      offset: both(({ access }) => access.indirections[n]?.offset),
      strides: each(({ access }) => present(access.indirections[n], "a lookup").strides),
      scale: both(({ access }) => access.indirections[n]?.scale),
    })),
  };
}

/** Writes where an access is, at the loops' indices `i0`, `i1`, …; `suffix` tells two of them apart. */
export function positionText({ offset, strides, lookups }: ReadAccess, suffix = ""): string {
  return sum([
    offset,
    ...strides.map((stride, n) => `(* ${stride} i${n}${suffix})`),
    ...lookups.map(({ scale }, n) => `(* ${scale} e${n})`),
  ]);
}

/** Adds terms, of which there is one at least. */
export function sum(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "0") : `(+ ${parts.join(" ")})`;
}

/** Writes the row-major position of coordinates. */
export function rowMajor(extents: readonly string[], at: readonly string[]): string {
  return at.reduce(
    (position, coordinate, n) => (n === 0 ? coordinate : `(+ (* ${position} ${extents[n]}) ${coordinate})`),
    "0",
  );
}

/** States `0 ≤ term < extent`. */
export function within(term: string, extent: string): string {
  return `(and (<= 0 ${term}) (< ${term} ${extent}))`;
}

/** Writes that every index is within its loop. */
export function loopsText(loops: readonly string[], suffix = ""): string {
  return `(and true ${loops.map((extent, n) => within(`i${n}${suffix}`, extent)).join(" ")})`;
}
