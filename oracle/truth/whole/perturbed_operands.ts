import type { Context, Node, Tensor } from "../../../reference/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import { at, type NodeId, present, type Shape } from "../../../spec/shapes/index.ts";
import type { Inside } from "../../case/index.ts";
import { type Bounded, enlarged, radius } from "../bound/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";
import { algorithmOf } from "./algorithm_table.ts";
import type { BackwardError, Sizes } from "./backward_errors.ts";

/** Each id that an application reads has these backward errors. */
export type OperandErrors = ReadonlyMap<Application, ReadonlyMap<NodeId, readonly BackwardError[]>>;

/** Returns the backward errors of the operands of a program's composites, as far as there are any. */
export function operandErrorsOf(
  applications: readonly Application[],
  shapes: readonly Shape[],
  standard: Standard,
): OperandErrors {
  const operandErrors = new Map<Application, ReadonlyMap<NodeId, readonly BackwardError[]>>();
  for (const application of applications) {
    const { node } = application;
    const backwardErrors = algorithmOf(node, standard)?.backwardErrors;
    if (backwardErrors === undefined) continue;
    const places = backwardErrors(
      node.parents.map((parent) => present(shapes[parent], "a shape")),
      standard,
    );
    const ofId = new Map<NodeId, BackwardError[]>();
    for (const [place, id] of node.parents.entries()) {
      const found = places[place];
      if (found !== undefined) ofId.set(id, [...(ofId.get(id) ?? []), found]);
    }
    operandErrors.set(application, ofId);
  }
  return operandErrors;
}

/**
 * Returns a node of an expansion that reads each operand of its composites with the backward errors of their
 * algorithms. Each time that it is read an operand may be another number in reach, so the result encloses
 * that of every backward stable algorithm.
 */
export function withBackwardErrors<C>(
  node: Node<Bounded<C>>,
  { applications }: Inside,
  operandErrors: OperandErrors,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const backwardErrors = new Map<NodeId, readonly BackwardError[]>();
  for (const application of applications) {
    for (const [id, found] of operandErrors.get(application) ?? []) {
      if (node.reads.includes(id)) backwardErrors.set(id, [...(backwardErrors.get(id) ?? []), ...found]);
    }
  }
  if (backwardErrors.size === 0) return node;
  // A value is read again with its tangent and its cotangent.
  const known = new Map<NodeId, { readonly x: Tensor<Bounded<C>>; readonly value: Tensor<Bounded<C>> }>();
  const entered = (context: Context<Bounded<C>>, part: "value" | "tangent"): Context<Bounded<C>> => {
    const near = [...context];
    for (const [id, distances] of backwardErrors) {
      const x = at(context, id);
      const before = part === "value" && known.get(id);
      const value = before && before.x === x ? before.value : moved(centre, standard, x, distances, part);
      if (part === "value") known.set(id, { x, value });
      near[id] = value;
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

/** Returns `x` with what these distances, one after the other, add to its error. */
function moved<C>(
  centre: Centre<C>,
  standard: Standard,
  x: Tensor<Bounded<C>>,
  distances: readonly BackwardError[],
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
  const infinities = x.data.map(({ infinity }) => infinity);
  const known: Sizes = { shape: x.shape, values, sizes, infinities };
  const told = distances.flatMap(({ [part]: by }) => (by === undefined ? [] : [by(known)]));
  return {
    ...x,
    data: x.data.map((element, position) => {
      // An infinity is off by nothing.
      if (element.infinity !== undefined) return element;
      const units = told.reduce((total, distance) => total + distance(position), 0);
      if (units === 0) return element;
      // k roundings are (1 + u)ᵏ − 1, which is at most k u / (1 − k u) of what is k u at first order.
      const error = units * standard.unitRoundoff * SECOND_ORDER;
      return enlarged(element, error);
    }),
  };
}

/** This covers products of the roundings that are counted, while these are fewer than 1/(32 u). */
const SECOND_ORDER = 1 + 2 ** -4;
