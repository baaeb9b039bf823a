import {
  type Context,
  type Environment,
  type Graph,
  map,
  type Node,
  type Tensor,
} from "../../../reference/index.ts";
import { type NodeId, nodeId, present } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { between, type FloatSet, floatSet, mayBe, ofKinds, only, union } from "../sets/float_set.ts";
import { isZero } from "./composite.ts";

/** A `norm` written out is the root of the sum of its operand's squares. */
export interface Norm {
  readonly operand: NodeId;
  readonly squares: NodeId;
  readonly sum: Node<FloatSet>;
  readonly root: NodeId;
}

/** Returns the norms that a case computes. */
export function normsOf({ graph, insides }: PrimitiveCase, { nodes }: Graph<FloatSet>): readonly Norm[] {
  const parentOf = (id: NodeId): NodeId =>
    present(graph.nodes[id - graph.inputs.length]?.parents[0], "a parent");
  return insides.flatMap((inside, index): Norm[] => {
    if (inside === undefined || inside.composite !== "norm" || !inside.isLast) return [];
    const root = nodeId(graph.inputs.length + index);
    const sum = parentOf(root);
    const squares = parentOf(sum);
    return [
      {
        operand: parentOf(squares),
        squares,
        sum: present(nodes[sum - graph.inputs.length], "a sum"),
        root,
      },
    ];
  });
}

/** Returns for each norm 0 if all its elements are 0 for certain, else a number that is not. */
function zerosOf(
  { operand, squares, sum }: Norm,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
): Tensor<FloatSet> {
  const marks = map(present(context[operand], "an operand"), (x) => (isZero(x) ? ofKinds("0") : only(1)));
  return sum.forward(
    context.map((value, id) => (id === squares ? marks : value)),
    environment,
  );
}

/** Returns numbers up to `size` on either side, or NaN: a subgradient, or x divided by the norm 0. */
function upTo(size: number): FloatSet {
  return union(floatSet(between(-size, size)), ofKinds("nan"));
}

function isBounded(set: FloatSet): boolean {
  return !mayBe(set, "nan", "inf", "-inf", "far", "-far");
}

/**
 * Returns the operand's cotangents where the norm is 0: no larger than those of the norm, since the
 * subdifferential is the unit ball. `undefined` elsewhere.
 */
export function cotangentsAtZero(
  norm: Norm,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
  c: Tensor<FloatSet>,
): readonly (FloatSet | undefined)[] {
  const { sum, squares } = norm;
  const spread = (t: Tensor<FloatSet>): readonly FloatSet[] =>
    present(sum.vjp(context, environment, t).get(squares), "the cotangent of a sum's operand").data;
  const zeros = spread(zerosOf(norm, context, environment));
  return spread(c).map((set, position) =>
    isZero(present(zeros[position], "a mark")) && isBounded(set)
      ? upTo(Math.max(set.up, set.down))
      : undefined,
  );
}

/** Returns the norm's tangents where it is 0: no larger than all the operand's together. */
export function tangentsAtZero(
  norm: Norm,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
  tangents: Context<FloatSet>,
): readonly (FloatSet | undefined)[] {
  const { operand, squares, sum } = norm;
  const along = tangents.map((tangent, id) =>
    id === squares ? present(tangents[operand], "a tangent") : tangent,
  );
  const zeros = zerosOf(norm, context, environment);
  const totals = sum.jvp(context, along, environment);
  return totals.data.map((total, position) =>
    isZero(present(zeros.data[position], "a mark")) && isBounded(total)
      ? upTo(total.up + total.down)
      : undefined,
  );
}
