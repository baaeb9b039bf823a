import type { Context, SparseContext, Tensor } from "../../../reference/index.ts";
import { type Algebra, type Application, type CompositeName, nodeId, present } from "../../../spec/index.ts";
import type { PrimitiveCase } from "../../expansion.ts";
import { anything, between, type FloatSet, floatSet, isOnly, mayBe } from "../sets/float_set.ts";

/** What sets of floats can do. */
export type Operations = NonNullable<Algebra<FloatSet, unknown>["levels"]["real"]>;

export type Sets = Tensor<FloatSet>;

/** What honest engines may answer of one composite where there is no bound, as far as it is known. */
export interface SingularComposite {
  readonly application: Application;
  value(context: Context<FloatSet>): Sets;
  tangent(context: Context<FloatSet>, tangents: Context<FloatSet>): Sets;
  cotangents(context: Context<FloatSet>, c: Sets): SparseContext<FloatSet>;
}

/** The nodes of a case that are this composite, with two operands that are not one. */
export function pairsOf({ graph, applications, insides }: PrimitiveCase, op: CompositeName): Application[] {
  return applications.filter(({ node, value }) => {
    const inside = insides[value - graph.inputs.length];
    const isWhole = inside !== undefined && inside.composite === op && inside.isLast;
    return isWhole && node.op === op && node.parents.length === 2 && node.parents[0] !== node.parents[1];
  });
}

/** The elements of both operands that belong together, in a context. */
export function operandsOf(
  { node }: Application,
  context: Context<FloatSet>,
): readonly (readonly [FloatSet, FloatSet])[] {
  const [x, y] = node.parents.map((id) => present(context[nodeId(id)], "an operand").data);
  return present(x, "x").map((set, position) => [set, y?.[position] ?? anything]);
}

/** A tensor of the shape of `like`. */
export function filled({ shape }: Sets, data: readonly FloatSet[]): Sets {
  return { shape, data: [...data] };
}

export function isZero(set: FloatSet): boolean {
  return isOnly(set, "0", "-0");
}

/** Whether all of it are numbers of the format. */
export function areNumbers(set: FloatSet): boolean {
  return set.pieces.length > 0 && !mayBe(set, "nan", "inf", "-inf", "far", "-far");
}

/** The largest size of its numbers. */
export function sizeOfSet({ up, down }: FloatSet): number {
  return Math.max(up, down);
}

/** The numbers up to `size` on either side. */
export function upTo(size: number): FloatSet {
  return floatSet(between(-size, size));
}
