import type { Context, SparseContext, Tensor } from "../../reference/index.ts";
import type { Application, CompositeName } from "../../spec/composites/index.ts";
import { type Algebra, nodeId, present } from "../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { anything, between, isOnly, mayBe, type Possible, possible } from "./possible.ts";

/** What sets of floats can do. */
export type Operations = NonNullable<Algebra<Possible, unknown>["levels"]["real"]>;

export type Sets = Tensor<Possible>;

/** What honest engines may answer of one composite where there is no bound, as far as it is known. */
export interface SingularComposite {
  readonly application: Application;
  value(context: Context<Possible>): Sets;
  tangent(context: Context<Possible>, tangents: Context<Possible>): Sets;
  cotangents(context: Context<Possible>, c: Sets): SparseContext<Possible>;
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
  context: Context<Possible>,
): readonly (readonly [Possible, Possible])[] {
  const [x, y] = node.parents.map((id) => present(context[nodeId(id)], "an operand").data);
  return present(x, "x").map((set, position) => [set, y?.[position] ?? anything]);
}

/** A tensor of the shape of `like`. */
export function filled({ shape }: Sets, data: readonly Possible[]): Sets {
  return { shape, data: [...data] };
}

export function isZero(set: Possible): boolean {
  return isOnly(set, "0", "-0");
}

/** Whether all of it are numbers of the format. */
export function areNumbers(set: Possible): boolean {
  return set.pieces.length > 0 && !mayBe(set, "nan", "inf", "-inf", "far", "-far");
}

/** The largest size of its numbers. */
export function sizeOfSet({ up, down }: Possible): number {
  return Math.max(up, down);
}

/** The numbers up to `size` on either side. */
export function upTo(size: number): Possible {
  return possible(between(-size, size));
}
