import { graph, type Scope, type Value } from "../../../spec/index.ts";
import { defaultRng } from "../default_rng.ts";
import { EVALUATION_SEED } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/** There are this many dimensions, mixture components and observations. */
export interface GmmSizes {
  readonly d: number;
  readonly k: number;
  readonly n: number;
}

/** The Wishart prior has these additional degrees of freedom and precision, the evaluation's defaults. */
export const wishart: { readonly m: number; readonly gamma: number } = { m: 0, gamma: 1 };

/** The evaluation draws these for its sizes, in row-major order. */
export interface GmmData {
  readonly x: Float64Array;
  readonly alpha: Float64Array;
  readonly mu: Float64Array;
  readonly q: Float64Array;
  readonly l: Float64Array;
}

/** Draws by the evaluation's rule: normals, and uniform means, from `default_rng(31337)` in this order. */
export function gmmData({ d, k, n }: GmmSizes): GmmData {
  const { uniform, normal } = defaultRng(EVALUATION_SEED);
  const drawn = (count: number, draw: () => number): Float64Array =>
    Float64Array.from({ length: count }, draw);
  return {
    x: drawn(n * d, normal),
    alpha: drawn(k, normal),
    mu: drawn(k * d, uniform),
    q: drawn(k * d, normal),
    l: drawn((k * d * (d - 1)) / 2, normal),
  };
}

/**
 * Builds the log posterior of a Gaussian mixture with a Wishart prior on the precision matrices `QᵀQ`, by
 * weights, means and factors. `Q (x − μ)` is `Q x − Q μ`, so that one matrix product serves all
 * observations and components. Source: https://github.com/gradbench/gradbench, evals/gmm/README.md
 */
export function gmm(sizes: GmmSizes): Problem {
  const { d, k, n } = sizes;
  const below = (d * (d - 1)) / 2;
  const last = { axes: [1], keepdims: false };
  const built = graph((builder) => {
    const { input, parameter, indices, concat, full } = builder;
    const alpha = input("alpha", [k]);
    const mu = input("mu", [k, d]);
    const q = input("q", [k, d]);
    const l = input("l", [k, below]);
    const diagonal = q.exp();
    const factors = concat(diagonal, l, full({ shape: [k, 1], value: 0 }), { axis: 1 })
      .take({ axis: 1, indices: indices("places", [d * d]) })
      .reshape({ shape: [k, d, d] });
    const columns = factors.permute_dims({ axes: [2, 0, 1] }).reshape({ shape: [d, k * d] });
    const turnedMeans = factors.matmul(mu.reshape({ shape: [k, d, 1] })).reshape({ shape: [k * d] });
    const whitened = parameter("x", [n, d]).matmul(columns).subtract(turnedMeans);
    const distances = whitened
      .reshape({ shape: [n, k, d] })
      .square()
      .sum({ axes: [2], keepdims: false });
    const logDeterminants = q.sum(last);
    const beta = alpha.add(logDeterminants).subtract(distances.multiply(0.5));
    const likelihood = beta
      .logsumexp(last)
      .sum({ axes: [0], keepdims: false })
      .subtract(alpha.logsumexp({ axes: [0], keepdims: false }).multiply(n));
    const prior = priorOf(builder, { diagonal, l, logDeterminants }, sizes);
    return likelihood.add(prior).subtract((n * d * Math.log(2 * Math.PI)) / 2);
  });
  const { x, alpha, mu, q, l } = gmmData(sizes);
  return {
    name: `gmm d=${d} k=${k} n=${n}`,
    graph: built,
    point: {
      inputs: [tensor([k], alpha), tensor([k, d], mu), tensor([k, d], q), tensor([k, below], l)],
      environment: new Map([
        ["x", tensor([n, d], x)],
        ["places", tensor([d * d], placesOf(d))],
      ]),
    },
    outputs: [objectiveOf(built)],
  };
}

/** Computes the logarithm of the Wishart densities of all components. */
function priorOf(
  { full }: Scope,
  { diagonal, l, logDeterminants }: Readonly<Record<"diagonal" | "l" | "logDeterminants", Value>>,
  { d, k }: GmmSizes,
): Value {
  const { m, gamma } = wishart;
  const all = (x: Value): Value => x.sum({ axes: x.shape.map((_, axis) => axis), keepdims: false });
  const frobenius = all(diagonal.square()).add(all(l.square()));
  return full({ shape: [], value: k * wishartConstant(d) })
    .subtract(frobenius.multiply((gamma * gamma) / 2))
    .add(all(logDeterminants).multiply(m));
}

/** Computes the constant part of a Wishart log density: `ν D log(γ/√2) − log Γ_D(ν/2)`. */
export function wishartConstant(d: number): number {
  const { m, gamma } = wishart;
  const degrees = d + m + 1;
  const logGamma = Array.from({ length: d }, (_, j) => logGammaOfHalf(degrees - j));
  const multivariate = logGamma.reduce((sum, x) => sum + x, (d * (d - 1) * Math.log(Math.PI)) / 4);
  return degrees * d * Math.log(gamma / Math.SQRT2) - multivariate;
}

/** Computes `log Γ(h/2)` from `Γ(1/2) = √π`, `Γ(1) = 1` and `Γ(x + 1) = x Γ(x)`. */
function logGammaOfHalf(h: number): number {
  if (h === 1) return Math.log(Math.PI) / 2;
  return h === 2 ? 0 : Math.log(h / 2 - 1) + logGammaOfHalf(h - 2);
}

/**
 * Finds the places of a lower triangular matrix's elements among its `d` diagonal elements, those below,
 * column by column, and a zero.
 */
function placesOf(d: number): number[] {
  const zero = d + (d * (d - 1)) / 2;
  const places = Array.from({ length: d * d }, () => zero);
  let place = d;
  for (let column = 0; column < d; column++) {
    places[column * d + column] = column;
    for (let row = column + 1; row < d; row++) places[row * d + column] = place++;
  }
  return places;
}
