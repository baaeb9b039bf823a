import { present } from "../../spec/index.ts";
import { type GmmSizes, wishart, wishartConstant } from "../gradbench/graphs/gmm.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import type { Workload } from "../workloads/workload.ts";

/** A library of tensors has these operations, named as in NumPy; elementwise ones broadcast. */
export interface TensorStyle<T> {
  add(x: T, y: T | number): T;
  subtract(x: T, y: T): T;
  multiply(x: T, y: T | number): T;
  divide(x: T, y: T): T;
  exp(x: T): T;
  log(x: T): T;
  square(x: T): T;
  sqrt(x: T): T;
  sin(x: T): T;
  cos(x: T): T;
  tanh(x: T): T;
  sigmoid(x: T): T;
  relu(x: T): T;
  matmul(x: T, y: T): T;
  /** Reduces all axes, or the last one, which is dropped. */
  sum(x: T): T;
  sumLast(x: T): T;
  maxAll(x: T): T;
  minLast(x: T): T;
  logsumexpAll(x: T): T;
  logsumexpLast(x: T): T;
  logSoftmaxLast(x: T): T;
  reshape(x: T, shape: readonly number[]): T;
  transpose(x: T, axes: readonly number[]): T;
  concat(all: readonly T[], axis: number): T;
  slice(x: T, starts: readonly number[], sizes: readonly number[]): T;
  take(x: T, indices: Int32Array, axis: number): T;
  /** Takes a matrix's columns at indices; some libraries can derive it only as a matrix product. */
  columns(x: T, indices: Int32Array, width: number): T;
  constant(numbers: Float64Array, shape: readonly number[]): T;
}

/** This is a function of tensors, the inputs of the graph in order. */
export type TensorFunction<T> = (inputs: readonly T[]) => T;

/** Writes the workload for tensors; nothing for graphs of scalars. Data become constants. */
export function inTensorStyle<T>(
  workload: Workload,
  problem: Problem,
  style: TensorStyle<T>,
): TensorFunction<T> | undefined {
  const data = (name: string): T => {
    const { data: numbers, shape } = present(problem.point.environment.get(name), name);
    return style.constant(numbers, shape);
  };
  const indices = (name: string): Int32Array =>
    Int32Array.from(present(problem.point.environment.get(name), name).data);
  switch (workload.kind) {
    case "gmm":
      return gmm(workload, style, data("x"), indices("places"));
    case "logsumexp":
      return ([x]) => style.logsumexpAll(present(x, "x"));
    case "lse":
      return ([x]) => lse(present(x, "x"), style);
    case "mlp":
      return mlp(style, data("pixels"), data("labels"), workload.batch);
    case "rosenbrock":
      return ([x]) => rosenbrock(present(x, "x"), workload.n, style);
    case "kmeans": {
      const points = style.reshape(data("points"), [workload.n, 1, workload.d]);
      return ([centroids]) => {
        const { k, d } = workload;
        const difference = style.subtract(points, style.reshape(present(centroids, "centroids"), [1, k, d]));
        return style.sum(style.minLast(style.sumLast(style.square(difference))));
      };
    }
    case "llsq": {
      const [powers, signs] = [data("powers"), style.reshape(data("signs"), [workload.n, 1])];
      return ([x]) => {
        const fitted = style.matmul(powers, style.reshape(present(x, "x"), [workload.m, 1]));
        return style.multiply(style.sum(style.square(style.subtract(signs, fitted))), 0.5);
      };
    }
    case "ode":
      return ([x]) => ode(present(x, "x"), workload.n, workload.steps, style);
    case "lstm":
      return lstm(workload, style, data("state"), data("text"));
    case "det":
      return ([a]) => det(present(a, "A"), workload.rows, style, data, indices);
    case "ba":
      return ba(workload.observations, style, data("features"), indices("camera of"), indices("point of"));
    case "ht":
    case "convolutions":
    case "attention":
    case "transformer":
    case "heat":
    case "scalars":
      return undefined;
  }
}

