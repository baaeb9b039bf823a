import {
  add,
  compile,
  Dual,
  div,
  fn,
  gt,
  mul,
  type Nat,
  opaque,
  Real,
  select,
  sub,
  sum,
  Vec,
  vec,
  vjp,
} from "rose";
import { type GmmSizes, wishart, wishartConstant } from "../gradbench/graphs/gmm.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import { type Answer, type Contestant, type Mode, notWritten, type Run } from "./contestant.ts";
import { dataOf } from "./data.ts";
import { flatPoint } from "./flat.ts";
import { inScalarStyle } from "./scalar_style.ts";

/** Rose (https://github.com/rose-lang/rose) compiles functions of loops and scalars to WebAssembly. */
export const rose: Contestant = {
  name: "rose",
  precision: "float64",
  style:
    "loops with vec and sum where there are vectors, differentiated by vjp; data are arguments; sums of exponentials are not shifted where a loop would have to carry the maximum",
  module: "rose",
  prepare: async (workload, problem, mode) => {
    switch (workload.kind) {
      case "gmm":
        return gmm(workload, problem, mode);
      case "logsumexp":
      case "lse":
        return logsumexp(workload.n, problem, mode);
      case "kmeans":
        return kmeans(workload, problem, mode);
      case "llsq":
        return llsq(workload.n, problem, mode);
      default:
        return scalars(workload, problem, mode);
    }
  },
};

/** Returns an element of a vector, which must be there. */
function at<T>(x: Vec<T>, i: Nat): T {
  const found = x[i];
  if (found === undefined) throw new RangeError("an element is missing");
  return found;
}

/** Reads what a compiled function returns for a vector. */
function list(x: unknown): number[] {
  if (!Array.isArray(x)) throw new TypeError("a vector was expected");
  return x;
}

/** Reads what it returns for a vector of vectors, row by row. */
function rowMajor(x: unknown): number[] {
  return list(x).flatMap((row: unknown) => list(row));
}

const exp = opaque([Real], Real, Math.exp);
const log = opaque([Real], Real, Math.log);
const sin = opaque([Real], Real, Math.sin);
const cos = opaque([Real], Real, Math.cos);
exp.jvp = fn([Dual], Dual, ({ re, du }) => {
  const y = exp(re);
  return { re: y, du: mul(du, y) };
});
log.jvp = fn([Dual], Dual, ({ re, du }) => ({ re: log(re), du: div(du, re) }));
sin.jvp = fn([Dual], Dual, ({ re, du }) => ({ re: sin(re), du: mul(du, cos(re)) }));

async function scalars(
  workload: Parameters<Contestant["prepare"]>[0],
  problem: Problem,
  mode: Mode,
): Promise<Run | string> {
  const written = inScalarStyle<Real>(workload, {
    add,
    subtract: sub,
    multiply: mul,
    sin,
    exp,
    number: (x) => x,
  });
  if (written === undefined) return notWritten;
  const point = [...flatPoint(problem)];
  const Point = Vec(point.length, Real);
  const f = fn([Point], Real, (x) => written.call(range(point.length).map((i) => at(x, i))));
  if (mode === "value") {
    const compiled = await compile(f);
    return () => ({ value: compiled(point), gradient: [] });
  }
  const g = fn([Point], { value: Real, slopes: Point }, (x) => {
    const { ret, grad } = vjp(f)(x);
    return { value: ret, slopes: grad(1) };
  });
  const compiled = await compile(g);
  const areReals = written.sizes.length > 1;
  return () => {
    const { value, slopes } = compiled(point);
    return { value, gradient: areReals ? list(slopes).map((x) => [x]) : [list(slopes)] };
  };
}

async function logsumexp(n: number, problem: Problem, mode: Mode): Promise<Run> {
  const Point = Vec(n, Real);
  const f = fn([Point], Real, (x) => log(sum(n, (i) => exp(at(x, i)))));
  const point = [...dataOf(problem, "x")];
  if (mode === "value") {
    const compiled = await compile(f);
    return () => ({ value: compiled(point), gradient: [] });
  }
  const g = fn([Point], { value: Real, slopes: Point }, (x) => {
    const { ret, grad } = vjp(f)(x);
    return { value: ret, slopes: grad(1) };
  });
  const compiled = await compile(g);
  return () => {
    const { value, slopes } = compiled(point);
    return { value, gradient: [list(slopes)] };
  };
}

/** Splits a row-major matrix into rows. */
function rows(numbers: Float64Array, width: number): number[][] {
  return Array.from({ length: numbers.length / width }, (_, i) => [
    ...numbers.subarray(i * width, (i + 1) * width),
  ]);
}

const square = (x: Real): Real => mul(x, x);
const least = (x: Real, y: Real): Real => select(gt(x, y), Real, y, x);
const most = (x: Real, y: Real): Real => select(gt(x, y), Real, x, y);
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

