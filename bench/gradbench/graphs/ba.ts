import { graph, type NodeId, type Value } from "../../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/** There are this many cameras, points and observations. */
export interface BaSizes {
  readonly cameras: number;
  readonly points: number;
  readonly observations: number;
}

/** The evaluation's first file has these sizes. */
export const ba1: BaSizes = { cameras: 49, points: 7776, observations: 31843 };

/**
 * The evaluation's first file has these numbers, repeated for every camera, point and observation: a camera's
 * rotation, centre, focal length, principal point and distortion; a point; a weight; a feature. Source:
 * https://github.com/gradbench/gradbench, evals/ba/data/ba1_n49_m7776_p31843.txt
 */
export const baNumbers: Readonly<Record<"camera" | "point" | "weight" | "feature", readonly number[]>> = {
  camera: [
    -0.758453, -1.109613, -0.845551, 34.556073, 39.676747, 53.881673, 419.194514, 5.864426, -8.51887,
    0.087812, 0.002739,
  ],
  point: [7.203245, 0.001144, 3.023326],
  weight: [0.417022],
  feature: [271.760969, 834.209256],
};

/**
 * Builds bundle adjustment: the weighted errors of points projected by cameras, `[observations, 2]`, and `1
 * − w²`. GradBench asks for their Jacobian; the objective here is half the sum of their squares, whose
 * gradient is the Jacobian's transpose times the errors. Observation `i` is of camera `i mod cameras` and
 * point `i mod points`. Source: https://github.com/gradbench/gradbench, evals/ba/README.md and
 * cpp/gradbench/evals/ba.hpp
 */
export function ba({ cameras, points, observations }: BaSizes): Problem {
  const outputs: NodeId[] = [];
  const built = graph(({ input, parameter, indices }) => {
    const camera = input("cameras", [cameras, 11]);
    const point = input("points", [points, 3]);
    const weight = input("weights", [observations]);
    const feature = parameter("features", [observations, 2]);
    const observer = camera.take({ axis: 0, indices: indices("camera of", [observations]) });
    const observed = point.take({ axis: 0, indices: indices("point of", [observations]) });
    const projected = project(observer, observed);
    const errors = weight.reshape({ shape: [observations, 1] }).multiply(projected.subtract(feature));
    const weightErrors = weight.square().negative().add(1);
    outputs.push(errors.id, weightErrors.id);
    const squares = errors.square().sum({ axes: [0, 1], keepdims: false });
    return squares.add(weightErrors.square().sum({ axes: [0], keepdims: false })).multiply(0.5);
  });
  const { camera, point, weight, feature } = baNumbers;
  const repeated = (numbers: readonly number[], times: number): number[] =>
    Array.from({ length: times }, () => numbers).flat();
  const cycle = (length: number): number[] => Array.from({ length: observations }, (_, i) => i % length);
  return {
    name: `ba n=${cameras} m=${points} p=${observations}`,
    graph: built,
    point: {
      inputs: [
        tensor([cameras, 11], repeated(camera, cameras)),
        tensor([points, 3], repeated(point, points)),
        tensor([observations], repeated(weight, observations)),
      ],
      environment: new Map([
        ["features", tensor([observations, 2], repeated(feature, observations))],
        ["camera of", tensor([observations], cycle(cameras))],
        ["point of", tensor([observations], cycle(points))],
      ]),
    },
    outputs: [...outputs, objectiveOf(built)],
  };
}

/** Takes columns `from` to `to` of a matrix. */
function columns(x: Value, from: number, to: number): Value {
  return x.slice({ starts: [0, from], stops: [x.shape[0] ?? 0, to], steps: [1, 1] });
}

const rowSum = (x: Value): Value => x.sum({ axes: [1], keepdims: true });

/** Projects points `[p, 3]` by cameras `[p, 11]` to pictures `[p, 2]`. */
function project(camera: Value, point: Value): Value {
  const seen = rotate(columns(camera, 0, 3), point.subtract(columns(camera, 3, 6)));
  const flat = columns(seen, 0, 2).divide(columns(seen, 2, 3));
  const square = rowSum(flat.square());
  const distortion = columns(camera, 9, 10)
    .multiply(square)
    .add(1)
    .add(columns(camera, 10, 11).multiply(square).multiply(square));
  return flat
    .multiply(distortion)
    .multiply(columns(camera, 6, 7))
    .add(columns(camera, 7, 9));
}

/**
 * Rotates points `[p, 3]` about axes by angles that are the axes' lengths; to first order where an axis is
 * zero, with a nonzero divisor there, so that nothing undefined is pulled back.
 */
function rotate(axis: Value, point: Value): Value {
  const square = rowSum(axis.square());
  const isStill = square.equal(0);
  const angle = isStill.where(1, square).sqrt();
  const direction = axis.divide(angle);
  const along = rowSum(direction.multiply(point)).multiply(angle.cos().negative().add(1));
  const turned = point
    .multiply(angle.cos())
    .add(cross(direction, point).multiply(angle.sin()))
    .add(direction.multiply(along));
  const nearby = point.add(cross(axis, point));
  return isStill.broadcast_to({ shape: point.shape }).where(nearby, turned);
}

/** Computes the cross products of rows of three. */
function cross(x: Value, y: Value): Value {
  const next = (z: Value, shift: number): Value => z.roll({ shift: -shift, axis: 1 });
  return next(x, 1)
    .multiply(next(y, 2))
    .subtract(next(x, 2).multiply(next(y, 1)));
}
