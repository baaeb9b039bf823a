import type { Context, Node, Tensor } from "../../reference/index.ts";
import type { Application } from "../../spec/composites/index.ts";
import { at, type NodeId, present, type Shape } from "../../spec/shapes/index.ts";
import type { Inside } from "../case/index.ts";
import { UPWARDS } from "./ball.ts";
import type { Centre } from "./centre.ts";
import { enlarged } from "./elimination.ts";
import type { Entering, Sizes } from "./entering.ts";
import { type Bounded, radius } from "./radius.ts";
import type { Standard } from "./standard.ts";
import { waysOf } from "./ways.ts";

/** For each id that an application reads, how it may enter. */
export type Doors = ReadonlyMap<Application, ReadonlyMap<NodeId, readonly Entering[]>>;

/** How operands enter the composites of a program; only those that something is known of. */
export function doorsOf(
  applications: readonly Application[],
  shapes: readonly Shape[],
  standard: Standard,
): Doors {
  const doors = new Map<Application, ReadonlyMap<NodeId, readonly Entering[]>>();
  for (const application of applications) {
    const { node } = application;
    const entering = waysOf(node)?.entering;
    if (entering === undefined) continue;
    const places = entering(
      node.parents.map((parent) => present(shapes[parent], "a shape")),
      standard,
    );
    const ofId = new Map<NodeId, Entering[]>();
    for (const [place, id] of node.parents.entries()) {
      const found = places[place];
      if (found !== undefined) ofId.set(id, [...(ofId.get(id) ?? []), found]);
    }
    doors.set(application, ofId);
  }
  return doors;
}

/**
 * The node of an expansion, reading each operand of the composites that it belongs to as far from what it is as their
 * algorithms allow: wherever it is read it may be another number so near, so the result encloses that of every
 * backward stable algorithm.
 */
export function withEntering<C>(
  node: Node<Bounded<C>>,
  { applications }: Inside,
  doors: Doors,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const entering = new Map<NodeId, readonly Entering[]>();
  for (const application of applications) {
    for (const [id, found] of doors.get(application) ?? []) {
      if (node.reads.includes(id)) entering.set(id, [...(entering.get(id) ?? []), ...found]);
    }
  }
  if (entering.size === 0) return node;
  const entered = (context: Context<Bounded<C>>, part: "value" | "tangent"): Context<Bounded<C>> => {
    const near = [...context];
    for (const [id, distances] of entering) {
      near[id] = moved(centre, standard, at(context, id), distances, part);
    }
    return near;
  };
  return {
    ...node,
    forward: (context, environment) => node.forward(entered(context, "value"), environment),
    jvp: (context, tangents, environment) =>
      node.jvp(entered(context, "value"), entered(tangents, "tangent"), environment),
    vjp: (context, environment, cotangent) => node.vjp(entered(context, "value"), environment, cotangent),
  };
}

/** `x` with what these distances, one after the other, add to its error. */
function moved<C>(
  centre: Centre<C>,
  standard: Standard,
  x: Tensor<Bounded<C>>,
  distances: readonly Entering[],
  part: "value" | "tangent",
): Tensor<Bounded<C>> {
  const values = x.data.map((element) => centre.approximate(element.centre));
  const sizes = x.data.map(
    (element, position) =>
      (Math.abs(values[position] ?? Number.NaN) +
        centre.slack(element.centre) +
        radius(centre, standard, element)) *
      UPWARDS,
  );
  const known: Sizes = { shape: x.shape, values, sizes };
  return {
    ...x,
    data: x.data.map((element, position) => {
      const units = distances.reduce((total, { [part]: by }) => total + (by?.(known, position) ?? 0), 0);
      if (units === 0) return element;
      // k roundings are (1 + u)ᵏ − 1, which is at most k u / (1 − k u) of what is k u at first order.
      const error = units * standard.unitRoundoff * SECOND_ORDER;
      return enlarged(element, error);
    }),
  };
}

/** Covers the products of the roundings that are counted, while there are fewer than 1/(32 u) of them. */
const SECOND_ORDER = 1 + 2 ** -4;
