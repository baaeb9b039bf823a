import { describe, expect, test } from "vitest";
import {
  BLIND_CASES,
  COUNTED,
  countClasses,
  readBlindList,
  searched,
  seldom,
  shareOf,
  unlisted,
} from "./blind.ts";
import { families } from "./blind_classes.ts";

const list = readBlindList();
const known = new Map(
  [...families.keys()].map((name) => [name, new Set(unlisted(list.classes[name] ?? {}))]),
);

/** Lists what none of the cases reaches, and the list does not name. */
function newlyBlind(counted: ReturnType<typeof countClasses>): readonly string[] {
  return [...counted].flatMap(([name, counts]) =>
    name === COUNTED ? [] : seldom(counts, 0).filter((one) => known.get(name)?.has(one) !== true),
  );
}

describe("what random search never reaches", () => {
  const counted = countClasses(searched(BLIND_CASES));

  test("is in the list, which `npm run power -- --blind` writes", () => {
    expect(newlyBlind(counted)).toEqual([]);
    expect(Math.ceil(shareOf(counted.get(COUNTED) ?? new Map()))).toBeGreaterThanOrEqual(list.pairsReached);
  });

  test("has no operator, no structure and no kind of tangent or cotangent", () => {
    const never = ["operators", "structures", "tangents", "cotangents"].flatMap((name) =>
      seldom(counted.get(name) ?? new Map(), 0),
    );
    expect(never).toEqual([]);
  });

  test("has more than the list if a part of the drawing is lost", () => {
    const withoutNaN = [...searched(1500)].filter(
      ({ seeds, graph }) =>
        graph.nodes.every(({ op }) => op !== "argmax") &&
        seeds.every(({ cotangent: { data } }) => !data.some(Number.isNaN)),
    );
    expect(newlyBlind(countClasses(withoutNaN))).toEqual(expect.arrayContaining(["argmax", "NaN"]));
  });
});