function gmm<T>({ d, k, n }: GmmSizes, s: TensorStyle<T>, x: T, places: Int32Array): TensorFunction<T> {
  const { m, gamma } = wishart;
  const below = (d * (d - 1)) / 2;
  const zeros = s.constant(new Float64Array(k), [k, 1]);
  const constant = k * wishartConstant(d) - (n * d * Math.log(2 * Math.PI)) / 2;
  return (inputs) => {
    const [alpha, mu, q, l] = four(inputs);
    const diagonal = s.exp(q);
    const factors = s.reshape(s.columns(s.concat([diagonal, l, zeros], 1), places, d + below + 1), [k, d, d]);
    const columns = s.reshape(s.transpose(factors, [2, 0, 1]), [d, k * d]);
    const means = s.reshape(s.matmul(factors, s.reshape(mu, [k, d, 1])), [1, k * d]);
    const whitened = s.reshape(s.subtract(s.matmul(x, columns), means), [n, k, d]);
    const logDeterminants = s.sumLast(q);
    const beta = s.subtract(
      s.reshape(s.add(alpha, logDeterminants), [1, k]),
      s.multiply(s.sumLast(s.square(whitened)), 0.5),
    );
    const likelihood = s.subtract(s.sum(s.logsumexpLast(beta)), s.multiply(s.logsumexpAll(alpha), n));
    const frobenius = s.add(s.sum(s.square(diagonal)), s.sum(s.square(l)));
    const prior = s.subtract(s.multiply(s.sum(q), m), s.multiply(frobenius, (gamma * gamma) / 2));
    return s.add(s.add(likelihood, prior), constant);
  };
}

function lse<T>(x: T, s: TensorStyle<T>): T {
  const most = s.maxAll(x);
  return s.add(s.log(s.sum(s.exp(s.subtract(x, most)))), most);
}

function mlp<T>(s: TensorStyle<T>, pixels: T, labels: T, batch: number): TensorFunction<T> {
  return (inputs) => {
    let x = pixels;
    for (let place = 0; place < inputs.length; place += 2) {
      const affine = s.add(s.matmul(x, present(inputs[place], "weight")), present(inputs[place + 1], "bias"));
      x = place + 2 < inputs.length ? s.relu(affine) : affine;
    }
    return s.multiply(s.sum(s.multiply(s.logSoftmaxLast(x), labels)), -1 / batch);
  };
}

function rosenbrock<T>(x: T, n: number, s: TensorStyle<T>): T {
  const [now, next] = [s.slice(x, [0], [n - 1]), s.slice(x, [1], [n - 1])];
  const valley = s.multiply(s.square(s.subtract(next, s.square(now))), 100);
  return s.sum(s.add(valley, s.square(s.add(now, -1))));
}

function ode<T>(x: T, n: number, steps: number, s: TensorStyle<T>): T {
  const h = 2 / steps;
  const one = s.constant(Float64Array.of(1), [1]);
  const slope = (y: T): T => s.multiply(x, s.concat([one, s.slice(y, [0], [n - 1])], 0));
  let y = s.constant(new Float64Array(n), [n]);
  for (let step = 0; step < steps; step++) {
    const k1 = slope(y);
    const k2 = slope(s.add(y, s.multiply(k1, h / 2)));
    const k3 = slope(s.add(y, s.multiply(k2, h / 2)));
    const k4 = slope(s.add(y, s.multiply(k3, h)));
    const sum = s.add(s.add(k1, k4), s.multiply(s.add(k2, k3), 2));
    y = s.add(y, s.multiply(sum, h / 6));
  }
  return s.sum(s.slice(y, [n - 1], [1]));
}

function lstm<T>(
  { layers, characters, bits }: Extract<Workload, { kind: "lstm" }>,
  s: TensorStyle<T>,
  state: T,
  text: T,
): TensorFunction<T> {
  const steps = characters - 1;
  const row = (x: T, place: number, width: number): T =>
    s.reshape(s.slice(x, [place, 0], [1, width]), [width]);
  const part = (x: T, place: number, count = 1): T => s.slice(x, [place * bits], [count * bits]);
  const read = s.slice(text, [0, 0], [steps, bits]);
  const expected = s.slice(text, [1, 0], [steps, bits]);
  return ([main, extra]) => {
    const parameters = Array.from({ length: layers }, (_, i) => ({
      weight: row(present(main, "main"), 2 * i, 4 * bits),
      bias: row(present(main, "main"), 2 * i + 1, 4 * bits),
    }));
    let states = Array.from({ length: layers }, (_, i) => ({
      hidden: row(state, 2 * i, bits),
      cell: row(state, 2 * i + 1, bits),
    }));
    const [scale, outScale, outBias] = [0, 1, 2].map((place) => row(present(extra, "extra"), place, bits));
    const weighted = s.multiply(read, present(scale, "scale"));
    const tops: T[] = [];
    for (let step = 0; step < steps; step++) {
      let below = row(weighted, step, bits);
      states = states.map(({ hidden, cell }, i) => {
        const { weight, bias } = present(parameters[i], "layer");
        const gates = s.add(s.multiply(s.concat([below, hidden, below, hidden], 0), weight), bias);
        const open = s.sigmoid(part(gates, 0, 3));
        const next = s.add(
          s.multiply(cell, part(open, 0)),
          s.multiply(part(open, 1), s.tanh(part(gates, 3))),
        );
        below = s.multiply(part(open, 2), s.tanh(next));
        return { hidden: below, cell: next };
      });
      tops.push(s.reshape(below, [1, bits]));
    }
    const predicted = s.add(
      s.multiply(s.concat(tops, 0), present(outScale, "scale")),
      present(outBias, "bias"),
    );
    const normalizer = s.log(s.add(s.sumLast(s.exp(predicted)), 2));
    const fitted = s.subtract(predicted, s.reshape(normalizer, [steps, 1]));
    return s.multiply(s.sum(s.multiply(expected, fitted)), -1 / (steps * bits));
  };
}

