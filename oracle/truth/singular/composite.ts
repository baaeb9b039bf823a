import type { Context, SparseContext, Tensor } from "../../../reference/index.ts";
import type { CompositeName } from "../../../spec/composites/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import { type Algebra, nodeId, present } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { anything, between, type FloatSet, floatSet, isOnly, mayBe } from "../sets/float_set.ts";

/** Sets of floats have these operations. */
export type Operations = NonNullable<Algebra<FloatSet, unknown>["levels"]["real"]>;

export type Sets = Tensor<FloatSet>;

/** This tells what honest engines may answer of one composite where there is no bound. */
export interface SingularComposite {
  readonly application: Application;
  value(context: Context<FloatSet>): Sets;
  tangent(context: Context<FloatSet>, tangents: Context<FloatSet>): Sets;
  cotangents(context: Context<FloatSet>, c: Sets): SparseContext<FloatSet>;
}

/** Returns the nodes of a case that are this composite, of two operands, which may be one. */
export function pairsOf({ graph, applications, insides }: PrimitiveCase, op: CompositeName): Application[] {
  return applications.filter(({ node, value }) => {
    const inside = insides[value - graph.inputs.length];
    const isWhole = inside !== undefined && inside.composite === op && inside.isLast;
    return isWhole && node.op === op && node.parents.length === 2;
  });
}

/** Tells whether both operands are one node, whose cotangent is a sum of two. */
export function isOfOne({ node: { parents } }: Application): boolean {
  return parents[0] === parents[1];
}

/** Returns the elements of both operands, pair by pair. */
export function operandsOf(
  { node }: Application,
  context: Context<FloatSet>,
): readonly (readonly [FloatSet, FloatSet])[] {
  const [x, y] = node.parents.map((id) => present(context[nodeId(id)], "an operand").data);
  return present(x, "x").map((set, position) => [set, y?.[position] ?? anything]);
}

/** Returns a tensor of the shape of the first one. */
export function filled({ shape }: Sets, data: readonly FloatSet[]): Sets {
  return { shape, data: [...data] };
}

export function isZero(set: FloatSet): boolean {
  return isOnly(set, "0", "-0");
}

/** Tells whether all of a set are numbers of the format. */
export function areNumbers(set: FloatSet): boolean {
  return set.pieces.length > 0 && !mayBe(set, "nan", "inf", "-inf", "far", "-far");
}

/** Returns the largest size of a set's numbers. */
export function sizeOfSet({ up, down }: FloatSet): number {
  return Math.max(up, down);
}

/** Returns the numbers up to `size` on either side. */
export function upTo(size: number): FloatSet {
  return floatSet(between(-size, size));
}
