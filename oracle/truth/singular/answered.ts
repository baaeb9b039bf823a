import { type Context, map, type Tensor } from "../../../reference/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type NodeId, present } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import type { Part } from "../nodes/bounds.ts";
import { answeredAs, type FloatSet, intersection, only } from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";
import { moving } from "./freedom.ts";

type Sets = Tensor<FloatSet>;

/** An engine has answered with these numbers at the ids of a graph, as far as there are any. */
export type Answered = { readonly [P in Part]?: (id: NodeId) => ArrayLike<number> | undefined };

/** At each id, any honest engine may answer what is allowed; the engine itself had one of these. */
export interface Known {
  readonly allowed: Context<FloatSet>;
  readonly had: Context<FloatSet>;
}

/** Returns what is left of sets where an engine has answered with these numbers. */
export function leftOf(numbers: ArrayLike<number> | undefined, sets: Sets): Sets {
  if (numbers === undefined) return sets;
  const left = map(sets, (set, position) => answeredAs(set, present(numbers[position], "an answer")));
  return left.data.every((set, position) => set === sets.data[position]) ? sets : left;
}

/** These operators add up. */
export const summing: ReadonlySet<PrimitiveName> = new Set(["add", "subtract", "sum"]);

/**
 * Returns what a sum reads of an id: an infinity that was answered, unless it is of a product, which may be
 * fused, or of a format for which registers are wider.
 */
export function readBySum(
  { graph, point }: PrimitiveCase,
  { dtype }: Standard,
  answered: Answered,
  id: NodeId,
  sets: Sets,
): Sets {
  const nodeOf = (of: NodeId | undefined) => graph.nodes[(of ?? 0) - point.inputs.length];
  let source = nodeOf(id);
  while (source !== undefined && (moving.has(source.op) || source.op === "negative"))
    source = nodeOf(source.parents[0]);
  const isWide = dtype !== "float64" && dtype !== "float32";
  const numbers = answered.value?.(id);
  if (isWide || source?.op === "multiply" || source?.op === "matmul" || numbers === undefined) return sets;
  return map(sets, (set, position) => {
    const x = numbers[position];
    return x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY
      ? intersection(only(x), set)
      : set;
  });
}
