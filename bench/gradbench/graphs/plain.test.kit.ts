import { type BaSizes, baNumbers } from "./ba.ts";
import { type GmmSizes, wishart } from "./gmm.ts";
import { drawnHand, type HtSizes } from "./hand_model.ts";
import type { KmeansSizes } from "./kmeans.ts";
import { type LstmSizes, lstmData } from "./lstm.ts";

/** Such a function computes GradBench's definition in numbers: all outputs joined, the objective last. */
export type Plain = (inputs: readonly Float64Array[]) => number[];

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, x) => total + x, 0);
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const at = (numbers: ArrayLike<number>, place: number): number => numbers[place] ?? Number.NaN;
const halfSquares = (numbers: readonly number[]): number => sum(numbers.map((x) => x * x)) / 2;

export const plainLse: Plain = ([x = new Float64Array()]) => [Math.log(sum([...x].map(Math.exp)))];

export const plainOde =
  (steps: number): Plain =>
  ([x = new Float64Array()]) => {
    const h = 2 / steps;
    const slope = (y: readonly number[]): number[] =>
      y.map((_, i) => at(x, i) * (i === 0 ? 1 : at(y, i - 1)));
    const moved = (y: readonly number[], k: readonly number[], by: number): number[] =>
      y.map((yi, i) => yi + by * at(k, i));
    let y = [...x].map(() => 0);
    for (let step = 0; step < steps; step++) {
      const k1 = slope(y);
      const k2 = slope(moved(y, k1, h / 2));
      const k3 = slope(moved(y, k2, h / 2));
      const k4 = slope(moved(y, k3, h));
      y = y.map((yi, i) => yi + (h * (at(k1, i) + 2 * at(k2, i) + 2 * at(k3, i) + at(k4, i))) / 6);
    }
    return [at(y, y.length - 1)];
  };

export const plainKmeans =
  ({ k, n, d }: KmeansSizes, points: ArrayLike<number>): Plain =>
  ([c = new Float64Array()]) => {
    const distance = (i: number, j: number): number =>
      sum(range(d).map((axis) => (at(c, j * d + axis) - at(points, i * d + axis)) ** 2));
    return [sum(range(n).map((i) => Math.min(...range(k).map((j) => distance(i, j)))))];
  };

export const plainLlsq =
  (n: number): Plain =>
  ([x = new Float64Array()]) => {
    const residual = (i: number): number => {
      const t = -1 + (i * 2) / (n - 1);
      return Math.sign(t) - sum([...x].map((xj, j) => xj * t ** j));
    };
    return [halfSquares(range(n).map(residual))];
  };

/** Computes Leibniz's formula. */
export const plainDet =
  (rows: number): Plain =>
  ([a = new Float64Array()]) => {
    const terms = (row: number, left: readonly number[]): number =>
      left.length === 0
        ? 1
        : sum(
            left.map(
              (column, place) =>
                (place % 2 === 0 ? 1 : -1) *
                at(a, row * rows + column) *
                terms(
                  row + 1,
                  left.filter((other) => other !== column),
                ),
            ),
          );
    return [terms(0, range(rows))];
  };

/** Multiplies densities as defined, with the matrices' determinants and traces; for few numbers only. */
export const plainGmm =
  ({ d, k, n }: GmmSizes, x: ArrayLike<number>): Plain =>
  ([alpha = new Float64Array(), mu = new Float64Array(), q = new Float64Array(), l = new Float64Array()]) => {
    const below = (d * (d - 1)) / 2;
    const factor = (c: number): number[][] => {
      const entries = range(d).map(() => range(d).map(() => 0));
      let place = c * below;
      for (let column = 0; column < d; column++) {
        for (let row = column; row < d; row++) {
          const entry = row === column ? Math.exp(at(q, c * d + row)) : at(l, place++);
          entries[row]?.splice(column, 1, entry);
        }
      }
      return entries;
    };
    const weights = [...alpha].map((a) => Math.exp(a) / sum([...alpha].map(Math.exp)));
    const components = range(k).map((c) => {
      const entries = factor(c);
      const determinant = entries.reduce((product, row, i) => product * at(row, i), 1) ** 2;
      const trace = wishart.gamma ** 2 * sum(entries.flat().map((e) => e * e));
      return { entries, determinant, trace };
    });
    const densityOf = (i: number, c: number): number => {
      const { entries = [], determinant = Number.NaN } = components[c] ?? {};
      const difference = range(d).map((axis) => at(x, i * d + axis) - at(mu, c * d + axis));
      const square = sum(entries.map((row) => sum(row.map((e, j) => e * at(difference, j))) ** 2));
      return Math.exp(-square / 2) / Math.sqrt((2 * Math.PI) ** d / determinant);
    };
    const likelihood = range(n).reduce(
      (product, i) => product * sum(weights.map((weight, c) => weight * densityOf(i, c))),
      1,
    );
    const prior = components.reduce(
      (product, { determinant, trace }) => product * wishartDensity(d, determinant, trace),
      1,
    );
    return [Math.log(likelihood * prior)];
  };

