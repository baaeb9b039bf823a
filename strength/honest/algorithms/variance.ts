import { type Algorithm, type Float, item, type Row, rowAt } from "./algorithm.ts";

/** These are the mean and the sum of squared deviations from it. */
interface Moments {
  readonly mean: number;
  readonly squares: number;
}

/** Computes mean and squares. */
export type Moment = (float: Float, x: Row) => Moments;

/** Takes two passes. Source: Chan, Golub, LeVeque, "Algorithms for computing the sample variance", 1983. */
export const twoPasses: Moment = (float, x) => {
  const mean = float.divide(float.sum(x), x.length);
  const deviations = x.map((a) => float.subtract(a, mean));
  return { mean, squares: float.dot(deviations, deviations) };
};

/** Source: Welford, "Note on a method for calculating corrected sums of squares and products", 1962. */
export const welford: Moment = ({ add, subtract, multiply, divide }, x) => {
  let [mean, squares] = [0, 0];
  for (const [i, a] of x.entries()) {
    const before = subtract(a, mean);
    mean = add(mean, divide(before, i + 1));
    squares = add(squares, multiply(before, subtract(a, mean)));
  }
  return { mean, squares };
};

/** Merges halves. Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm", 1979, (2.1). */
export const pairwise: Moment = (float, x) => {
  if (x.length < 2) return { mean: item(x, 0), squares: 0 };
  const half = Math.floor(x.length / 2);
  const [a, b] = [pairwise(float, x.slice(0, half)), pairwise(float, x.slice(half))];
  const { add, subtract, multiply, divide } = float;
  const apart = subtract(b.mean, a.mean);
  const share = divide(x.length - half, x.length);
  const between = multiply(multiply(multiply(apart, apart), share), half);
  return { mean: add(a.mean, multiply(apart, share)), squares: add(add(a.squares, b.squares), between) };
};

/** Multiplies by a reciprocal for each count in Welford's, as on machines that divide slowly. */
const welfordByReciprocal: Moment = ({ add, subtract, multiply, divide }, x) => {
  let [mean, squares] = [0, 0];
  for (const [i, a] of x.entries()) {
    const before = subtract(a, mean);
    mean = add(mean, multiply(before, divide(1, i + 1)));
    squares = add(squares, multiply(before, subtract(a, mean)));
  }
  return { mean, squares };
};

/** Computes Σ x² − n m², which cancels and is not stable. */
export const textbook: Moment = (float, x) => {
  const mean = float.divide(float.sum(x), x.length);
  const squares = float.subtract(float.dot(x, x), float.multiply(x.length, float.multiply(mean, mean)));
  return { mean, squares };
};

function variance(name: string, source: string, moments: Moment, wrong: number = 0): Algorithm {
  return {
    composite: "var",
    name,
    source,
    answer(float, { operands, tangents, cotangent, correction }) {
      const x = rowAt(operands, 0);
      const { mean, squares } = moments(float, x);
      const freedom = x.length - correction + wrong;
      const deviations = x.map((a) => float.subtract(a, mean));
      const scale = float.divide(2, freedom);
      const factor = float.multiply(scale, item(cotangent, 0));
      return {
        value: [float.divide(squares, freedom)],
        tangent: [float.multiply(scale, float.dot(deviations, rowAt(tangents, 0)))],
        cotangents: [deviations.map((d) => float.multiply(factor, d))],
      };
    },
  };
}

export const variances: readonly Algorithm[] = [
  variance("two passes", "https://doi.org/10.1080/00031305.1983.10483115", twoPasses),
  variance("Welford", "https://doi.org/10.1080/00401706.1962.10490022", welford),
  variance("Welford by reciprocals", "https://doi.org/10.1080/00401706.1962.10490022", welfordByReciprocal),
  variance("pairwise", "http://i.stanford.edu/pub/cstr/reports/cs/tr/79/773/CS-TR-79-773.pdf", pairwise),
];

export const wrongVariances: readonly Algorithm[] = [
  variance("one pass, E[x²] − E[x]²", "planted", textbook),
  variance("one too many degrees of freedom", "planted", twoPasses, 1),
];

function mean(
  name: string,
  source: string,
  of: (float: Float, x: Row) => number,
  wrong: number = 0,
): Algorithm {
  return {
    composite: "mean",
    name,
    source,
    answer(float, { operands, tangents, cotangent }) {
      const x = rowAt(operands, 0);
      const share = float.multiply(item(cotangent, 0), float.divide(1, x.length + wrong));
      return {
        value: [of(float, x)],
        tangent: [of(float, rowAt(tangents, 0))],
        cotangents: [x.map(() => share)],
      };
    },
  };
}

export const means: readonly Algorithm[] = [
  mean("running", "https://doi.org/10.1080/00401706.1962.10490022", (float, x) => welford(float, x).mean),
  mean("times 1/n first", "https://github.com/tensorflow/tfjs, Mean", (float, x) => {
    const share = float.divide(1, x.length);
    return float.sum(x.map((a) => float.multiply(a, share)));
  }),
  mean(
    "pairwise",
    "http://i.stanford.edu/pub/cstr/reports/cs/tr/79/773/CS-TR-79-773.pdf",
    (float, x) => pairwise(float, x).mean,
  ),
];

export const wrongMeans: readonly Algorithm[] = [
  mean("the cotangent by n + 1", "planted", (float, x) => welford(float, x).mean, 1),
  mean("running by halves", "planted", (float, x) =>
    x.reduce((m, a, i) => (i === 0 ? a : float.divide(float.add(m, a), 2)), 0),
  ),
];
