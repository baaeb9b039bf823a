import { expect, test } from "vitest";
import { at } from "../../spec/shapes/index.ts";
import { Borders } from "./borders.ts";

/** A part of an axis holds `count` of its places, from `first` in steps of `step`. */
interface Part {
  readonly extent: number;
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** Yields every part with some places of every axis of up to six. */
function* parts(): Generator<Part> {
  for (let extent = 1; extent <= 6; extent++)
    for (let first = 0; first < extent; first++)
      for (const step of [-3, -2, -1, 1, 2, 3])
        for (let [count, last] = [1, first]; last >= 0 && last < extent; count++, last += step)
          yield { extent, first, step, count };
}

/** Returns where the blocks of the whole and of the part begin, if `cut` cut one of them before a place. */
function startsOf(
  { extent, ...part }: Part,
  cut?: readonly [value: number, place: number],
): readonly (readonly number[])[] {
  const borders = new Borders([[extent], [part.count]]);
  borders.link([{ kind: "part", whole: { of: 0, axis: 0 }, part: { of: 1, axis: 0 }, ...part }], Number);
  if (cut !== undefined) borders.cut(cut[0], 0, cut[1]);
  borders.spread();
  return [0, 1].map((value) => at(borders.startsOf(value), 0));
}

/** Says for each place but the first of an axis whether it is in another block than the place before. */
function apart(starts: readonly number[], extent: number): readonly boolean[] {
  return Array.from({ length: extent - 1 }, (_, place) => starts.includes(place + 1));
}

test("a run is cut out of its whole at its ends, and places that are no run on both sides of each", () => {
  for (const part of parts()) {
    const { extent, first, step, count } = part;
    const taken = new Set(Array.from({ length: count }, (_, j) => first + j * step));
    const isRun = Math.abs(step) === 1;
    const wanted = Array.from({ length: extent - 1 }, (_, place) => {
      const [before, after] = [taken.has(place), taken.has(place + 1)];
      return before !== after || (before && !isRun);
    });
    expect([part, apart(at(startsOf(part), 0), extent)]).toEqual([part, wanted]);
  }
});

test("neighbours of a part are in one block where they are in the whole, whichever of both is cut", () => {
  for (const part of parts()) {
    const { extent, first, step, count } = part;
    const cuts = [extent, count].flatMap((length, value) =>
      Array.from({ length: length - 1 }, (_, place) => [value, place + 1] as const),
    );
    for (const cut of cuts) {
      const [whole = [], own = []] = startsOf(part, cut);
      const wanted = Array.from({ length: count - 1 }, (_, j) => {
        const [one, other] = [first + j * step, first + (j + 1) * step];
        return whole.some((place) => Math.min(one, other) < place && place <= Math.max(one, other));
      });
      expect([part, cut, apart(own, count)]).toEqual([part, cut, wanted]);
      expect((cut[0] === 0 ? whole : own).includes(cut[1])).toBe(true);
    }
  }
});