/** Computes all minors of a size as one tensor, like the graph, as GradBench advises for slow scalars. */
function det<T>(
  a: T,
  rows: number,
  s: TensorStyle<T>,
  data: (name: string) => T,
  indices: (name: string) => Int32Array,
): T {
  const flat = s.reshape(a, [rows * rows]);
  let minors = s.take(flat, indices(`columns ${rows - 1}`), 0);
  for (let row = rows - 2; row >= 0; row--) {
    const places = indices(`columns ${row}`);
    const shape = [places.length / (rows - row), rows - row];
    const entries = s.reshape(s.take(flat, places, 0), shape);
    minors = s.sumLast(s.multiply(entries, s.multiply(s.reshape(minors, shape), data(`signs ${row}`))));
  }
  return s.sum(minors);
}

function ba<T>(
  p: number,
  s: TensorStyle<T>,
  features: T,
  cameraOf: Int32Array,
  pointOf: Int32Array,
): TensorFunction<T> {
  const columns = (x: T, from: number, count: number): T => s.slice(x, [0, from], [p, count]);
  const rowSum = (x: T): T => s.reshape(s.sumLast(x), [p, 1]);
  const cross = (x: T, y: T): T => {
    const turned = (z: T, by: number): T => s.concat([columns(z, by, 3 - by), columns(z, 0, by)], 1);
    return s.subtract(s.multiply(turned(x, 1), turned(y, 2)), s.multiply(turned(x, 2), turned(y, 1)));
  };
  return ([cameras, points, weights]) => {
    const camera = s.take(present(cameras, "cameras"), cameraOf, 0);
    const away = s.subtract(s.take(present(points, "points"), pointOf, 0), columns(camera, 3, 3));
    const axis = columns(camera, 0, 3);
    const angle = s.sqrt(rowSum(s.square(axis)));
    const unit = s.divide(axis, angle);
    const [cosine, sine] = [s.cos(angle), s.sin(angle)];
    const along = s.multiply(rowSum(s.multiply(unit, away)), s.add(s.multiply(cosine, -1), 1));
    const seen = s.add(
      s.add(s.multiply(away, cosine), s.multiply(cross(unit, away), sine)),
      s.multiply(unit, along),
    );
    const plane = s.divide(columns(seen, 0, 2), columns(seen, 2, 1));
    const square = rowSum(s.square(plane));
    const distortion = s.add(
      s.multiply(s.add(s.multiply(square, columns(camera, 10, 1)), columns(camera, 9, 1)), square),
      1,
    );
    const projected = s.add(
      s.multiply(s.multiply(plane, distortion), columns(camera, 6, 1)),
      columns(camera, 7, 2),
    );
    const weight = present(weights, "weights");
    const errors = s.multiply(s.subtract(projected, features), s.reshape(weight, [p, 1]));
    const weightErrors = s.add(s.multiply(s.square(weight), -1), 1);
    return s.multiply(s.add(s.sum(s.square(errors)), s.sum(s.square(weightErrors))), 0.5);
  };
}

/** Takes apart the four inputs of a mixture. */
function four<T>([alpha, mu, q, l]: readonly T[]): readonly [T, T, T, T] {
  return [present(alpha, "alpha"), present(mu, "mu"), present(q, "q"), present(l, "l")];
}

/** Makes `[width, indices]` with a 1 in each column at its index: `x` times it takes the columns of `x`. */
export function selection(indices: Int32Array, width: number): Float64Array {
  const ones = new Float64Array(width * indices.length);
  indices.forEach((row, column) => {
    ones[row * indices.length + column] = 1;
  });
  return ones;
}
