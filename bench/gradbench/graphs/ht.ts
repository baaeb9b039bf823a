import { type Builder, type FlatTensor, graph, type NodeId, type Value } from "../../../spec/index.ts";
import { BONES, drawnHand, type Hand, type HtSizes } from "./hand_model.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";
import { axisRotation, eulerRotations, homogeneous, skewPlaces } from "./rotations.ts";

/**
 * Builds hand tracking with positions in triangles ("complicated"): the errors `[correspondences, 3]` of a
 * posed and skinned hand, by pose and positions. GradBench asks for their Jacobian; the objective here is
 * half the sum of their squares. The hand is drawn, in the shape of theirs. Source:
 * https://github.com/gradbench/gradbench, cpp/gradbench/evals/ht.hpp
 */
export function ht(sizes: HtSizes): Problem {
  const { vertices, correspondences } = sizes;
  const hand = drawnHand(sizes);
  const environment = new Map<string, FlatTensor>();
  const outputs: NodeId[] = [];
  const built = graph((builder) => {
    const writer: Writer = {
      builder,
      data: (name, shape, numbers) => {
        environment.set(name, tensor(shape, numbers));
        return builder.parameter(name, shape);
      },
      taken: (x, axis, name, places) => {
        const indices = Float64Array.from(places);
        environment.set(name, tensor([indices.length], indices));
        return x.take({ axis, indices: builder.indices(name, [indices.length]) });
      },
    };
    const theta = builder.input("theta", [26]);
    const us = builder.input("us", [correspondences, 2]);
    const seen = seenOn(writer, sizes, hand, positionsOf(writer, sizes, hand, theta), us);
    const points = writer.data("points", [correspondences, 3], hand.points);
    const errors = points.subtract(seen.permute_dims({ axes: [1, 0] }));
    outputs.push(errors.id);
    return errors
      .square()
      .sum({ axes: [0, 1], keepdims: false })
      .multiply(0.5);
  });
  return {
    name: `ht v=${vertices} c=${correspondences}`,
    graph: built,
    point: { inputs: [tensor([26], hand.theta), tensor([correspondences, 2], hand.us)], environment },
    outputs: [...outputs, objectiveOf(built)],
  };
}

/** A writer adds numbers and indices to Δ, beside the graph that reads them. */
interface Writer {
  readonly builder: Builder;
  data(name: string, shape: readonly number[], numbers: Iterable<number>): Value;
  taken(x: Value, axis: number, name: string, places: Iterable<number>): Value;
}

/** Computes the bones' transformations from rest, `[BONES, 4, 4]`, one level of bones after the other. */
function transformsOf({ builder, data, taken }: Writer, hand: Hand, theta: Value): Value {
  const withZero = builder.concat(theta, builder.full({ shape: [1], value: 0 }), { axis: 0 });
  const angles = taken(withZero, 0, "angles", anglePlaces()).reshape({ shape: [BONES, 3] });
  const turned = homogeneous(builder, eulerRotations(builder, angles));
  const posed = data("relatives", [BONES, 4, 4], hand.relatives).matmul(turned);
  const levels = levelsOf(hand.parents);
  const frames: Value[] = [];
  for (const [depth, { bones, parents }] of levels.entries()) {
    const own = taken(posed, 0, `bones ${depth}`, bones);
    const above = frames.at(-1);
    frames.push(above === undefined ? own : taken(above, 0, `parents ${depth}`, parents).matmul(own));
  }
  const order = levels.flatMap(({ bones }) => bones);
  const places = order.map((_, bone) => order.indexOf(bone));
  const absolutes = taken(builder.concat(...frames, { axis: 0 }), 0, "order", places);
  return absolutes.matmul(data("inverses", [BONES, 4, 4], hand.inverses));
}

/** Computes the positions of the vertices, `[3, vertices]`, of the hand in a pose. */
function positionsOf(writer: Writer, { vertices }: HtSizes, hand: Hand, theta: Value): Value {
  const { builder, data, taken } = writer;
  const transforms = transformsOf(writer, hand, theta);
  const followed = data("weights", [BONES, vertices], hand.weights)
    .reshape({ shape: [BONES, 1, vertices] })
    .multiply(data("positions", [4, vertices], hand.positions).reshape({ shape: [1, 4, vertices] }))
    .reshape({ shape: [4 * BONES, vertices] });
  const skin = transforms
    .slice({ starts: [0, 0, 0], stops: [BONES, 3, 4], steps: [1, 1, 1] })
    .permute_dims({ axes: [1, 0, 2] })
    .reshape({ shape: [3, 4 * BONES] })
    .matmul(followed);
  const axis = theta.slice({ starts: [0], stops: [3], steps: [1] });
  const signed = builder.concat(axis, axis.negative(), builder.full({ shape: [1], value: 0 }), { axis: 0 });
  const skew = taken(signed, 0, "skew", skewPlaces);
  const offset = theta.slice({ starts: [3], stops: [6], steps: [1] }).reshape({ shape: [3, 1] });
  return axisRotation(builder, axis, skew).matmul(skin).add(offset);
}

/** Computes the points seen, `[3, correspondences]`, at places in triangles of these positions. */
function seenOn(
  { taken }: Writer,
  { correspondences }: HtSizes,
  hand: Hand,
  positions: Value,
  us: Value,
): Value {
  const corner = (place: number): Value => {
    const vertexOf = (triangle: number): number => hand.triangles[3 * triangle + place] ?? 0;
    return taken(positions, 1, `corner ${place}`, hand.correspondences.map(vertexOf));
  };
  const share = (place: number): Value =>
    us
      .slice({ starts: [0, place], stops: [correspondences, place + 1], steps: [1, 1] })
      .reshape({ shape: [correspondences] });
  const rest = share(0).add(share(1)).negative().add(1);
  return share(0)
    .multiply(corner(0))
    .add(share(1).multiply(corner(1)))
    .add(rest.multiply(corner(2)));
}

/**
 * Finds each bone's angles about x, z and y in theta, or behind its end. In each finger all bones but the
 * first bend about x, and the first of these about z too; all else is still.
 */
function anglePlaces(): number[] {
  const places = Array.from({ length: 3 * BONES }, () => 26);
  let place = 6;
  for (let finger = 0; finger < 5; finger++) {
    for (const joint of [2, 3, 4]) {
      const bone = 4 * finger + joint;
      places[3 * bone] = place++;
      if (joint === 2) places[3 * bone + 1] = place++;
    }
  }
  return places;
}

/** A level has the bones equally far from the first, and their parents' places in the level before. */
interface Level {
  readonly bones: readonly number[];
  readonly parents: readonly number[];
}

function levelsOf(parents: readonly number[]): Level[] {
  const levels: Level[] = [];
  for (let above: readonly number[] = [-1]; above.length > 0; ) {
    const bones = parents.flatMap((parent, bone) => (above.includes(parent) ? [bone] : []));
    if (bones.length > 0)
      levels.push({ bones, parents: bones.map((bone) => above.indexOf(parents[bone] ?? -1)) });
    above = bones;
  }
  return levels;
}
