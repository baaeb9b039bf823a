import { numpyUniform } from "../points.ts";

/** There are this many correspondences with a hand of this many vertices and triangles. */
export interface HtSizes {
  readonly vertices: number;
  readonly triangles: number;
  readonly correspondences: number;
}

/** A hand has a skeleton, a skin and observations; matrices are in row-major order. */
export interface Hand {
  /** Each bone hangs on an earlier one; the first has −1. */
  readonly parents: readonly number[];
  /** `[bones, 4, 4]` holds each bone's frame in its parent's, and the inverse of its frame at rest. */
  readonly relatives: Float64Array;
  readonly inverses: Float64Array;
  /** `[4, vertices]` holds homogeneous positions at rest. */
  readonly positions: Float64Array;
  /** `[bones, vertices]` says how much of each vertex follows each bone. */
  readonly weights: Float64Array;
  /** `[triangles, 3]` lists vertices. */
  readonly triangles: Float64Array;
  /** This is each correspondence's triangle, and the observed point, `[correspondences, 3]`. */
  readonly correspondences: Float64Array;
  readonly points: Float64Array;
  /** These are 26 angles and offsets, and places in triangles, `[correspondences, 2]`. */
  readonly theta: Float64Array;
  readonly us: Float64Array;
}

/** The bones are the wrist, four in each of five fingers, one hanging on the other, and the forearm. */
const skeleton: readonly number[] = [
  -1,
  ...Array.from({ length: 20 }, (_, bone) => (bone % 4 === 0 ? 0 : bone)),
  0,
];

/** A hand has this many bones. */
export const BONES: number = skeleton.length;

/**
 * Draws a hand of the shape of ADBench's, uniformly, from the evaluations' seed: GradBench reads its hands
 * from files. Frames at rest are rotations about one axis and offsets, each vertex follows two bones, and
 * what is observed is near.
 */
export function drawnHand({ vertices, triangles, correspondences }: HtSizes): Hand {
  const stream = numpyUniform(31337, 0, 4 * BONES + 6 * vertices + 3 * triangles + 6 * correspondences + 26);
  let used = 0;
  const drawn = (count: number, least: number, most: number): Float64Array => {
    used += count;
    return stream.slice(used - count, used).map((x) => least + (most - least) * x);
  };
  const frames = Array.from({ length: BONES }, (_, bone) => frame(bone % 3, [...drawn(4, -0.5, 0.5)]));
  const integers = (count: number, limit: number): Float64Array => drawn(count, 0, limit).map(Math.floor);
  return {
    parents: skeleton,
    relatives: Float64Array.from(frames.flat()),
    inverses: Float64Array.from(inversesAtRest(frames).flat()),
    positions: Float64Array.from([
      ...drawn(3 * vertices, -1, 1),
      ...Array.from({ length: vertices }, () => 1),
    ]),
    weights: weightsOf(integers(2 * vertices, BONES), drawn(vertices, 0, 1)),
    triangles: integers(3 * triangles, vertices),
    correspondences: integers(correspondences, triangles),
    points: drawn(3 * correspondences, -1, 1),
    theta: drawn(26, -1, 1),
    us: drawn(2 * correspondences, 0, 0.5),
  };
}

/** Makes a frame turned about a coordinate axis by an angle, then moved: 16 numbers. */
function frame(axis: number, [angle = 0, ...offset]: readonly number[]): number[] {
  const [next, other] = [(axis + 1) % 3, (axis + 2) % 3];
  const entries = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  entries[4 * next + next] = Math.cos(angle);
  entries[4 * other + other] = Math.cos(angle);
  entries[4 * next + other] = -Math.sin(angle);
  entries[4 * other + next] = Math.sin(angle);
  offset.forEach((x, row) => {
    entries[4 * row + 3] = x;
  });
  return entries;
}

/** Inverts the bones' frames at rest: `Rᵀ p − Rᵀ t` undoes `R p + t`. */
function inversesAtRest(frames: readonly (readonly number[])[]): number[][] {
  const absolutes: (readonly number[])[] = [];
  for (const [bone, relative] of frames.entries()) {
    const parent = absolutes[skeleton[bone] ?? -1];
    absolutes.push(parent === undefined ? relative : product(parent, relative));
  }
  return absolutes.map((m) => {
    const at = (row: number, column: number): number => m[4 * row + column] ?? 0;
    const row = (i: number): number[] => [
      at(0, i),
      at(1, i),
      at(2, i),
      -(at(0, i) * at(0, 3) + at(1, i) * at(1, 3) + at(2, i) * at(2, 3)),
    ];
    return [...row(0), ...row(1), ...row(2), 0, 0, 0, 1];
  });
}

/** Multiplies two 4 by 4 matrices. */
function product(x: readonly number[], y: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, place) => {
    const [row, column] = [place >> 2, place & 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + (x[4 * row + k] ?? 0) * (y[4 * k + column] ?? 0), 0);
  });
}

/** Gives a share of each vertex to one bone and the rest to another, perhaps the same. */
function weightsOf(bones: Float64Array, shares: Float64Array): Float64Array {
  const vertices = shares.length;
  const weights = new Float64Array(BONES * vertices);
  shares.forEach((share, vertex) => {
    const first = (bones[2 * vertex] ?? 0) * vertices + vertex;
    const second = (bones[2 * vertex + 1] ?? 0) * vertices + vertex;
    weights[first] = (weights[first] ?? 0) + share;
    weights[second] = (weights[second] ?? 0) + 1 - share;
  });
  return weights;
}
