import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, it, test } from "vitest";
import { compareRationals, type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { nodeId, present } from "../../spec/index.ts";
import { expandCase } from "../expansion.ts";
import { caseAt, chainProfile, scalar20Profile, tensorProfile } from "../generate/index.ts";
import { type Ball, balls } from "./ball.ts";
import { boundsAround } from "./bounds.ts";
import { type Centre, enclosureCentre, floatCentre } from "./centre.ts";
import { type Enclosure, enclosuresIn, isKnown } from "./enclosure.ts";
import { Arena, rationalFromMpfr } from "./mpfr.ts";
import { referenceProfile } from "./profile.ts";

const { add, negative } = present(rational.levels.field, "a field");

/** Whether a ball can hold what an enclosure holds: they meet. */
function meets({ value, slack }: Ball, { low, high }: Enclosure): boolean {
  const [middle, reach]: Rational[] = [rationalFromNumber(value), rationalFromNumber(slack)];
  if (middle === undefined || reach === undefined) return false;
  const above = compareRationals(rationalFromMpfr(low), add(middle, reach));
  const below = compareRationals(add(middle, negative(reach)), rationalFromMpfr(high));
  return above !== 1 && below !== 1;
}

const functions = ["exp", "log", "sin", "cos", "tanh", "sqrt"] as const;

describe("the reference's own error", () => {
  /** At which of many arguments a function of floats is further from the truth than it says. */
  function misses(name: (typeof functions)[number], f: (x: Ball) => Ball): number {
    const random = new Random(xoroshiro128plus(31));
    let missed = 0;
    for (let draw = 0; draw < 3000; draw++) {
      using arena = new Arena(160);
      const { operations } = enclosuresIn(arena);
      const sign = random.nextBoolean() && name !== "log" && name !== "sqrt" ? -1 : 1;
      const x = sign * (0.5 + random.nextDouble()) * 2 ** random.nextInt(-8, name === "exp" ? 8 : 60);
      if (!meets(f({ value: x, slack: 0 }), operations[name](operations.literal(x)))) missed += 1;
    }
    return missed;
  }

  test.each(functions)("of %s is at most what is allowed for", (name) => {
    expect(misses(name, balls[name])).toBe(0);
  });

  it("is told from the error of a function planted to be 8 ulps off", () => {
    const off = ({ value, slack }: Ball): Ball => ({ value: value * (1 + 2 ** -49), slack });
    for (const name of functions) expect(misses(name, (x) => off(balls[name](x)))).toBeGreaterThan(1000);
  });
});

describe("over random graphs", () => {
  /** How many float centres do not hold the truth that MPFR encloses, and how many do. */
  function compared(centre: Centre<Ball>, cases: number): { missed: number; held: number } {
    const profile = referenceProfile("float64");
    const counts = { missed: 0, held: 0 };
    for (const drawn of [scalar20Profile, tensorProfile, chainProfile]) {
      for (let index = 0; index < cases; index++) {
        using arena = new Arena(256);
        const question = caseAt(drawn, 8, index);
        const floats = boundsAround(expandCase(question).question, profile, centre);
        const truths = boundsAround(expandCase(question).question, profile, enclosureCentre(arena));
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
    const { missed, held } = compared(floatCentre, 120);
    expect(missed).toBe(0);
    expect(held).toBeGreaterThan(15_000);
  }, 60_000);

  it("and is not if multiplication is planted not to hand slacks on", () => {
    const field = {
      ...balls,
      multiply: (x: Ball, y: Ball): Ball => balls.multiply({ ...x, slack: 0 }, { ...y, slack: 0 }),
    };
    expect(compared({ ...floatCentre, field, real: field }, 40).missed).toBeGreaterThan(0);
  }, 60_000);
});
