import { at } from "../../spec/shapes/index.ts";

/** A drawn number has exactly this mean and variance; `reach` is how far from the mean it is at most. */
export interface Drawn {
  readonly mean: number;
  readonly variance: number;
  readonly reach: number;
}

/** A mean of draws was found, with a bound on its distance from the true one. */
export interface MeanFound {
  readonly found: number;
  readonly threshold: number;
}

/**
 * Estimates the mean of draws by a test that accuses an honest drawer with probability at most `alarm`, for
 * every law with this variance: the plain mean by Bernstein's inequality if draws have a reach, else the
 * median of means of groups. A mean off by twice the threshold passes with at most that probability, if the
 * variance is no larger. Sources: Boucheron, Lugosi and Massart, Concentration Inequalities (2013), 2.8;
 * Lugosi and Mendelson, Mean Estimation and Regression under Heavy-Tailed Distributions (2019), theorem 2.
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

/**
 * Returns the mean, with a compensated sum: plain addition of thousands loses more than the bound of a single
 * estimate allows. Source: Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation (1974).
 */
function average(numbers: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const x of numbers) {
    const next = sum + x;
    lost += Math.abs(sum) >= Math.abs(x) ? sum - next + x : x - next + sum;
    sum = next;
  }
  // Where the sum is no number, nothing finite was lost.
  return (Number.isFinite(sum) ? sum + lost : sum) / numbers.length;
}

/** Returns what a component's estimate and its square obey, by the law of the direction's numbers. */
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
      // With directions of ±1, the square of the estimate is that of the slope.
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
