import { type Algorithm, type Float, item, type Question, type Row, rowAt } from "./algorithm.ts";

/** This is the greatest element, and the sum of exponentials of elements minus it. */
interface Normalizer {
  readonly greatest: number;
  readonly sum: number;
}

/** Returns what is subtracted from the elements: 0 where all are hidden by −∞, whose difference is NaN. */
function shift(greatest: number): number {
  return greatest === Number.NEGATIVE_INFINITY ? 0 : greatest;
}

/** Takes two passes. Source: Blanchard, Higham, Higham, "Accurately computing … softmax", 2021, 3.1. */
function inTwoPasses(float: Float, x: Row): Normalizer {
  const greatest = Math.max(...x);
  return { greatest, sum: float.sum(x.map((a) => float.exp(float.subtract(a, shift(greatest))))) };
}

/** Takes one pass. Source: Milakov, Gimelshein, "Online normalizer calculation for softmax", 2018. */
function inOnePass({ add, multiply, subtract, exp }: Float, x: Row): Normalizer {
  let [greatest, sum] = [Number.NEGATIVE_INFINITY, 0];
  for (const a of x) {
    const next = Math.max(greatest, a);
    const before = greatest === Number.NEGATIVE_INFINITY ? 0 : multiply(sum, exp(subtract(greatest, next)));
    sum = add(before, exp(subtract(a, shift(next))));
    greatest = next;
  }
  return { greatest, sum };
}

/** Merges two halves, each with its own greatest element. Source: FlashAttention, Dao et al., 2022, §3.1. */
function inBlocks(float: Float, x: Row): Normalizer {
  if (x.length < 3) return inTwoPasses(float, x);
  const half = Math.floor(x.length / 2);
  const [a, b] = [inBlocks(float, x.slice(0, half)), inBlocks(float, x.slice(half))];
  const greatest = Math.max(a.greatest, b.greatest);
  const scaled = ({ greatest: own, sum }: Normalizer): number =>
    float.multiply(sum, float.exp(float.subtract(own, shift(greatest))));
  return { greatest, sum: float.add(scaled(a), scaled(b)) };
}

/** Computes y (v − Σ y v). */
function pulled(float: Float, y: Row, v: Row): Row {
  const mean = float.dot(y, v);
  return y.map((a, i) => float.multiply(a, float.subtract(item(v, i), mean)));
}

function softmax(name: string, source: string, weights: (float: Float, x: Row) => Row): Algorithm {
  return {
    composite: "softmax",
    name,
    source,
    answer(float, { operands, tangents, cotangent }) {
      const value = weights(float, rowAt(operands, 0));
      return {
        value,
        tangent: pulled(float, value, rowAt(tangents, 0)),
        cotangents: [pulled(float, value, cotangent)],
      };
    },
  };
}

const quotients =
  (normalizer: (float: Float, x: Row) => Normalizer) =>
  (float: Float, x: Row): Row => {
    const { greatest, sum } = normalizer(float, x);
    return x.map((a) => float.divide(float.exp(float.subtract(a, greatest)), sum));
  };

/** Computes the logarithm of the sum of exponentials. */
function logOfSum(float: Float, { greatest, sum }: Normalizer): number {
  return float.add(greatest, float.log(sum));
}

export const softmaxes: readonly Algorithm[] = [
  softmax("two passes", "https://doi.org/10.1093/imanum/draa038", quotients(inTwoPasses)),
  softmax("one pass", "https://arxiv.org/abs/1805.02867", quotients(inOnePass)),
  softmax("blocks", "https://arxiv.org/abs/2205.14135", quotients(inBlocks)),
  softmax("exp of x − logsumexp", "https://doi.org/10.1093/imanum/draa038, (1.2)", (float, x) => {
    const total = logOfSum(float, inTwoPasses(float, x));
    return x.map((a) => float.exp(float.subtract(a, total)));
  }),
  softmax("times a reciprocal", "https://github.com/oneapi-src/oneDNN", (float, x) => {
    const { greatest, sum } = inTwoPasses(float, x);
    const reciprocal = float.divide(1, sum);
    return x.map((a) => float.multiply(float.exp(float.subtract(a, greatest)), reciprocal));
  }),
];

function logsumexp(
  name: string,
  source: string,
  normalizer: (float: Float, x: Row) => Normalizer,
  slopes: (float: Float, x: Row, known: Normalizer) => Row,
): Algorithm {
  return {
    composite: "logsumexp",
    name,
    source,
    answer(float, { operands, tangents, cotangent }: Question) {
      const x = rowAt(operands, 0);
      const known = normalizer(float, x);
      const slope = slopes(float, x, known);
      return {
        value: [logOfSum(float, known)],
        tangent: [float.dot(slope, rowAt(tangents, 0))],
        cotangents: [slope.map((a) => float.multiply(a, item(cotangent, 0)))],
      };
    },
  };
}

const byQuotient = (float: Float, x: Row, { greatest, sum }: Normalizer): Row =>
  x.map((a) => float.divide(float.exp(float.subtract(a, greatest)), sum));

const byExponent = (float: Float, x: Row, known: Normalizer): Row => {
  const total = logOfSum(float, known);
  return x.map((a) => float.exp(float.subtract(a, total)));
};

export const logsumexps: readonly Algorithm[] = [
  logsumexp("two passes", "https://doi.org/10.1093/imanum/draa038, algorithm 3.1", inTwoPasses, byQuotient),
  logsumexp(
    "two passes, slope exp(x − value)",
    "logsumexp_backward in https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/FunctionsManual.cpp",
    inTwoPasses,
    byExponent,
  ),
  logsumexp("one pass", "https://arxiv.org/abs/1805.02867", inOnePass, byExponent),
  logsumexp("blocks", "https://arxiv.org/abs/2205.14135", inBlocks, byQuotient),
];

/** Rounds to four digits behind the point. */
function rounded(x: number): number {
  return Math.round(x * 1e4) / 1e4;
}

/** These do not shift, have a constant of nine digits, an uncentred slope, or exponentials by powers of 2. */
export const wrongSoftmaxes: readonly Algorithm[] = [
  softmax("the greatest is taken as 0 below 700", "planted", (float, x) => {
    const powers = x.map((a) => float.exp(a / 2) ** 2);
    return powers.map((a) => float.divide(a, float.sum(powers)));
  }),
  softmax("a log₂e of five digits", "planted", (float, x) => {
    const greatest = Math.max(...x);
    const powers = x.map((a) =>
      float.round(2 ** float.multiply(float.subtract(a, greatest), rounded(Math.LOG2E))),
    );
    return powers.map((a) => float.divide(a, float.sum(powers)));
  }),
  logsumexp("an ln 2 of four digits", "planted", inTwoPasses, (float, x, { greatest, sum }) => {
    const total = float.add(greatest, float.multiply(float.round(Math.log2(sum)), rounded(Math.LN2)));
    return x.map((a) => float.exp(float.subtract(a, total)));
  }),
  logsumexp(
    "one pass that does not rescale",
    "planted",
    (float, x) => ({
      greatest: Math.max(...x),
      sum: float.sum(x.map((a, i) => float.exp(float.subtract(a, Math.max(...x.slice(0, i + 1)))))),
    }),
    byExponent,
  ),
];
