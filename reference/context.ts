import {
  type Additive,
  InvariantError,
  type NodeId,
  type Semiring,
  type Shape,
} from "../spec/shapes/index.ts";
import { addTensors, dotTensors, type Tensor, zeros } from "./tensor.ts";

/** A list of tensors; a position in it is a node id [SEMANTICS §1]. */
export type Context<S> = readonly Tensor<S>[];

/** A context given by some of its entries; the others are zero. What a `vjp` returns. */
export type SparseContext<S> = ReadonlyMap<NodeId, Tensor<S>>;

/** Appends an entry. */
export function snoc<S>(context: Context<S>, last: Tensor<S>): Context<S> {
  return [...context, last];
}

/** Splits off the last entry. Throws {@link InvariantError} for an empty context. */
export function unsnoc<S>(context: Context<S>): readonly [Context<S>, Tensor<S>] {
  const last = context.at(-1);
  if (last === undefined) throw new InvariantError("unsnoc of an empty context");
  return [context.slice(0, -1), last];
}

/** Returns the entry at `id`. Throws {@link InvariantError} where there is none. */
export function entry<S>(context: Context<S>, id: number): Tensor<S> {
  const found = context[id];
  if (found === undefined) throw new InvariantError(`id ${id} of a context of ${context.length}`);
  return found;
}

/** Adds two contexts of one type, entry by entry. */
export function add<S>(algebra: Additive<S>, a: Context<S>, b: Context<S>): Context<S> {
  return a.map((x, id) => addTensors(algebra, x, entry(b, id)));
}

/** Returns the sum over entries of the sums of products. */
export function dot<S>(algebra: Semiring<S>, a: Context<S>, b: Context<S>): S {
  return a.reduce((total, x, id) => algebra.add(total, dotTensors(algebra, x, entry(b, id))), algebra.zero);
}

/** Returns the zero context of a type. */
export function zeroContext<S>(algebra: Additive<S>, shapes: readonly Shape[]): Context<S> {
  return shapes.map((shape) => zeros(algebra, shape));
}

/** Returns `f` of every entry that a sparse context lists, at the same ids. */
export function mapSparse<S, T>(
  sparse: SparseContext<S>,
  f: (entry: Tensor<S>, id: NodeId) => Tensor<T>,
): SparseContext<T> {
  const mapped = new Map<NodeId, Tensor<T>>();
  sparse.forEach((x, id) => {
    mapped.set(id, f(x, id));
  });
  return mapped;
}

/** Returns the context that a sparse one stands for, of the given type. */
export function dense<S>(
  algebra: Additive<S>,
  shapes: readonly Shape[],
  sparse: ReadonlyMap<number, Tensor<S>>,
): Context<S> {
  return shapes.map((shape, id) => sparse.get(id) ?? zeros(algebra, shape));
}
