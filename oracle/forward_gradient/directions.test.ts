import { describe, expect, test } from "vitest";
import { erf } from "../../reference/algebras/erf.ts";
import { at } from "../../spec/index.ts";
import { misfitsOf, productsOf, type Revealed, revealed } from "./directions.ts";

/** A multiplicative generator [Park and Miller, 1988]; uniform numbers lie above 0 and below 1. */
function uniformsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

type Draw = (uniform: () => number) => number;

const normal: Draw = (uniform) => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
const sign: Draw = (uniform) => (uniform() > 0.5 ? 1 : -1);

const gradient = [5, 3, -2, 0.25];

/** Draws directions, and what their estimates tell of them where each number is off by up to `within`. */
function told(draw: Draw, seeds: number, uniform: () => number, within = 0): readonly Revealed[] {
  return Array.from({ length: seeds }, () => {
    const v = gradient.map(() => draw(uniform));
    const slope = v.reduce((sum, x, place) => sum + x * at(gradient, place), 0);
    return revealed(
      v.map((x) => slope * x + within * (2 * uniform() - 1)),
      gradient,
      within,
      64,
    );
  });
}

/** Counts the campaigns in which directions are accused. */
function accused(
  law: "rademacher" | "gaussian",
  draw: Draw,
  { campaigns, seeds, alarm }: { readonly campaigns: number; readonly seeds: number; readonly alarm: number },
): number {
  const uniform = uniformsFrom(20_261_127);
  let count = 0;
  for (let n = 0; n < campaigns; n++)
    if (misfitsOf(law, told(draw, seeds, uniform), "float64", erf, alarm).length > 0) count += 1;
  return count;
}

describe("the directions that estimates tell", () => {
  test("have the sizes that they were drawn with, and their signs but for one, whatever rounding hides", () => {
    const uniform = uniformsFrom(3);
    let [decided, hidden] = [0, 0];
    for (let n = 0; n < 2000; n++) {
      const within = [0, 1e-9, 0.01, 1][n % 4] ?? 0;
      const v = gradient.map(() => normal(uniform));
      const slope = v.reduce((sum, x, place) => sum + x * at(gradient, place), 0);
      const estimate = v.map((x) => slope * x + within * (2 * uniform() - 1));
      const { low, high, signs } = revealed(estimate, gradient, within, 64);
      const wrong = v.findIndex((x, place) => {
        const isWithin = at(low, place) <= Math.abs(x) && at(high, place) >= Math.abs(x);
        return !isWithin || ![0, Math.sign(x * slope)].includes(at(signs, place));
      });
      expect({ n, wrong }).toEqual({ n, wrong: -1 });
      const unknown = signs.filter((one) => one === 0).length;
      hidden += unknown;
      decided += signs.length - unknown;
    }
    expect(decided).toBeGreaterThan(6000);
    expect(hidden).toBeGreaterThan(100);
  });

  test.each([
    ["rademacher", sign],
    ["gaussian", normal],
  ] as const)("are accused no more often than is said where they are right: %s", (law, draw) => {
    // Of 150 campaigns 15 are expected at most, with a standard deviation of √13.5.
    expect(accused(law, draw, { campaigns: 150, seeds: 150, alarm: 0.1 })).toBeLessThan(
      15 + 4 * Math.sqrt(13.5),
    );
  });

  test.each([
    ["normal", "rademacher", normal, 10],
    ["longer by 1 %", "rademacher", (uniform: () => number) => 1.01 * sign(uniform), 10],
    ["Laplace's", "gaussian", laplace, 1500],
    ["uniform", "gaussian", (uniform: () => number) => Math.sqrt(3) * (2 * uniform() - 1), 1500],
    ["longer by 5 %", "gaussian", (uniform: () => number) => 1.05 * normal(uniform), 6000],
    ["shorter by 5 %", "gaussian", (uniform: () => number) => 0.95 * normal(uniform), 6000],
  ] as const)("are told in each of 4 campaigns at 10⁻⁶ where they are %s instead of %s", (_, law, draw, seeds) => {
    expect(accused(law, draw, { campaigns: 4, seeds, alarm: 1e-6 })).toBe(4);
  });

  test("hide their law behind rounding that is as large as they are, and accuse nobody then", () => {
    const uniform = uniformsFrom(5);
    const blurred = told((draw) => 1.2 * normal(draw), 3000, uniform, 100);
    expect(misfitsOf("gaussian", blurred, "float64", erf, 1e-6)).toEqual([]);
  });

  test("are compared by each product of an even number of signs, if there are few", () => {
    expect(productsOf(4, false).map(({ signs }) => signs.join(""))).toEqual([
      "01",
      "02",
      "12",
      "03",
      "13",
      "23",
      "0123",
    ]);
    expect(productsOf(40, true).length).toBeLessThanOrEqual(512);
    expect(productsOf(40, true).every(({ signs }) => signs.length % 2 === 0)).toBe(true);
    expect(productsOf(1, true)).toEqual([]);
  });
});

function laplace(uniform: () => number): number {
  const size = -Math.log(uniform()) / Math.SQRT2;
  return uniform() > 0.5 ? size : -size;
}
