import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, it, test } from "vitest";
import { Arena, mpfr, rationalFromMpfr, UP } from "../../../reference/algebras/mpfr.ts";
import { compareRationals, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { binaryNames, type Elementary, present, unaryNames } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { type Enclosure, type Enclosures, enclosuresIn, isKnown } from "./enclosure.ts";

const exact = present(rational.levels.field, "a field");

/** Functions turn, have poles, cancel, or end at these numbers. */
const hard: readonly number[] = [
  0,
  -0,
  2 ** -1074,
  2 ** -30,
  0.5,
  1 - 2 ** -53,
  1,
  1 + 2 ** -52,
  Math.PI / 4,
  Math.PI / 2,
  Math.PI,
  (3 * Math.PI) / 2,
  2 * Math.PI,
  5.6,
  22,
  355,
  710,
  // The double nearest to a multiple of π/2.
  6381956970095103 * 2 ** 797,
];

/** Arguments of every size and sign, many of them hard ones. */
function argument(random: Random): number {
  const sign = random.nextBoolean() ? 1 : -1;
  if (random.nextInt(0, 2) === 0) return sign * (hard[random.nextInt(0, hard.length - 1)] ?? 0);
  return sign * (0.5 + random.nextDouble()) * 2 ** random.nextInt(-20, 8);
}

/** Returns an interval from a point, sometimes that point alone, with a number in it. */
function interval(random: Random): { low: number; high: number; inside: number } {
  const x = argument(random);
  const width = random.nextInt(0, 3) === 0 ? 0 : Math.abs(x) * 2 ** -random.nextInt(-2, 60);
  const [low, high] = [x, x + width];
  // A point keeps the sign of its zero.
  const inside = width === 0 ? x : Math.min(high, x + random.nextDouble() * (high - low));
  return width === 0 ? { low: x, high: x, inside } : { low, high, inside };
}

type Part = keyof Elementary<unknown>;

/** Counts how often an enclosure misses the value at a point inside, and how often it is known. */
function misses(
  name: Part,
  draws: number,
  plant: (operations: Enclosures["operations"]) => Elementary<Enclosure> = (operations) => operations,
): { missed: number; known: number } {
  const random = new Random(xoroshiro128plus(11));
  const counts = { missed: 0, known: 0 };
  for (let draw = 0; draw < draws; draw++) {
    using coarse = new Arena(64);
    using fine = new Arena(2300);
    const [rough, sharp] = [enclosuresIn(coarse), enclosuresIn(fine)];
    const [x, y] = [interval(random), interval(random)];
    if (name === "pow" && random.nextBoolean()) y.low = y.high = y.inside = Math.round(y.low % 9);
    const hullIn = ({ operations, hull }: Enclosures, { low, high }: typeof x): Enclosure =>
      hull(operations.literal(low), operations.literal(high));
    const planted = plant(rough.operations);
    const [found, truth] = isUnary(name)
      ? [planted[name](hullIn(rough, x)), sharp.operations[name](sharp.operations.literal(x.inside))]
      : [
          planted[name](hullIn(rough, x), hullIn(rough, y)),
          sharp.operations[name](sharp.operations.literal(x.inside), sharp.operations.literal(y.inside)),
        ];
    if (!isKnown(found)) continue;
    counts.known += 1;
    // The value may have none of its own where the interval's ends do: then the enclosure claims too much.
    const isHeld =
      isKnown(truth) &&
      mpfr.mpfr_lessequal_p(found.low, truth.low) !== 0 &&
      mpfr.mpfr_lessequal_p(truth.high, found.high) !== 0;
    if (!isHeld) counts.missed += 1;
  }
  return counts;
}

function isUnary(name: Part): name is (typeof unaryNames)[number] {
  return unaryNames.some((unary) => unary === name);
}

const names: readonly Part[] = [...unaryNames, ...binaryNames];

describe("an enclosure holds what the function has at every point inside, at random and at hard ones", () => {
  test.each(sampled("enclosures", names, 8))("%s", (name) => {
    const { missed, known } = misses(name, 800);
    expect(missed).toBe(0);
    expect(known).toBeGreaterThan(80);
  });

  test.each<readonly [string, Part, (right: Enclosures["operations"]) => Partial<Elementary<Enclosure>>]>([
    ["takes sin at both ends alone", "sin", ({ sin }) => ({ sin: (x) => ends(sin, x) })],
    ["takes cosh at both ends alone", "cosh", ({ cosh }) => ({ cosh: (x) => ends(cosh, x) })],
    ["does not see the poles of tan", "tan", ({ tan }) => ({ tan: (x) => ends(tan, x) })],
    ["rounds exp up at its lower end", "exp", ({ exp }) => ({ exp: (x) => upper(exp(x)) })],
    ["takes acos for increasing", "acos", ({ acos }) => ({ acos: (x) => turned(acos(x)) })],
    ["has erf for tanh", "erf", ({ tanh }) => ({ erf: tanh })],
    ["does not see the cut of atan2", "atan2", ({ atan2 }) => ({ atan2: (y, x) => atan2(upper(y), x) })],
  ])("an enclosure planted so that it %s misses some", (_fault, name, plant) => {
    expect(misses(name, 1500, (right) => ({ ...right, ...plant(right) })).missed).toBeGreaterThan(0);
  });
});

const lower = ({ low }: Enclosure): Enclosure => ({ low, high: low });
const upper = ({ high }: Enclosure): Enclosure => ({ low: high, high });
const turned = ({ low, high }: Enclosure): Enclosure => ({ low: high, high: low });

function ends(f: (x: Enclosure) => Enclosure, x: Enclosure): Enclosure {
  const [a, b] = [f(lower(x)), f(upper(x))];
  return mpfr.mpfr_lessequal_p(a.low, b.low) !== 0
    ? { low: a.low, high: b.high }
    : { low: b.low, high: a.high };
}

describe("enclosures in a field", () => {
  const holds = ({ low, high }: Enclosure, q: Rational): boolean =>
    compareRationals(rationalFromMpfr(low), q) !== 1 && compareRationals(q, rationalFromMpfr(high)) !== 1;

  it("hold the exact rational results, and so does the floor", () => {
    const random = new Random(xoroshiro128plus(3));
    for (let draw = 0; draw < 500; draw++) {
      using arena = new Arena(60);
      const { operations } = enclosuresIn(arena);
      const [x, y] = [argument(random), argument(random)];
      const [p, q] = [x, y].map(operations.literal);
      const [a, b] = [x, y].map(rationalFromNumber);
      if (p === undefined || q === undefined || a === undefined || b === undefined) continue;
      expect(holds(operations.add(p, q), exact.add(a, b))).toBe(true);
      expect(holds(operations.multiply(p, q), exact.multiply(a, b))).toBe(true);
      if (y !== 0) expect(holds(operations.divide(p, q), exact.divide(a, b))).toBe(true);
      else expect(isKnown(operations.divide(p, q))).toBe(false);
      if (Math.abs(x) < 2 ** 50) {
        expect(holds(operations.floor(p), rationalFromNumber(Math.floor(x)))).toBe(true);
      }
    }
  });

  it("are compared with yes, no, or neither", () => {
    using arena = new Arena(64);
    const { operations, hull } = enclosuresIn(arena);
    const [one, two, three] = [1, 2, 3].map(operations.literal);
    if (one === undefined || two === undefined || three === undefined) throw new Error("three literals");
    const { less, equal } = operations;
    expect([less(one, two), less(two, one), less(hull(one, three), two)]).toEqual([true, false, undefined]);
    expect([equal(one, one), equal(one, two), equal(hull(one, three), two)]).toEqual([
      true,
      false,
      undefined,
    ]);
    const either = operations.select(undefined, one, three);
    expect([rationalFromMpfr(either.low), rationalFromMpfr(either.high)].map(rational.format)).toEqual([
      "1",
      "3",
    ]);
  });
});

describe("an arena", () => {
  it("gives its memory back", () => {
    const heap = (): number => mpfr.mem.length;
    const use = (): void => {
      using arena = new Arena(4096);
      for (let count = 0; count < 2000; count++) mpfr.mpfr_const_pi(arena.fresh(), UP);
    };
    use();
    const before = heap();
    for (let round = 0; round < 30; round++) use();
    expect(heap()).toBe(before);
  });

  it("holds doubles exactly", () => {
    using arena = new Arena(64);
    const { operations } = enclosuresIn(arena);
    for (const x of [...hard, -0.1, Number.MAX_VALUE, -(2 ** -1074)]) {
      expect(rational.isSame(rationalFromMpfr(operations.literal(x).low), rationalFromNumber(x))).toBe(true);
    }
  });
});
