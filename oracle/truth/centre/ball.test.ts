import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, it, test } from "vitest";
import { Arena, rationalFromMpfr } from "../../../reference/algebras/mpfr.ts";
import { compareRationals, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { hostUlps } from "../../../spec/contract/index.ts";
import {
  type BinaryName,
  binadeOf,
  binaryNames,
  nodeId,
  present,
  type UnaryName,
  unaryNames,
} from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { expandCase } from "../../case/index.ts";
import { caseAt, chainProfile, scalar20Profile, tensorProfile } from "../../generate/index.ts";
import { boundsAround } from "../nodes/bounds.ts";
import { forwardUlps, referenceStandard } from "../standard/standard.ts";
import { type Ball, balls } from "./ball.ts";
import { type Centre, floatCentre } from "./centre.ts";
import { type Enclosure, enclosureCentre, enclosuresIn, isKnown } from "./enclosure.ts";

const { add, negative } = present(rational.levels.field, "a field");

/** Tells whether a ball can hold what an enclosure holds: they meet. */
function meets({ value, slack }: Ball, { low, high }: Enclosure): boolean {
  const [middle, reach]: Rational[] = [rationalFromNumber(value), rationalFromNumber(slack)];
  if (middle === undefined || reach === undefined) return false;
  const above = compareRationals(rationalFromMpfr(low), add(middle, reach));
  const below = compareRationals(add(middle, negative(reach)), rationalFromMpfr(high));
  return above !== 1 && below !== 1;
}

/** Arguments that most functions have values at, of every size. */
function argument(name: UnaryName | BinaryName, random: Random): number {
  const sign = random.nextBoolean() && !["log", "log2", "sqrt", "pow"].includes(name) ? -1 : 1;
  const isInside = /^a(sin|cos|tanh)$/.test(name);
  const shift = name === "acosh" || (random.nextBoolean() && name.startsWith("log2")) ? 1 : 0;
  return (
    shift +
    sign * (isInside ? 0.49 : 1) * (1 + random.nextDouble()) * 2 ** random.nextInt(-10, isInside ? 0 : 3)
  );
}

/**
 * Counts the values of a function of floats that are further from the truth than `ulps`, of those that have
 * one.
 */
function misses(name: UnaryName | BinaryName, ulps: number, draws: number): { missed: number; held: number } {
  const random = new Random(xoroshiro128plus(31));
  const counts = { missed: 0, held: 0 };
  for (let draw = 0; draw < draws; draw++) {
    using arena = new Arena(160);
    const { operations } = enclosuresIn(arena);
    const [x, y] = [argument(name, random), argument(name, random)];
    const [a, b] = [operations.literal(x), operations.literal(y)];
    const [value, truth] = isUnary(name)
      ? [balls[name]({ value: x, slack: 0 }).value, operations[name](a)]
      : [balls[name]({ value: x, slack: 0 }, { value: y, slack: 0 }).value, operations[name](a, b)];
    if (!isKnown(truth) || !Number.isFinite(value)) continue;
    if (meets({ value, slack: ulps * 2 ** -52 * binadeOf(value) }, truth)) counts.held += 1;
    else counts.missed += 1;
  }
  return counts;
}

function isUnary(name: UnaryName | BinaryName): name is UnaryName {
  return unaryNames.some((unary) => unary === name);
}

describe("the reference's own error", () => {
  test.each(
    sampled("functions", [...unaryNames, ...binaryNames], 8),
  )("of %s is at most what is allowed for", (name) => {
    const { missed, held } = misses(name, hostUlps[name], 2000);
    expect(missed).toBe(0);
    expect(held).toBeGreaterThan(900);
  });

  test.each([...unaryNames, ...binaryNames])("of %s is not below a quarter of an ulp", (name) => {
    expect(misses(name, 0.25, 300).missed).toBeGreaterThan(10);
  });

  it("is below what an engine is allowed, but for the square root, where it is the same", () => {
    const standard = referenceStandard("float64");
    for (const name of [...unaryNames, ...binaryNames]) {
      if (name === "sqrt") expect(hostUlps[name]).toBe(forwardUlps(standard, name));
      else expect(hostUlps[name]).toBeLessThan(forwardUlps(standard, name));
    }
  });
});

describe("the arithmetic of balls", () => {
  const exactly = (x: number): Rational => present(rationalFromNumber(x), "a number");
  const { multiply, divide } = present(rational.levels.field, "a field");
  const operations = { add, multiply, divide: present(divide, "a quotient") } as const;

  /** Draws a number of few digits and how far it may be off, which leaves it its sign. */
  const drawnBall = (random: Random): Ball => {
    const value = random.nextInt(-12, 12) / 4;
    const slack = random.nextBoolean() ? 0 : Math.abs(value) * 2 ** -random.nextInt(1, 30);
    return { value, slack };
  };

  /** The exact results of the ends of two balls, between which all results are. */
  const cornersOf = (name: keyof typeof operations, x: Ball, y: Ball): readonly Rational[] =>
    [-1, 1].flatMap((a) =>
      [-1, 1].map((b) => operations[name](exactly(x.value + a * x.slack), exactly(y.value + b * y.slack))),
    );

  test.each([
    "add",
    "multiply",
    "divide",
  ] as const)("holds each result of %s, and is exact if all are one float", (name) => {
    const random = new Random(xoroshiro128plus(7));
    const counts = { exact: 0, spread: 0 };
    for (let draw = 0; draw < 1000; draw++) {
      const [x, y] = [drawnBall(random), drawnBall(random)];
      if (name === "divide" && y.value === 0) continue;
      const found = balls[name](x, y);
      const middle = exactly(found.value);
      const away = cornersOf(name, x, y).map((corner) => {
        const off = add(corner, negative(middle));
        return compareRationals(off, exactly(0)) === -1 ? negative(off) : off;
      });
      const reach = away.reduce((most, off) => (compareRationals(most, off) === -1 ? off : most));
      // Of a quotient of zero by a ball it is not asked.
      if (compareRationals(reach, exactly(0)) === 0 && (name !== "divide" || y.slack === 0)) {
        counts.exact += 1;
        expect(found.slack).toBe(0);
        continue;
      }
      counts.spread += 1;
      // No more than a rounding and the computation of the bound are added to how far results are apart.
      const allowed = add(
        multiply(reach, exactly(1 + 2 ** -40)),
        exactly(2 ** -52 * Math.abs(found.value) + 2 ** -1060),
      );
      expect(compareRationals(reach, exactly(found.slack))).not.toBe(1);
      expect(compareRationals(exactly(found.slack), allowed)).not.toBe(1);
    }
    expect(Math.min(counts.exact, counts.spread)).toBeGreaterThan(100);
  });

  it("passes a ball on as it is where it is multiplied by exactly one, and knows nothing of zero times NaN", () => {
    const wide = { value: 0.1, slack: 0.01 };
    for (const one of [1, -1].map((value) => ({ value, slack: 0 })))
      for (const product of [balls.multiply(one, wide), balls.multiply(wide, one)])
        expect(product).toEqual({ value: one.value * wide.value, slack: wide.slack });
    for (const slack of [Number.POSITIVE_INFINITY, Number.NaN])
      expect(balls.multiply({ value: 0, slack: 0 }, { value: 1, slack }).slack).toBeNaN();
  });

  it("knows nothing of a quotient whose divisor may be zero", () => {
    for (const slack of [2, 3])
      expect(balls.divide({ value: 1, slack: 0 }, { value: 2, slack }).slack).toBeNaN();
  });
});

describe("over random graphs", () => {
  /** Counts the float centres that do not hold the truth that MPFR encloses, and those that do. */
  function compared(centre: Centre<Ball>, indices: readonly number[]): { missed: number; held: number } {
    const standard = referenceStandard("float64");
    const counts = { missed: 0, held: 0 };
    for (const drawn of [scalar20Profile, tensorProfile, chainProfile]) {
      for (const index of indices) {
        using arena = new Arena(256);
        const question = caseAt(drawn, 8, index);
        const floats = boundsAround(expandCase(question).question, standard, centre);
        const truths = boundsAround(expandCase(question).question, standard, enclosureCentre(arena));
        for (const part of ["value", "tangent", "cotangent"] as const) {
          for (let id = 0; id < question.graph.inputs.length + question.graph.nodes.length; id++) {
            const truth = truths[part](nodeId(id));
            for (const [element, { centre: ball, error }] of floats[part](nodeId(id)).entries()) {
              const there = present(truth[element], "a component");
              // Without a bound there is no truth to hold; an open choice has another middle on either side.
              if (!Number.isFinite(error + ball.slack) || !isKnown(there.centre)) continue;
              if (error > 2 ** -20 * Math.abs(ball.value) || there.error > 2 ** -20 * Math.abs(ball.value))
                continue;
              if (meets(ball, there.centre)) counts.held += 1;
              else counts.missed += 1;
            }
          }
        }
      }
    }
    return counts;
  }

  it("the slack of the float centre is sound: the truth is no further away", () => {
    const indices = sampled("slacks", [...Array(120).keys()], 24);
    const { missed, held } = compared(floatCentre, indices);
    expect(missed).toBe(0);
    expect(held).toBeGreaterThan(150 * indices.length);
  });

  it("and is not if multiplication is planted not to hand slacks on", () => {
    const field = {
      ...balls,
      multiply: (x: Ball, y: Ball): Ball => balls.multiply({ ...x, slack: 0 }, { ...y, slack: 0 }),
    };
    expect(compared({ ...floatCentre, field, real: field }, [...Array(40).keys()]).missed).toBeGreaterThan(0);
  });
});
