import { numpyUniform } from "../points.ts";

/** So many correspondences between points and a hand of so many vertices and triangles. */
export interface HtSizes {
  readonly vertices: number;
  readonly triangles: number;
  readonly correspondences: number;
}

/** A hand's skeleton and skin, and what was seen of it; matrices in row-major order. */
export interface Hand {
  /** The bone that each bone hangs on, −1 for the first; bones come after those that they hang on. */
  readonly parents: readonly number[];
  /** `[bones, 4, 4]`: each bone's frame in its parent's, and the inverse of its frame at rest. */
  readonly relatives: Float64Array;
  readonly inverses: Float64Array;
  /** `[4, vertices]`: homogeneous positions at rest. */
  readonly positions: Float64Array;
  /** `[bones, vertices]`: how much of each vertex follows each bone. */
  readonly weights: Float64Array;
  /** `[triangles, 3]`: vertices. */
  readonly triangles: Float64Array;
  /** The triangle of each correspondence, and `[correspondences, 3]`: the point seen. */
  readonly correspondences: Float64Array;
  readonly points: Float64Array;
  /** 26 angles and offsets; `[correspondences, 2]`: where in its triangle each correspondence lies. */
  readonly theta: Float64Array;
  readonly us: Float64Array;
}

/** The wrist; four bones of each of five fingers, one hanging on the other; and the forearm. */
const skeleton: readonly number[] = [
  -1,
  ...Array.from({ length: 20 }, (_, bone) => (bone % 4 === 0 ? 0 : bone)),
  0,
];

/** How many bones a hand has. */
export const BONES: number = skeleton.length;

/**
 * A hand of the shape of ADBench's, drawn uniformly with the evaluations' seed: GradBench reads its hands from files.
 * Frames at rest are rotations about one axis and offsets, each vertex follows two bones, and what is seen is near.
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

/** The frame turned about a coordinate axis by an angle, then moved: 16 numbers. */
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

/** The inverses of the bones' frames at rest: `R p + t` is undone by `Rᵀ p − Rᵀ t`. */
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

/** The product of two 4 by 4 matrices. */
function product(x: readonly number[], y: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, place) => {
    const [row, column] = [place >> 2, place & 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + (x[4 * row + k] ?? 0) * (y[4 * k + column] ?? 0), 0);
  });
}

/** Of each vertex a share to one bone and the rest to another, which may be the same. */
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