/** Computes a density by the precision's determinant and the trace of `V⁻¹ X`. */
function wishartDensity(d: number, determinant: number, trace: number): number {
  const degrees = d + wishart.m + 1;
  const gamma = range(d).reduce(
    (product, j) => product * gammaOfHalf(degrees - j),
    Math.PI ** ((d * (d - 1)) / 4),
  );
  const scale = wishart.gamma ** -2;
  return (
    (determinant ** ((degrees - d - 1) / 2) * Math.exp(-trace / 2)) /
    (2 ** ((degrees * d) / 2) * scale ** ((d * degrees) / 2) * gamma)
  );
}

const gammaOfHalf = (h: number): number =>
  h === 1 ? Math.sqrt(Math.PI) : h === 2 ? 1 : (h / 2 - 1) * gammaOfHalf(h - 2);

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const plainLstm =
  (sizes: LstmSizes): Plain =>
  ([main = new Float64Array(), extra = new Float64Array()]) => {
    const { layers, characters, bits } = sizes;
    const { state: initial, text } = lstmData(sizes);
    const state = [...initial];
    let total = 0;
    for (let t = 0; t < characters - 1; t++) {
      let read = range(bits).map((i) => at(text, t * bits + i) * at(extra, i));
      for (let layer = 0; layer < layers; layer++) {
        const weight = (gate: number, i: number): number => at(main, layer * 8 * bits + gate * bits + i);
        const bias = (gate: number, i: number): number => weight(4 + gate, i);
        const [hidden, cell] = [2 * layer * bits, (2 * layer + 1) * bits];
        read = read.map((x, i) => {
          const h = at(state, hidden + i);
          const forget = sigmoid(x * weight(0, i) + bias(0, i));
          const ingate = sigmoid(h * weight(1, i) + bias(1, i));
          const outgate = sigmoid(x * weight(2, i) + bias(2, i));
          const change = Math.tanh(h * weight(3, i) + bias(3, i));
          state[cell + i] = at(state, cell + i) * forget + ingate * change;
          state[hidden + i] = outgate * Math.tanh(at(state, cell + i));
          return at(state, hidden + i);
        });
      }
      const predicted = read.map((x, i) => x * at(extra, bits + i) + at(extra, 2 * bits + i));
      const normalizer = Math.log(sum(predicted.map(Math.exp)) + 2);
      total += sum(predicted.map((y, i) => at(text, (t + 1) * bits + i) * (y - normalizer)));
    }
    return [-total / ((characters - 1) * bits)];
  };

type Vector = readonly number[];
const dot = (x: Vector, y: Vector): number => sum(x.map((xi, i) => xi * at(y, i)));
const cross = (x: Vector, y: Vector): number[] =>
  [0, 1, 2].map((i) => at(x, (i + 1) % 3) * at(y, (i + 2) % 3) - at(x, (i + 2) % 3) * at(y, (i + 1) % 3));

/** Rotates by Rodrigues' formula. */
function rotated(axis: Vector, point: Vector): number[] {
  const angle = Math.sqrt(dot(axis, axis));
  if (angle === 0) return point.map((x, i) => x + at(cross(axis, point), i));
  const unit = axis.map((x) => x / angle);
  const along = dot(unit, point) * (1 - Math.cos(angle));
  const turned = cross(unit, point);
  return point.map((x, i) => x * Math.cos(angle) + at(turned, i) * Math.sin(angle) + at(unit, i) * along);
}

