import {
  type Context,
  type Environment,
  type Graph,
  map,
  type Node,
  type Tensor,
} from "../../reference/index.ts";
import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { between, either, isOnly, mayBe, only, type Possible, possible, those } from "./possible.ts";

/** The nodes of a `norm` written out: the root of the sum of the operand's squares. */
export interface Length {
  readonly operand: NodeId;
  readonly squares: NodeId;
  readonly sum: Node<Possible>;
  readonly root: NodeId;
}

/** The lengths that a case computes. */
export function lengthsOf({ graph, insides }: PrimitiveCase, { nodes }: Graph<Possible>): readonly Length[] {
  const parentOf = (id: NodeId): NodeId =>
    present(graph.nodes[id - graph.inputs.length]?.parents[0], "a parent");
  return insides.flatMap((inside, index): Length[] => {
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

/** For each length 0 if all that it is of is 0 for certain, else a number that is not. */
function zerosOf(
  { operand, squares, sum }: Length,
  context: Context<Possible>,
  environment: Environment<Possible>,
): Tensor<Possible> {
  const marks = map(present(context[operand], "an operand"), (x) => (isZero(x) ? those("0") : only(1)));
  return sum.forward(
    context.map((value, id) => (id === squares ? marks : value)),
    environment,
  );
}

function isZero(set: Possible): boolean {
  return isOnly(set, "0", "-0");
}

/** The numbers up to `size` on either side, or NaN: a subgradient, or x divided by the length 0. */
function upTo(size: number): Possible {
  return either(possible(between(-size, size)), those("nan"));
}

function isBounded(set: Possible): boolean {
  return !mayBe(set, "nan", "inf", "-inf", "far", "-far");
}

/**
 * The cotangents of the operand where the length is 0, from those of the length: no larger, as the subdifferential is the
 * unit ball. `undefined` elsewhere.
 */
export function cotangentsAtZero(
  length: Length,
  context: Context<Possible>,
  environment: Environment<Possible>,
  c: Tensor<Possible>,
): readonly (Possible | undefined)[] {
  const { sum, squares } = length;
  const spread = (t: Tensor<Possible>): readonly Possible[] =>
    present(sum.vjp(context, environment, t).get(squares), "the cotangent of a sum's operand").data;
  const zeros = spread(zerosOf(length, context, environment));
  return spread(c).map((set, position) =>
    isZero(present(zeros[position], "a mark")) && isBounded(set)
      ? upTo(Math.max(set.up, set.down))
      : undefined,
  );
}

/** The tangents of the length where it is 0: no larger than the operand's tangents together. `undefined` elsewhere. */
export function tangentsAtZero(
  length: Length,
  context: Context<Possible>,
  environment: Environment<Possible>,
  tangents: Context<Possible>,
): readonly (Possible | undefined)[] {
  const { operand, squares, sum } = length;
  const along = tangents.map((tangent, id) =>
    id === squares ? present(tangents[operand], "a tangent") : tangent,
  );
  const zeros = zerosOf(length, context, environment);
  const totals = sum.jvp(context, along, environment);
  return totals.data.map((total, position) =>
    isZero(present(zeros.data[position], "a mark")) && isBounded(total)
      ? upTo(total.up + total.down)
      : undefined,
  );
}
