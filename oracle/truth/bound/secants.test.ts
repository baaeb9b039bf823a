import { constantFrom, assert as holds, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { Arena, rationalFromMpfr } from "../../../reference/algebras/mpfr.ts";
import { compareRationals, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { binaryNames, present, unaryNames } from "../../../spec/index.ts";
import type { Ball } from "../centre/ball.ts";
import { type Enclosure, enclosuresIn, isKnown } from "../centre/enclosure.ts";
import { slopeOf, slopesOf, slopesOfProduct, slopesOfQuotient } from "./secants.ts";

const { add, multiply, negative } = present(rational.levels.field, "the rational numbers are a field");

/** Returns the ball of every number between `a` and `b`. */
function around(...numbers: readonly number[]): Ball {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const value = low / 2 + high / 2;
  return { value, slack: Math.max(high - value, value - low) * (1 + 2 ** -50) };
}

/** Tells whether `change` lies in the sum of the slopes, each times a step. */
function explains(
  change: readonly [Rational, Rational],
  parts: readonly (readonly [Ball, Rational])[],
): boolean {
  let [low, high] = [rationalFromNumber(0), rationalFromNumber(0)];
  for (const [{ value, slack }, step] of parts) {
    const ends = [-slack, slack].map((by) =>
      multiply(add(rationalFromNumber(value), rationalFromNumber(by)), step),
    );
    ends.sort((a, b) => compareRationals(a, b) ?? 0);
    low = add(low, present(ends[0], "an end"));
    high = add(high, present(ends[1], "an end"));
  }
  return compareRationals(low, change[1]) !== 1 && compareRationals(change[0], high) !== 1;
}

function difference(a: Enclosure, b: Enclosure): readonly [Rational, Rational] {
  const less = (x: Enclosure["low"], y: Enclosure["low"]): Rational =>
    add(rationalFromMpfr(x), negative(rationalFromMpfr(y)));
  return [less(a.low, b.high), less(a.high, b.low)];
}

const step = (a: number, b: number): Rational => add(rationalFromNumber(a), negative(rationalFromNumber(b)));

const number = integer({ min: -4001, max: 4001 }).map((n) => n / 1000);
const offset = integer({ min: -1000, max: 1000 }).map((n) => n / 2 ** 17);
const seed = { seed: 21, numRuns: 150 };

describe("between a true operand and an engine's", () => {
  test.each(unaryNames)("%s changes by a slope in the ball times the step", (name) => {
    let asked = 0;
    const isRight = (x: number, by: number, slope: (x: Ball) => Ball): boolean => {
      using arena = new Arena(256);
      const { operations } = enclosuresIn(arena);
      const [xHat, ball] = [x + by, slope(around(x, x + by))];
      const [y, yHat] = [operations[name](operations.literal(x)), operations[name](operations.literal(xHat))];
      if (!isKnown(y) || !isKnown(yHat) || !Number.isFinite(ball.value + ball.slack)) return true;
      asked += 1;
      return explains(difference(yHat, y), [[ball, step(xHat, x)]]);
    };
    holds(
      property(number, offset, (x, by) => isRight(x, by, (at) => slopeOf(name, at))),
      seed,
    );
    expect(asked).toBeGreaterThan(30);
    const wrong = ({ value, slack }: Ball): Ball => ({ value: value * 1.5 + 2 ** -20, slack });
    const isWrong = property(number, offset, (x, by) => isRight(x, by, (at) => wrong(slopeOf(name, at))));
    expect(() => holds(isWrong, seed)).toThrow();
  });

  test.each(binaryNames)("%s changes by slopes in the balls times the steps", (name) => {
    let asked = 0;
    const isRight = (x: number, y: number, dx: number, dy: number, factor: number): boolean => {
      using arena = new Arena(256);
      const { operations } = enclosuresIn(arena);
      // The angle jumps across the cut, and no bound is known there; its first operand is y.
      if (name === "atan2" && Math.min(y, y + dy) <= 0 && x * (x + dx) <= 0) return true;
      const [byX, byY] = slopesOf[name](around(x, x + dx), around(y, y + dy));
      const f = (a: number, b: number): Enclosure =>
        operations[name](operations.literal(a), operations.literal(b));
      const [before, after] = [f(x, y), f(x + dx, y + dy)];
      const areKnown = [byX, byY].every(({ value, slack }) => Number.isFinite(value + slack));
      if (!isKnown(before) || !isKnown(after) || !areKnown) return true;
      asked += 1;
      const wrong = { value: byX.value * factor, slack: byX.slack };
      return explains(difference(after, before), [
        [wrong, step(x + dx, x)],
        [byY, step(y + dy, y)],
      ]);
    };
    holds(
      property(number, number, offset, offset, (x, y, dx, dy) => isRight(x, y, dx, dy, 1)),
      seed,
    );
    expect(asked).toBeGreaterThan(30);
    const isWrong = property(number, number, offset, offset, (x, y, dx, dy) => isRight(x, y, dx, dy, 3));
    expect(() => holds(isWrong, seed)).toThrow();
  });

  test("products and quotients change by slopes in the balls times the steps", () => {
    const point = (x: number): Ball => ({ value: x, slack: 0 });
    const divide = present(rational.levels.field, "a field").divide;
    holds(
      property(number, number, offset, offset, constantFrom(-1, 1), (x, y, dx, dy, sign) => {
        const [xHat, yHat, far] = [x + dx, y + dy, y + 8 * sign];
        const exact = (a: number, b: number, f: typeof divide): Rational =>
          f(rationalFromNumber(a), rationalFromNumber(b));
        const product = add(exact(xHat, yHat, multiply), negative(exact(x, y, multiply)));
        const [byX, byY] = slopesOfProduct(point(x), point(y), around(x, xHat));
        expect(
          explains(
            [product, product],
            [
              [byX, step(xHat, x)],
              [byY, step(yHat, y)],
            ],
          ),
        ).toBe(true);
        const quotient = add(exact(xHat, far + dy, divide), negative(exact(x, far, divide)));
        const near = { value: x / far, slack: Math.abs(x / far) * 2 ** -52 + 2 ** -1000 };
        const [byDividend, byDivisor] = slopesOfQuotient(near, around(far, far + dy));
        expect(
          explains(
            [quotient, quotient],
            [
              [byDividend, step(xHat, x)],
              [byDivisor, step(far + dy, far)],
            ],
          ),
        ).toBe(true);
      }),
      seed,
    );
  });
});