export const plainBa =
  ({ cameras, points, observations }: BaSizes): Plain =>
  ([allCameras = new Float64Array(), allPoints = new Float64Array(), weights = new Float64Array()]) => {
    const errors = range(observations).flatMap((i) => {
      const camera = [...allCameras.subarray((i % cameras) * 11, (i % cameras) * 11 + 11)];
      const point = [...allPoints.subarray((i % points) * 3, (i % points) * 3 + 3)];
      const [x = 0, y = 0, z = 0] = rotated(
        camera.slice(0, 3),
        point.map((p, axis) => p - at(camera, 3 + axis)),
      );
      const square = (x / z) ** 2 + (y / z) ** 2;
      const distortion = 1 + at(camera, 9) * square + at(camera, 10) * square ** 2;
      return [x / z, y / z].map((coordinate, axis) => {
        const projected = coordinate * distortion * at(camera, 6) + at(camera, 7 + axis);
        return at(weights, i) * (projected - at(baNumbers.feature, axis));
      });
    });
    const weightErrors = [...weights].map((w) => 1 - w * w);
    return [...errors, ...weightErrors, halfSquares(errors) + halfSquares(weightErrors)];
  };

type Matrix = readonly Vector[];
const times = (x: Matrix, y: Matrix): number[][] =>
  x.map((row) => (y[0] ?? []).map((_, column) => sum(row.map((e, k) => e * at(y[k] ?? [], column)))));

/** Multiplies a bone's three rotations about x, z and y, and adds a fourth row and column. */
function bent([x = 0, z = 0, y = 0]: Vector): number[][] {
  const [cx, cy, cz, sx, sy, sz] = [
    Math.cos(x),
    Math.cos(y),
    Math.cos(z),
    Math.sin(x),
    Math.sin(y),
    Math.sin(z),
  ];
  const aboutX = [
    [1, 0, 0, 0],
    [0, cx, -sx, 0],
    [0, sx, cx, 0],
    [0, 0, 0, 1],
  ];
  const aboutY = [
    [cy, 0, sy, 0],
    [0, 1, 0, 0],
    [-sy, 0, cy, 0],
    [0, 0, 0, 1],
  ];
  const aboutZ = [
    [cz, -sz, 0, 0],
    [sz, cz, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ];
  return times(times(aboutZ, aboutY), aboutX);
}

export const plainHt =
  (sizes: HtSizes): Plain =>
  ([theta = new Float64Array(), us = new Float64Array()]) => {
    const hand = drawnHand(sizes);
    const { vertices } = sizes;
    const matrix = (all: ArrayLike<number>, bone: number): number[][] =>
      range(4).map((row) => range(4).map((column) => at(all, 16 * bone + 4 * row + column)));
    const pose = hand.parents.map(() => [0, 0, 0]);
    let read = 6;
    for (const finger of range(5)) {
      for (const joint of [2, 3, 4]) {
        const x = at(theta, read++);
        pose[4 * finger + joint] = [x, joint === 2 ? at(theta, read++) : 0, 0];
      }
    }
    const frames: number[][][] = [];
    for (const [bone, parent] of hand.parents.entries()) {
      const own = times(matrix(hand.relatives, bone), bent(pose[bone] ?? []));
      const above = frames[parent];
      frames.push(above === undefined ? own : times(above, own));
    }
    const transforms = frames.map((frame, bone) => times(frame, matrix(hand.inverses, bone)));
    const vertex = (v: number): number[] => {
      const rest = range(4).map((row) => [at(hand.positions, row * vertices + v)]);
      const moved = transforms.map((transform) => times(transform, rest).flat());
      const skinned = range(3).map((axis) =>
        sum(moved.map((position, bone) => at(position, axis) * at(hand.weights, bone * vertices + v))),
      );
      return rotated([...theta.subarray(0, 3)], skinned).map((x, axis) => x + at(theta, 3 + axis));
    };
    const errors = [...hand.correspondences].flatMap((triangle, i) => {
      const corners = range(3).map((place) => vertex(at(hand.triangles, 3 * triangle + place)));
      const [u, v] = [at(us, 2 * i), at(us, 2 * i + 1)];
      return range(3).map((axis) => {
        const seen = dot(
          [u, v, 1 - u - v],
          corners.map((corner) => at(corner, axis)),
        );
        return at(hand.points, 3 * i + axis) - seen;
      });
    });
    return [...errors, halfSquares(errors)];
  };