async function kmeans(
  { k, n, d }: { readonly k: number; readonly n: number; readonly d: number },
  problem: Problem,
  mode: Mode,
): Promise<Run> {
  const Row = Vec(d, Real);
  const All = { centroids: Vec(k, Row), points: Vec(n, Row) };
  const f = fn([All], Real, ({ centroids, points }) =>
    sum(n, (i) => {
      const distances = range(k).map((j) =>
        sum(d, (axis) => square(sub(at(at(centroids, j), axis), at(at(points, i), axis)))),
      );
      return distances.reduce(least);
    }),
  );
  const all = {
    centroids: rows(dataOf(problem, "centroids"), d),
    points: rows(dataOf(problem, "points"), d),
  };
  if (mode === "value") {
    const compiled = await compile(f);
    return () => ({ value: compiled(all), gradient: [] });
  }
  const g = fn([All], { value: Real, centroids: All.centroids }, (x) => {
    const { ret, grad } = vjp(f)(x);
    return { value: ret, centroids: grad(1).centroids };
  });
  const compiled = await compile(g);
  return () => {
    const { value, centroids } = compiled(all);
    return { value, gradient: [rowMajor(centroids)] };
  };
}

async function llsq(n: number, problem: Problem, mode: Mode): Promise<Run> {
  const x = [...dataOf(problem, "x")];
  const All = { x: Vec(x.length, Real), t: Vec(n, Real), s: Vec(n, Real) };
  const f = fn([All], Real, ({ x: coefficients, t, s }) =>
    mul(
      0.5,
      sum(n, (i) => {
        let residual: Real = at(s, i);
        let power: Real = 1;
        for (const j of range(x.length)) {
          residual = sub(residual, mul(at(coefficients, j), power));
          power = mul(power, at(t, i));
        }
        return square(residual);
      }),
    ),
  );
  const t = range(n).map((i) => -1 + (i * 2) / (n - 1));
  const all = { x, t, s: t.map(Math.sign) };
  if (mode === "value") {
    const compiled = await compile(f);
    return () => ({ value: compiled(all), gradient: [] });
  }
  const g = fn([All], { value: Real, x: All.x }, (arg) => {
    const { ret, grad } = vjp(f)(arg);
    return { value: ret, x: grad(1).x };
  });
  const compiled = await compile(g);
  return () => {
    const { value, x: slopes } = compiled(all);
    return { value, gradient: [list(slopes)] };
  };
}

function logsumexpOf(terms: readonly Real[]): Real {
  const shift = terms.reduce(most);
  return add(shift, log(terms.map((term) => exp(sub(term, shift))).reduce(add)));
}

/** Multiplies a vector by a lower triangular matrix; below its diagonal it is listed by columns. */
function turnedBy(diagonal: Vec<Real>, lower: Vec<Real>, x: readonly Real[]): Real[] {
  const turned = x.map((entry, j) => mul(at(diagonal, j), entry));
  let place = 0;
  for (const [column, entry] of x.entries()) {
    for (let row = column + 1; row < x.length; row++) {
      turned[row] = add(turned[row] ?? 0, mul(at(lower, place++), entry));
    }
  }
  return turned;
}

async function gmm({ d, k, n }: GmmSizes, problem: Problem, mode: Mode): Promise<Run> {
  const below = (d * (d - 1)) / 2;
  const { m, gamma } = wishart;
  const Row = Vec(d, Real);
  const Independent = { alpha: Vec(k, Real), mu: Vec(k, Row), q: Vec(k, Row), l: Vec(k, Vec(below, Real)) };
  const All = { ...Independent, x: Vec(n, Row) };
  const f = fn([All], Real, ({ alpha, mu, q, l, x }) => {
    const diagonal = vec(k, Row, (c) => vec(d, Real, (j) => exp(at(at(q, c), j))));
    const logDeterminants = vec(k, Real, (c) => sum(d, (j) => at(at(q, c), j)));
    const base = vec(k, Real, (c) => add(at(alpha, c), at(logDeterminants, c)));
    const likelihood = sub(
      sum(n, (i) => {
        const beta = vec(k, Real, (c) => {
          const [scale, lower, mean] = [at(diagonal, c), at(l, c), at(mu, c)];
          const difference = range(d).map((j) => sub(at(at(x, i), j), at(mean, j)));
          const turned = turnedBy(scale, lower, difference);
          return sub(at(base, c), mul(0.5, turned.map(square).reduce(add)));
        });
        return logsumexpOf(range(k).map((c) => at(beta, c)));
      }),
      mul(n, logsumexpOf(range(k).map((c) => at(alpha, c)))),
    );
    const frobenius = sum(k, (c) =>
      add(
        sum(d, (j) => square(at(at(diagonal, c), j))),
        sum(below, (j) => square(at(at(l, c), j))),
      ),
    );
    const prior = add(
      mul((gamma * gamma) / -2, frobenius),
      mul(
        m,
        sum(k, (c) => at(logDeterminants, c)),
      ),
    );
    return add(add(likelihood, prior), k * wishartConstant(d) - (n * d * Math.log(2 * Math.PI)) / 2);
  });
  const all = {
    alpha: [...dataOf(problem, "alpha")],
    mu: rows(dataOf(problem, "mu"), d),
    q: rows(dataOf(problem, "q"), d),
    l: rows(dataOf(problem, "l"), below),
    x: rows(dataOf(problem, "x"), d),
  };
  if (mode === "value") {
    const compiled = await compile(f);
    return () => ({ value: compiled(all), gradient: [] });
  }
  const g = fn([All], { value: Real, ...Independent }, (arg) => {
    const { ret, grad } = vjp(f)(arg);
    const { alpha, mu, q, l } = grad(1);
    return { value: ret, alpha, mu, q, l };
  });
  const compiled = await compile(g);
  return (): Answer => {
    const { value, alpha, mu, q, l } = compiled(all);
    return { value, gradient: [list(alpha), rowMajor(mu), rowMajor(q), rowMajor(l)] };
  };
}
