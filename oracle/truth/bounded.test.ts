import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { type OrderedReal, present } from "../../spec/index.ts";
import { type Bounded, bounded, given, radius } from "./bounded.ts";
import { floatCentre } from "./centre.ts";
import { referenceProfile } from "./profile.ts";

const profile = referenceProfile("float64");
const over = present(bounded(floatCentre, profile, false).levels.orderedReal, "the reals");
const float = present(floatCentre.algebra.levels.orderedReal, "the reals");

/** The number that an engine may hold as anything within `error` of it. */
function known(centre: number, error: number): Bounded<number> {
  return { centre, error, magnitude: Math.abs(centre) + error, terms: 1 };
}

type Unary = {
  [F in keyof OrderedReal<0, 0>]: OrderedReal<0, 0>[F] extends (x: 0) => 0 ? F : never;
}[keyof OrderedReal<0, 0>];

/** Where each function is asked: a little beyond its domain too, where there must be no bound. */
const intervals: {
  readonly [F in Exclude<Unary, "detach" | "negative" | "literal" | "floor">]: readonly [number, number];
} = {
  exp: [-5, 5],
  log: [-1, 5],
  sin: [-10, 10],
  cos: [-10, 10],
  tanh: [-4, 4],
  sqrt: [-1, 5],
  expm1: [-5, 5],
  log1p: [-2, 4],
  log2: [-1, 5],
  tan: [-5, 5],
  asin: [-1.2, 1.2],
  acos: [-1.2, 1.2],
  atan: [-5, 5],
  sinh: [-5, 5],
  cosh: [-5, 5],
  asinh: [-5, 5],
  acosh: [0.5, 5],
  atanh: [-1.2, 1.2],
  erf: [-7, 7],
};

function isName(name: string): name is keyof typeof intervals {
  return Object.hasOwn(intervals, name);
}
const names = Object.keys(intervals).filter(isName);

/** How many of 3,000 arguments within the given error take the function further than the bound says, and how many bounds there are. */
function escapes(ask: (random: Random) => { moved: number; bound: number }): { out: number; bounds: number } {
  const random = new Random(xoroshiro128plus(77));
  const counts = { out: 0, bounds: 0 };
  for (let n = 0; n < 3000; n++) {
    const { moved, bound } = ask(random);
    if (!Number.isFinite(bound)) continue;
    counts.bounds += 1;
    // An argument outside the domain, whose value is NaN, is an escape too.
    if (!(moved <= bound)) counts.out += 1;
  }
  return counts;
}

/** Multiples of 2⁻⁴⁰, so that an argument and its move add up without a rounding. */
const gridded = (x: number): number => Math.round(x * 2 ** 40) * 2 ** -40;

/** From the whole interval down to a millionth of it, one end of it or any point. */
function drawMove(random: Random, error: number): number {
  const within = gridded(error * (2 * random.nextDouble() - 1));
  return [error, -error, within][random.nextInt(0, 2)] ?? 0;
}
const drawError = (random: Random): number => gridded(2 ** (2 - 22 * random.nextDouble()));

describe("the bound of a function whose argument is known up to an error", () => {
  test.each(names)("holds %s of every number in reach", (name) => {
    const [from, to] = intervals[name];
    const asking =
      (share: number) =>
      (random: Random): { moved: number; bound: number } => {
        const x = gridded(from + (to - from) * random.nextDouble());
        const error = drawError(random);
        const moved = Math.abs(float[name](x + drawMove(random, error)) - float[name](x));
        return { moved, bound: radius(profile, over[name](known(x, error * share))) };
      };
    const right = escapes(asking(1));
    expect(right.out).toBe(0);
    expect(right.bounds).toBeGreaterThan(500);
    expect(escapes(asking(0.5)).out).toBeGreaterThan(100);
  });

  test.each(["atan2", "hypot", "pow"] as const)("holds %s of every pair of numbers in reach", (name) => {
    const asking =
      (share: number) =>
      (random: Random): { moved: number; bound: number } => {
        const [x, y] = [gridded(6 * random.nextDouble() - 3), gridded(6 * random.nextDouble() - 3)];
        const [dx, dy] = [gridded(drawError(random) / 4), gridded(drawError(random) / 4)];
        const there = float[name](x + drawMove(random, dx), y + drawMove(random, dy));
        const bound = radius(profile, over[name](known(x, dx * share), known(y, dy * share)));
        return { moved: Math.abs(there - float[name](x, y)), bound };
      };
    const right = escapes(asking(1));
    expect(right.out).toBe(0);
    expect(right.bounds).toBeGreaterThan(500);
    expect(escapes(asking(0.5)).out).toBeGreaterThan(30);
  });

  test("holds powers to a fixed whole exponent of bases of either sign, and around 0", () => {
    const asking =
      (share: number) =>
      (random: Random): { moved: number; bound: number } => {
        const x = gridded(4 * random.nextDouble() - 2);
        const y = random.nextInt(-3, 5);
        const error = gridded(drawError(random) / 4);
        const moved = Math.abs(float.pow(x + drawMove(random, error), y) - float.pow(x, y));
        return { moved, bound: radius(profile, over.pow(known(x, error * share), known(y, 0))) };
      };
    expect(escapes(asking(1)).out).toBe(0);
    expect(escapes(asking(1)).bounds).toBeGreaterThan(2000);
    expect(escapes(asking(0.5)).out).toBeGreaterThan(100);
  });
});

describe("there is no bound", () => {
  const exactly = (x: number): Bounded<number> => given(floatCentre, profile, x);

  test("of an angle at the origin or on the cut, where the sign of a zero decides", () => {
    expect(radius(profile, over.atan2(exactly(0), exactly(0)))).toBeNaN();
    expect(radius(profile, over.atan2(exactly(0), exactly(-1)))).toBeNaN();
    expect(radius(profile, over.atan2(exactly(0), exactly(1)))).toBeLessThan(1e-300);
    expect(radius(profile, over.atan2(known(0.1, 0.2), exactly(-1)))).toBeNaN();
  });

  test("of a negative base to an exponent that is not known to be whole, nor of 0 to a negative one", () => {
    expect(radius(profile, over.pow(exactly(-2), known(3, 2 ** -50)))).toBeNaN();
    expect(radius(profile, over.pow(exactly(-2), exactly(3)))).toBeLessThan(1e-13);
    expect(radius(profile, over.pow(exactly(0), exactly(-1)))).toBeNaN();
    expect(radius(profile, over.pow(known(0, 0.1), exactly(-1)))).toBeNaN();
  });

  test("of a tangent whose argument may reach a pole", () => {
    expect(radius(profile, over.tan(known(1.5, 0.1)))).toBeNaN();
  });
});
