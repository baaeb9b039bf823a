import { at } from "../../spec/shapes/index.ts";

/** What is known exactly of a number that is drawn: its mean, its variance, and, where there is one, how far it is from the mean at most. */
export interface Drawn {
  readonly mean: number;
  readonly variance: number;
  readonly reach: number;
}

/** A mean of draws, and how far from the true one it may be. */
export interface MeanFound {
  readonly found: number;
  readonly threshold: number;
}

/**
 * The mean of draws, by a test that accuses whoever draws rightly with a probability of at most `alarm`, for every law with this variance. Where draws have a
 * reach, the plain mean, by Bernstein's inequality; elsewhere the median of means of groups. It lets a law whose mean is off by twice the threshold pass
 * with at most the same probability, if its variance is no larger. Sources: Boucheron, Lugosi and Massart, Concentration Inequalities (2013), 2.8; Lugosi
 * and Mendelson, Mean Estimation and Regression under Heavy-Tailed Distributions (2019), theorem 2.
 */
export function meanOf(draws: readonly number[], { variance, reach }: Drawn, alarm: number): MeanFound {
  if (Number.isFinite(reach)) return plainMean(draws, variance, reach, Math.log(2 / alarm));
  const log = Math.log(1 / alarm);
  const groups = Math.min(Math.ceil(8 * log), draws.length);
  const size = Math.floor(draws.length / groups);
  const means = Array.from({ length: groups }, (_, group) =>
    average(draws.slice(group * size, (group + 1) * size)),
  );
  const sorted = means.toSorted((a, b) => a - b);
  return {
    found: at(sorted, groups >> 1),
    threshold: Math.sqrt((32 * log * variance) / (groups * size)),
  };
}

function plainMean(draws: readonly number[], variance: number, reach: number, log: number): MeanFound {
  const part = (reach * log) / 3;
  const threshold = (part + Math.sqrt(part ** 2 + 2 * variance * log * draws.length)) / draws.length;
  return { found: average(draws), threshold };
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

/** What is true of the estimate of a component of a gradient, and of its square, by the law of the direction's numbers. */
export function estimateLaw(
  law: "rademacher" | "gaussian",
  gradient: readonly number[],
  place: number,
): { readonly estimate: Drawn; readonly square: Drawn } {
  const own = at(gradient, place);
  const squares = gradient.map((x) => x ** 2);
  const norm = squares.reduce((sum, x) => sum + x, 0);
  if (law === "rademacher") {
    const whole = gradient.reduce((sum, x) => sum + Math.abs(x), 0);
    const fourth = squares.reduce((sum, x) => sum + x ** 2, 0);
    return {
      estimate: { mean: own, variance: norm - own ** 2, reach: whole - Math.abs(own) },
      // Of ±1 the estimate's square is that of the slope.
      square: { mean: norm, variance: 2 * (norm ** 2 - fourth), reach: whole ** 2 },
    };
  }
  const mean = norm + 2 * own ** 2;
  const fourth = 9 * norm ** 2 + 72 * norm * own ** 2 + 24 * own ** 4;
  const reach = Number.POSITIVE_INFINITY;
  return {
    estimate: { mean: own, variance: norm + own ** 2, reach },
    square: { mean, variance: fourth - mean ** 2, reach },
  };
}
