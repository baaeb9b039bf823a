import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { Arena, DOWN, mpfr } from "../../../reference/algebras/mpfr.ts";
import { type BinaryName, binaryNames, type UnaryName, unaryNames } from "../../../spec/index.ts";
import { UPWARDS } from "./ball.ts";
import { type Enclosure, enclosuresIn, isKnown } from "./enclosure.ts";
import { type BinaryGrowth, binaryGrowths, type Growth, growths } from "./growth.ts";

/** Draws a place somewhere in the domains of most functions, with small and large distances. */
function place(random: Random): { x: number; dx: number; reach: number; a: number; b: number } {
  const sign = random.nextBoolean() ? 1 : -1;
  const x = sign * (0.5 + random.nextDouble()) * 2 ** random.nextInt(-12, 4);
  const dx = Math.abs(x) * 2 ** -random.nextInt(-1, 25);
  const slack = random.nextBoolean() ? 0 : dx * (0.5 + random.nextDouble());
  // The farthest, or anything in between; b is not moved beyond dx from a.
  const share = (): number =>
    random.nextBoolean() ? 2 * random.nextInt(0, 1) - 1 : 2 * random.nextDouble() - 1;
  const a = x + slack * share() * (1 - 2 ** -20);
  const b = a + dx * share() * (1 - 2 ** -20);
  return { x, dx, reach: (dx + slack) * UPWARDS, a, b };
}

/** Returns by how much `f(a)` and `f(b)` differ at least. */
function difference(arena: Arena, a: Enclosure, b: Enclosure): number {
  const { operations } = enclosuresIn(arena);
  if (!isKnown(a) || !isKnown(b)) return Number.NaN;
  const apart = operations.add(a, operations.negative(b));
  const [low, high] = [mpfr.mpfr_get_d(apart.low, DOWN), mpfr.mpfr_get_d(apart.high, DOWN)];
  return low > 0 ? low : high < 0 ? -high : 0;
}

/** Returns how often a function moves by 99 % of its growth or more over a small distance from the middle. */
function reached(name: UnaryName, growth: Growth = growths[name]): number {
  const random = new Random(xoroshiro128plus(31));
  const counts = { reached: 0, bounded: 0 };
  for (let draw = 0; draw < 300; draw++) {
    const sign = random.nextBoolean() ? 1 : -1;
    const x = sign * (0.5 + random.nextDouble()) * 2 ** random.nextInt(-2, 2);
    const dx = Math.abs(x) * 2 ** -20;
    const limit = growth(x, dx, dx);
    if (!Number.isFinite(limit)) continue;
    counts.bounded += 1;
    using arena = new Arena(200);
    const { operations } = enclosuresIn(arena);
    const [middle, side] = [x, x + dx].map((at) => operations[name](operations.literal(at)));
    if (middle !== undefined && side !== undefined && difference(arena, middle, side) >= 0.99 * limit)
      counts.reached += 1;
  }
  return counts.reached / counts.bounded;
}

/** Counts how often a function moves more than its growth says, and where there is one. */
function exceeded(name: UnaryName, growth: Growth = growths[name]): { exceeded: number; bounded: number } {
  const random = new Random(xoroshiro128plus(23));
  const counts = { exceeded: 0, bounded: 0 };
  for (let draw = 0; draw < 1500; draw++) {
    const { x, dx, reach, a, b } = place(random);
    const limit = growth(x, dx, reach) * UPWARDS;
    if (!Number.isFinite(limit)) continue;
    counts.bounded += 1;
    using arena = new Arena(200);
    const { operations } = enclosuresIn(arena);
    const moved = difference(
      arena,
      operations[name](operations.literal(a)),
      operations[name](operations.literal(b)),
    );
    // Where the function has no value, there was no bound to give.
    if (!(moved <= limit)) counts.exceeded += 1;
  }
  return counts;
}

/** The domains of these functions end here, on the side of 0 for those of a positive number. */
const ends: readonly (readonly [name: UnaryName, end: (x: number) => number])[] = [
  ["log", () => 0],
  ["log2", () => 0],
  ["sqrt", () => 0],
  ["log1p", () => -1],
  ["acosh", () => 1],
  ["asin", Math.sign],
  ["acos", Math.sign],
  ["atanh", Math.sign],
];

