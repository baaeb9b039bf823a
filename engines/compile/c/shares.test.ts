import { describe, expect, test } from "vitest";
import type { Nest } from "../javascript/index.ts";
import { Scalars } from "./scalars.ts";
import { SHARES, sharesOf } from "./shares.ts";

const use = {
  kind: "total",
  operation: "maximum",
  isContinued: false,
  isRunning: false,
  isSplit: false,
} as const;
const writing = {
  scalars: new Scalars("float64", "fast", "own"),
  regime: "fast",
  isForThreads: true,
} as const;

function sum(extent: number): Nest {
  const place = (array: string, stride: number) => ({
    array,
    position: { offset: 0, strides: [stride] },
    lookups: [],
  });
  return { loops: [{ extent, width: 1, isOrdered: true }], places: [place("p0", 3), place("o", 0)] };
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** Lists the elements that the first place of a nest is at. */
function visited({ loops, places: [place] }: Nest): readonly number[] {
  return loops
    .map(({ extent }) => range(extent))
    .reduce<readonly number[]>(
      (found, rounds, n) =>
        found.flatMap((at) => rounds.map((round) => at + round * (place?.position.strides[n] ?? 0))),
      [place?.position.offset ?? 0],
    );
}

describe("a long total", () => {
  test.each([16, 17, 31, 32, 1000])("of %i numbers is that of its shares and of the rest", (extent) => {
    const shares = sharesOf(sum(extent), use, writing);
    const elements = [shares?.parts, shares?.rest].flatMap((nest) =>
      nest === undefined ? [] : visited(nest),
    );
    expect(elements.toSorted((a, b) => a - b)).toEqual(range(extent).map((n) => 3 * n));
    expect(shares?.joint && visited(shares.joint)).toEqual(range(SHARES));
  });

  test("of fewer numbers than shares is not divided, since shares without a number are not written", () => {
    expect(sharesOf(sum(SHARES - 1), use, writing)).toBeUndefined();
  });
});