/** Counts the same where the reach comes within a few roundings of the end of a function's domain. */
function exceededAtEnd(
  name: UnaryName,
  end: (x: number) => number,
  growth: Growth = growths[name],
): { exceeded: number; bounded: number } {
  const random = new Random(xoroshiro128plus(37));
  const counts = { exceeded: 0, bounded: 0 };
  for (let draw = 0; draw < 1000; draw++) {
    const { x } = place(random);
    const reach = Math.abs(x - end(x)) * (1 - random.nextInt(0, 6) * 2 ** -53);
    const dx = reach * 2 ** -random.nextInt(52, 70);
    const limit = growth(x, dx, reach) * UPWARDS;
    if (!Number.isFinite(limit)) continue;
    counts.bounded += 1;
    using arena = new Arena(200);
    const { operations } = enclosuresIn(arena);
    const inwards = Math.sign(x - end(x));
    const b = operations.add(operations.literal(x), operations.literal(-inwards * reach));
    const a = operations.add(b, operations.literal(inwards * dx));
    if (!(difference(arena, operations[name](a), operations[name](b)) <= limit)) counts.exceeded += 1;
  }
  return counts;
}

function exceededByPair(
  name: BinaryName,
  growth: BinaryGrowth = binaryGrowths[name],
): { exceeded: number; bounded: number } {
  const random = new Random(xoroshiro128plus(29));
  const counts = { exceeded: 0, bounded: 0 };
  for (let draw = 0; draw < 1500; draw++) {
    const p = place(random);
    const whole = Math.round(p.x);
    const q = random.nextBoolean() ? place(random) : { x: whole, dx: 0, reach: 0, a: whole, b: whole };
    const limit = growth(p.x, q.x, p.dx, q.dx, p.reach, q.reach) * UPWARDS;
    if (!Number.isFinite(limit)) continue;
    counts.bounded += 1;
    using arena = new Arena(200);
    const { operations } = enclosuresIn(arena);
    const at = (x: number, y: number): Enclosure =>
      operations[name](operations.literal(x), operations.literal(y));
    if (!(difference(arena, at(p.a, q.a), at(p.b, q.b)) <= limit)) counts.exceeded += 1;
  }
  return counts;
}

describe("no function moves further than its growth", () => {
  test.each(unaryNames)("%s", (name) => {
    const found = exceeded(name);
    expect(found.exceeded).toBe(0);
    expect(found.bounded).toBeGreaterThan(150);
  });

  test.each(binaryNames)("%s", (name) => {
    const found = exceededByPair(name);
    expect(found.exceeded).toBe(0);
    expect(found.bounded).toBeGreaterThan(150);
  });

  test.each(ends)("nor does %s at the end of its domain", (name, end) => {
    const found = exceededAtEnd(name, end);
    expect(found.exceeded).toBe(0);
    expect(found.bounded).toBeGreaterThan(60);
  });

  test("but log1p does there if the distance to the end is rounded to nearest", () => {
    const planted: Growth = (x, dx, reach) => dx / Math.max(x + 1 - reach, 0);
    expect(exceededAtEnd("log1p", () => -1, planted).exceeded).toBeGreaterThan(0);
  });

  test.each(unaryNames)("and %s moves nearly so far, where the distance is small", (name) => {
    expect(reached(name)).toBeGreaterThan(0.95);
  });

  test.each<readonly [string, UnaryName, Growth]>([
    ["tan whose poles are of a higher order", "tan", (x, dx) => dx / Math.abs(Math.cos(x)) ** 3],
    ["tanh with the slope of atan", "tanh", growths.atan],
    ["erf by its steepest slope", "erf", (_x, dx) => (dx * 2) / Math.sqrt(Math.PI)],
  ])("but planted to grow %s does not", (_fault, name, growth) => {
    expect(reached(name, growth)).toBeLessThan(0.5);
  });

  test.each<readonly [string, UnaryName, Growth]>([
    ["exp by its slope at the middle", "exp", (x, dx) => Math.exp(x) * dx],
    ["log by its slope at the middle", "log", (x, dx) => dx / x],
    ["tanh by its slope at the middle", "tanh", (x, dx) => dx / Math.cosh(x) ** 2],
    ["tan as if it had no poles", "tan", (x, dx) => dx / Math.cos(x) ** 2],
    ["sqrt by its slope at the middle", "sqrt", (x, dx) => dx / (2 * Math.sqrt(x))],
    ["asin with the slope of atan", "asin", growths.atan],
  ])("but planted to grow %s does", (_fault, name, growth) => {
    expect(exceeded(name, growth).exceeded).toBeGreaterThan(0);
  });

  test("and pow does if its exponent is taken for exact", () => {
    const planted: BinaryGrowth = (x, y, dx, _dy, xReach) => binaryGrowths.pow(x, y, dx, 0, xReach, 0);
    expect(exceededByPair("pow", planted).exceeded).toBeGreaterThan(0);
  });
});
